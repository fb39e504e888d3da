"""The drawings of notebook 00."""

import numpy as np
from pictures import for_each_example, for_each_refusal

from chapters.nb00 import drawings as nb00

EVENTS = [
    ("2018-10", "BERT", "Both sides."),
    ("2013", "word2vec", "One vector."),
    ("2018-02", "ELMo", "Two."),
]
TASKS = [
    nb00.Task("film reviews", "67,000 labeled sentences", "good or bad?"),
    nb00.Task("pairs of sentences", "2,500 labeled pairs", "does B follow from A?"),
    nb00.Task("questions on a text", "100,000 with answers", "which words answer?"),
    nb00.Task("names in a text", "14,000 labeled sentences", "person or place?"),
]
CROSSED = np.tril(np.ones((7, 7)))
GIVEN = ["800 million words", "110 million parameters", *(part for task in TASKS for part in task)]

test_a_drawing_says_what_it_shows = for_each_example({
    "a timeline is in order": (
        lambda: nb00.draw_timeline(EVENTS, "Title", lit="BERT"),
        ["A timeline of 3 events. 2013, word2vec: One vector. Feb 2018, ELMo: Two. Oct 2018, BERT: Both"],
        ["Title", "2013", "Feb 2018", "Oct 2018"],
    ),
    "pretraining and fine-tuning": (
        lambda: nb00.draw_transfer("800 million words", "110 million parameters", TASKS),
        ["4 copies", *GIVEN],
        GIVEN,
    ),
    "two tasks": (
        lambda: nb00.draw_transfer("800 million words", "110 million parameters", TASKS[:2]),
        ["2 copies"],
        ["film reviews"],
    ),
    "masks": (
        lambda: nb00.draw_masks({"causal": CROSSED, "all": np.ones((1, 7))}, list("abcdefg")),
        [],
        ["causal", "all"],
    ),
})  # fmt: skip

test_what_cannot_be_drawn_is_refused_in_one_sentence = for_each_refusal({
    "one event": (lambda: nb00.draw_timeline(EVENTS[:1]), "There are 1 events"),
    "a date": (lambda: nb00.draw_timeline([*EVENTS, ("2018-13", "x", "y")]), "'2018-13' of x"),
    "a long sentence": (lambda: nb00.draw_timeline([*EVENTS, ("2018", "x", 81 * "y")]), "81 characters"),
    "no such event": (lambda: nb00.draw_timeline(EVENTS, lit="GPT"), "called 'GPT'"),
    "one task": (lambda: nb00.draw_transfer("text", "size", TASKS[:1]), "There are 1 tasks"),
    "five tasks": (lambda: nb00.draw_transfer("text", "size", (TASKS * 2)[:5]), "There are 5 tasks"),
    "no booleans": (lambda: nb00.draw_masks({"weights": CROSSED / 2}), "not boolean"),
    "no mask": (lambda: nb00.draw_masks({}), "no mask"),
})  # fmt: skip


def test_what_a_mask_closes_is_crossed() -> None:
    axes = nb00.draw_masks({"causal": CROSSED}).axes[0]
    assert sum(len(np.asarray(crosses.get_offsets())) for crosses in axes.collections) == 21
