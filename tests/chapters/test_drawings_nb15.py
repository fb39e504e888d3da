"""The drawings of notebook 15."""

from typing import Any

import numpy as np
from pictures import for_each_example, for_each_refusal

from chapters.nb15 import drawings as nb15

HEADS = [
    nb15.HeadShape("class", "[CLS]", (3, 8), (2, 3), "cross-entropy, 3 classes", 1.098),
    nb15.HeadShape("span", "every token", (2, 8), (2, 5, 2), "cross-entropy, 5 tokens", 1.609),
]
TOKENS = ["[CLS]", "who", "[SEP]", "a", "seal", "[SEP]"]
START, END = np.array([0.5, -1, -2, 3.25, 1, 0]), np.array([0, -1, -2, 0.5, 2.5, 4])
LEADS, ANSWERED = [13.1, 1.2, -3.0], [True, True, False]

test_a_drawing_says_what_it_shows = for_each_example({
    "heads and their shapes": (
        lambda: nb15.draw_head_shapes(HEADS, "Two heads"),
        ["span: reads every token, a matrix of [2, 8] gives logits of [2, 5, 2]", "5 tokens: 1.61."],
        ["Two heads", "class", "[3, 8]", "[2, 3]", "1.10", "span", "[2, 5, 2]", "1.61"],
    ),
    "scores of a span": (
        lambda: nb15.draw_span_scores(TOKENS, START, END, (3, 4)),
        ["The best span, a seal, has the sum 5.8.", "end logit 4.0 at [SEP]"],
        ["3.2", "4.0", *TOKENS],
    ),
    "two scores": (
        lambda: nb15.draw_two_scores(["[CLS]", "when", "[SEP]", "1876", "seal", "[SEP]"], START, END),
        ["start times end: P(1876) = 0.019", "The best span, 1876 seal, has the sum 5.8."],
        ["3.2", "4.0", "1876"],
    ),
    "leads": (
        lambda: nb15.draw_leads(LEADS, ANSWERED, 2),
        ["2 with an answer, from 1.2 to 13.1: 1 silent; 1 without, from -3.0 to -3.0: 1 silent."],
        ["2 with an answer", "1 without", "Silent: 1 of 2 with an answer, 1 of 1 without"],
    ),
})  # fmt: skip

test_what_cannot_be_drawn_is_refused_in_one_sentence = for_each_refusal({
    "no head": (lambda: nb15.draw_head_shapes([], "Heads"), "room for 1 to 6"),
    "seven heads": (lambda: nb15.draw_head_shapes(HEADS[:1] * 7, "Heads"), "room for 1 to 6"),
    "a span upside down": (lambda: nb15.draw_span_scores(TOKENS, START, END, (4, 3)), "is no span of"),
    "a span beyond": (lambda: nb15.draw_span_scores(TOKENS, START, END, (0, 6)), "no span of 6 tokens"),
    "a span before": (lambda: nb15.draw_span_scores(TOKENS, START, END, (-1, 2)), "no span of 6 tokens"),
    "ends": (lambda: nb15.draw_span_scores(TOKENS, START, END[:-1], (3, 4)), "as many end as"),
    "one kind": (lambda: nb15.draw_leads([-1, 0], [True, True], 0), "both kinds"),
})  # fmt: skip


def test_leads_up_to_the_threshold_are_silent() -> None:
    axes: Any = nb15.draw_leads(LEADS, ANSWERED, 2)[0].axes[0]
    dots = [line for line in axes.lines if line.get_marker() == "o" and len(line.get_xdata())]
    drawn = [(line.get_xdata()[0], line.get_markerfacecolor() == "white") for line in dots]
    assert drawn == [(13.1, False), (1.2, True), (-3.0, True)]


def test_a_table_marks_the_highest_score_and_the_greatest_lead() -> None:
    found = [("a", 6.0, 5.5), ("b", 7.0, 2.0)]
    columns, caption = nb15.windows_table("Who?", found)
    assert columns["window"] == ["1", "2"] and caption.startswith("Who?")
    assert columns["score"] == ["6.0", "7.0 *"] and columns["lead"] == ["0.5", "5.0 *"]
    columns, _ = nb15.windows_table("Who?", [*found, ("a", 9.0, 8.5)], shifted=0)
    assert columns["window"] == ["1", "2", "1, shifted"]
    assert columns["score"] == ["6.0", "7.0 *", "9.0 *"] and columns["lead"] == ["0.5", "5.0 *", "0.5"]


def test_choices_stand_beside_a_coin() -> None:
    columns, _ = nb15.choices_table({("head", "honest, 64"): 32, ("head", "cue, 36"): 30})
    assert columns["model"] == ["head", "a coin"]
    assert columns["honest, 64"] == ["32", "32 ± 4"] and columns["cue, 36"] == ["30", "18 ± 3"]


def test_tags_and_ways_are_scored() -> None:
    right = [["B-PER", "O"], ["O", "O"]]
    said = {"first": right, "O": [["O", "O"], ["O", "O"]]}
    columns, caption = nb15.tags_table(said, right)
    assert columns["F1 of entities"] == [1, 0]
    assert columns["tags right"] == ["100%", "75%"] and caption == "2 test sentences with 1 entities"
    assert columns["entities said"] == ["1", "0"] and columns["exactly right"] == ["1", "0"]
    columns, _ = nb15.scored_ways({"glued": "co ##vid", "cut": "Covid"}, "covid")
    assert columns["EM"] == [0, 1] and columns["F1"] == [0, 1]


def test_six_wrong_answers_are_spread() -> None:
    columns, caption = nb15.six_of([(f"q{k}", "s", "r", "s r.") for k in range(14)], 20)
    assert columns["question"] == ["q0", "q2", "q4", "q6", "q8", "q10"] and "Six of 14" in caption


def test_sentences_with_an_answer_are_found() -> None:
    text = "A seal sleeps. A whale sings! Nobody knows why."
    assert nb15.sentences_with(["seal", "why"], text) == "A seal sleeps. … Nobody knows why."
    assert nb15.sentences_with(["", "whale"], text) == "A whale sings!"
