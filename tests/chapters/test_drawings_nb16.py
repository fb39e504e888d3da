"""The drawings of notebook 16."""

import pytest
import torch
from pictures import for_each_example, for_each_refusal

from chapters.nb16 import drawings as nb16
from chapters.nb16 import earlier
from lib import records
from lib.records.table import Run, Table
from lib.text.tasks import own

PARTS = ["words", "layer 0", "layer 1", "head"]
STACKS = [
    nb16.FrozenStack("All learns", PARTS, 0, 9, 10, 20, 30),
    nb16.FrozenStack("The top learns", PARTS, 2, 9, 1, 2, 3),
]
FEW = Table(
    [
        Run("headlines", way, seed, {"accuracy": 0.5 + seed / 100}, {}, {})
        for way in nb16.FEW
        for seed in (0, 1, 2)
    ]
)
GENTLE = {"one rate": [80.0, 81.0], "layer rates": [82.0, 83.5], "gradual": [83.0, 84.0]}

test_a_drawing_says_what_it_shows = for_each_example({
    "what a frozen part holds": (
        lambda: nb16.draw_freezing(STACKS, "A title"),
        ["frozen are none", "frozen are words, layer 0; learning are layer 1, head",
         "60.0 MB together, beside 9.0 MB of weights", "6.0 MB together"],
        ["A title", "together 60.0 MB", "together 6.0 MB", "cut", "learns", "frozen"],
    ),
    "two gentle ways": (
        lambda: nb16.draw_gentle(PARTS, [0.1, 0.2, 0.4, 0.4], [30, 20, 10, 0], 40, GENTLE, "A title"),
        ["words: rate 0.10000, or frozen until step 30", "gradual 83.5 (83.0 to 84.0)"],
        ["0.10000", "0.40000", "frozen", "80.5", "82.8", "83.5"],
    ),
    "a script mended": (
        lambda: nb16.draw_fixes(records.table("habits_of_2020"), 0.35),
        ["as it was: accuracy, % 55.6, seconds of training 30, seconds of the test 9",
         "+ batches at once: accuracy, % 71.7, seconds of training 30, seconds of the test 5",
         "Counting words: 35.0%"],
        ["A script of 2020, mended line by line: 16 points"],
    ),
    "four ways": (
        lambda: nb16.draw_ways(records.table("ways_of_training")),
        ["head, rate 0.003: accuracy, % 72.4", "Counting words: 52.9%"],
        ["all, rate 0.0002"],
    ),
    "few labels": (
        lambda: nb16.draw_few(FEW, 3, 0.6, 0.2),
        ["head 51.0; top 1 51.0", "with the top 3: 60.0", "Counting words: 20.0"],
        ["your run 60", "counting words 20"],
    ),
})  # fmt: skip

test_what_cannot_be_drawn_is_refused_in_one_sentence = for_each_refusal({
    "a cut below": (lambda: nb16.FrozenStack("None", PARTS, -1, 1, 1, 1, 1), "from 0 to 3"),
    "nothing learns": (lambda: nb16.FrozenStack("None", PARTS, 4, 1, 1, 1, 1), "from 0 to 3"),
})  # fmt: skip


def test_a_sum_of_megabytes_is_that_of_the_numbers_as_they_are_written() -> None:
    assert nb16.FrozenStack("All learns", PARTS, 0, 9, 0.14, 0.14, 0.14).total == pytest.approx(0.3)


def test_losses_are_shown_by_their_step() -> None:
    table = nb16.losses_by_step({"one": list(range(12))})
    assert table == {"optimizer": ["one"], "first step": [0], "third": [2], "sixth": [5], "twelfth": [11]}


def test_a_lead_is_told_in_points_with_its_verdict() -> None:
    table = records.table("ways_of_training")
    over_all, over_two = nb16.leads(table, "gradual", ["all at 0.0002", "top 2"]).splitlines()
    assert over_all == "gradual against all at 0.0002: +2.7 points, the seeds differ by 1.9: resolved"
    assert over_two == "gradual against top 2: +0.9 points, the seeds differ by 1.0: not resolved"


def test_a_regression_reads_what_separates_the_labels() -> None:
    vectors = torch.tensor([[-1.0, 0.0], [-2.0, 0.0], [1.0, 0.0], [2.0, 0.0]])
    labels = torch.tensor([0, 0, 1, 1])
    assert earlier.regression(vectors, labels, 2 * vectors, labels) == 1
    assert earlier.regression(vectors, labels, vectors, 1 - labels) == 0


def test_rows_of_each_label_come_in_their_order() -> None:
    rows = own.headlines("train")
    few = earlier.first_of_each(rows, 2)
    assert len(few) == 18 and few[0] is rows[0]


def test_a_mean_leaves_padding_out() -> None:
    hidden = torch.tensor([[[1.0], [3.0], [9.0]]])
    inputs = {"attention_mask": torch.tensor([[1, 1, 0]])}
    first, mean = earlier.vectors_of([[0 * hidden, hidden]], [(inputs, torch.tensor([0]))])
    assert first.tolist() == [[1]] and mean.tolist() == [[2]]
