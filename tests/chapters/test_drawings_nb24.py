"""The drawings and tables of notebook 24."""

import torch
from pictures import for_each_example, for_each_refusal

from chapters.nb24 import drawings as nb24

RUNGS = [nb24.Rung("real texts", "found"), nb24.Rung("neighbors", "the hardest", by_errors=True)]

test_a_drawing_says_what_it_shows = for_each_example({
    "a ladder of texts": (
        lambda: nb24.draw_ladder(RUNGS, "A title"),
        ["2 kinds of text", "the hardest (chosen by the KL)"],
        ["A title", "real texts", "found", "neighbors", "teacher", "student", "KL"],
    ),
    "what students of texts get right": (
        lambda: nb24.draw_readers({"real": 0.457, "random": 0.126}),
        ["get right: 46%, 13%.", "real headlines 45.7, tokens at random 12.6, a count of words"],
        ["real headlines", "a count of words, from labels"],
    ),
    "the ladder in the record": (
        nb24.draw_ladder_in_record,
        ["tokens at random: right, % 11.9", "real headlines: right, % 43.5"],
        ["written from blanks"],
    ),
    "texts beside real ones": (nb24.draw_beside, ["4,000 more real texts 2.8 ("], ["rewritten"]),
    "the gap": (nb24.draw_gap, ["annealing, SST-2 1.6 ("], ["assistant, headlines"]),
})  # fmt: skip

test_what_cannot_be_drawn_is_refused_in_one_sentence = for_each_refusal({
    "one rung": (lambda: nb24.draw_ladder(RUNGS[:1], ""), "2 to 8 fit"),
})  # fmt: skip


def test_an_arrow_leads_back_to_what_errors_choose() -> None:
    figure, description = nb24.draw_ladder([nb24.Rung("one", "found"), nb24.Rung("two", "found")], "A title")
    assert len(nb24.draw_ladder(RUNGS, "A title")[0].axes[0].lines) == len(figure.axes[0].lines) + 1
    assert "chosen" not in description


NAMES = ["x", "y", "z"]
SURE, UNSURE = torch.tensor([4.0, 0.0, 0.0]), torch.tensor([0.0, 0.5, 0.0])


def test_certainty_is_the_mean_probability_of_the_first_guess() -> None:
    said = {"new": torch.stack([SURE, SURE]), "drawn": torch.stack([SURE, UNSURE])}
    columns, caption = nb24.certainty(said, NAMES)
    assert columns["how sure, mean"] == ["96%", "71%"] and caption.endswith("2 texts of each kind")
    assert columns["most frequent answer"] == ["x 100%", "x 50%"]


def test_one_rewritten_text_kept_its_answer_and_one_did_not() -> None:
    texts = {"real": list("abcde"), "rewritten": list("ABCDE")}
    answers = {"real": SURE.repeat(5, 1), "rewritten": torch.stack([SURE, SURE, SURE, UNSURE, SURE])}
    columns, caption = nb24.before_and_after(texts, answers, NAMES)
    assert columns["real"] == ["c", "d"] and columns["rewritten"] == ["C", "D"]
    assert columns["teacher, after"][1].startswith("y") and "80% keep" in caption


def test_the_record_has_three_kinds_of_readers() -> None:
    assert "real headlines 43.5%" in nb24.readers_in_record()
    assert nb24.gain("as many real texts", "written from texts") == "+25.9 (resolved)"
