"""The drawings of notebook 11."""

from typing import Any

import numpy as np
import pytest
from matplotlib.patches import Rectangle
from pictures import check_one_frame, for_each_example, for_each_refusal

from chapters.nb11 import drawings as nb11

FIRST, SECOND = "The bat slept near Rosa.", "Rosa woke the bat."
ANSWERS = {"bag of words": 0.5, "pocket BERT": 1.0}
EDGES = [0.0, 0.1, 0.2, 0.4]
COUNTS = {"alike": [1, 0, 7], "unlike": [5, 2, 0]}
CLS, POOLED = np.array([0.5, -1.25, 2.0, 7.0]), np.array([0.1, -0.2, 0.3, 0.4])
NEXT = ("The calf drinks.", "It is lucky. " * 9, 6, CLS, POOLED, [2.0, -1.0], [0.953, 0.047])

test_a_drawing_says_what_it_shows = for_each_example({
    "a pair and its answers": (
        lambda: (
            nb11.draw_pair(FIRST, SECOND, {"bat", "rosa"}, ANSWERS, "Text 1"),
            nb11.describe_pair(FIRST, SECOND, {"bat"}, ANSWERS),
        ),
        [SECOND, "pocket BERT 1.00"],
        ["A", "B"],
    ),
    "a histogram and its threshold": (
        lambda: nb11.draw_histogram(EDGES, COUNTS, "cosine", "pairs", "A title", threshold=0.1),
        ["Counts between the edges 0.00, 0.10, 0.20, 0.40. alike: 1, 0, 7; unlike: 5, 2, 0."
         " The threshold is 0.10."],
        ["threshold 0.10", "cosine", "pairs"],
    ),
    "the next-sentence head": (
        lambda: nb11.draw_next_sentence(*NEXT),
        ["6 layers", "B follows A 0.953, another document 0.047", NEXT[1]],
        ["[0.50, −1.25, 2.00, …]", "[0.10, −0.20, 0.30, …]", "[2.00, −1.00]", "0.953", "It is lucky."],
    ),
    "cosines around a threshold": (
        lambda: nb11.draw_cosines([[0.05], [0.3], [0.12], [0.2]], [1, 0, 0, 1], 0.15),
        ["The threshold is 0.15.", "B follows A: 0, 0, 1, 0, 0, 0, 1, 0"],
        ["One threshold parts the two kinds of pairs in 50% of cases", "threshold 0.15"],
    ),
    "two losses": (
        lambda: nb11.draw_two_losses({"one": [0.5, 0.5], "two": [0.5, 0.9]}),
        ["over 2 steps: one 0.50 to 0.50; two 0.50 to 0.90."],
        ["The most pairs right at the end: two", "one"],
    ),
    "shares by size": (
        lambda: nb11.draw_sizes((1, 2), {"stories": [0.5, 0.75], "articles": [0.6, 0.9]}),
        ["stories 0.50, 0.75", "A coin has 0.50"],
        ["From 1 to 2 sentences: stories 0.50 to 0.75, articles 0.60 to 0.90"],
    ),
    "labels told by lengths": (
        lambda: nb11.draw_lengths({"careless": 0.9, "careful": 0.5}),
        ["careless 0.90; careful 0.50"],
        ["Lengths give the label away with 1 of 2 samplers"],
    ),
})  # fmt: skip


def test_a_table_counts_each_answer_to_each_label() -> None:
    table = nb11.three_way_table([0, 0, 1, 2], [0, 1, 1, 2], [2, 0, 2])
    assert table["true"] == ["B follows A", "B precedes A", "another document"]
    assert list(table.values())[1:] == [[1, 0, 0], [1, 1, 0], [0, 0, 1], [1, 0, 2]]


test_what_cannot_be_drawn_is_refused_in_one_sentence = for_each_refusal({
    "no text": (lambda: nb11.draw_pair("", "Another.", set(), {"a": 0.5}), "give"),
    "no answer": (lambda: nb11.draw_pair("A text.", "Another.", set(), {}), "give"),
    "no probability": (lambda: nb11.draw_pair("A text.", "Another.", set(), {"a": 1.5}), "give"),
    "few lines": (lambda: nb11.draw_pair("a", "b", set(), {"x": 1}, lines=1), "fill 2 lines, so lines=1"),
    "one edge": (lambda: nb11.draw_histogram([0.1], COUNTS, "x", "y"), "each larger than"),
    "edges": (
        lambda: nb11.draw_histogram([0.0, 0.2, 0.1, 0.3], COUNTS, "x", "y"), "each larger than",
    ),
    "a pooler": (lambda: nb11.draw_next_sentence(*NEXT[:4], POOLED[:3], *NEXT[5:]), "keeps their count"),
    "three logits": (lambda: nb11.draw_next_sentence(*NEXT[:5], [1.0, 2.0, 3.0], NEXT[6]), "two logits"),
})  # fmt: skip


def test_texts_of_any_length_can_be_given_one_frame() -> None:
    check_one_frame(
        lambda size, lines=None: nb11.draw_pair(60 * size * "a ", "b", set(), {"x": 0.5}, lines=lines)
    )


def test_shared_words_are_bold_and_bars_as_long_as_answers() -> None:
    texts, bars = nb11.draw_pair(FIRST, SECOND, {"bat", "rosa"}, ANSWERS, "Text 1").axes
    bold = [text.get_text() for text in texts.texts if text.get_fontweight() == "bold"]
    assert set(bold) >= {"A", "B"} and len(bold) - 2 == len(texts.patches)
    widths = [patch.get_width() for patch in bars.patches if isinstance(patch, Rectangle)]
    assert widths == pytest.approx([0.5, 1.0])


def test_every_bar_stands_in_its_bin_as_high_as_its_count() -> None:
    axes: Any = nb11.draw_histogram(EDGES, COUNTS, "cosine", "pairs", "A title", threshold=0.1)[0].axes[0]
    bars = [patch for patch in axes.patches if isinstance(patch, Rectangle)]
    assert [bar.get_height() for bar in bars] == [1, 0, 7, 5, 2, 0]
    for number, bar in enumerate(bars):
        assert EDGES[number % 3] < bar.get_x() < bar.get_x() + bar.get_width() < EDGES[number % 3 + 1]
    assert 0.1 in axes.lines[0].get_xdata()
