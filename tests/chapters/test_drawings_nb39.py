"""The drawings and tables of notebook 39."""

import pytest
import torch
from pictures import for_each_example

from chapters.nb39 import drawings as nb39
from chapters.nb39.library import Paragraph

SEARCH = nb39.Search(
    torch.tensor([0.2, 0.4, 0.6, 0.8]), torch.tensor([False, True, False, True]), torch.tensor([0.1, 0.5])
)

test_a_drawing_says_what_it_shows = for_each_example({
    "a teacher and a student": (
        lambda: nb39.draw_teaching("the dog waits", "el perro espera", [0.5, -0.25], [0.1, 0.2]),
        ["MiniLM, which stays fixed, reads “the dog waits”", "0.50, -0.25", "1 minus the cosine"],
        ["MiniLM", "student", "[0.10, 0.20, ...]", "loss: 1 - cosine"],
    ),
    "what a threshold does": (
        lambda: (SEARCH.draw(0.5), SEARCH.describe(0.5)),
        ["below a cosine of 0.50", "questions that get an answer 50%", "is missing 50%"],
        ["50%", "of these, from the right passage"],
    ),
})  # fmt: skip


def test_what_a_threshold_keeps() -> None:
    assert SEARCH.shares(0.0) == pytest.approx((100, 50, 0))
    assert SEARCH.shares(0.5) == pytest.approx((50, 50, 50))
    assert SEARCH.shares(0.7) == pytest.approx((25, 100, 100))
    assert SEARCH.shares(0.9) == pytest.approx((0, 0, 100))


def test_tables_hold_the_best() -> None:
    scores = torch.tensor([[0.1, 0.9], [0.3, 0.2]])
    best = nb39.table_of_best(["uno", "dos"], ["one", "two"], scores)
    assert best["found"] == ["two", "one"]
    paragraphs = [Paragraph(f"text {number}", f"0{number}") for number in range(2)]
    found = nb39.table_of_sources(paragraphs, torch.tensor([0.2, 0.7]))
    assert found["source"] == ["01", "00"] and found["it begins"] == ["text 1", "text 0"]
    assert nb39.beginning("one two three", 2) == "one two ..." and nb39.beginning("one two", 2) == "one two"


def test_where_an_answer_was_lost() -> None:
    said = nb39.where_it_was_lost([1.0, 0.5, 0.0], [1.0, 0.5, 0.25], torch.tensor([True, True, False]))
    assert said.splitlines() == [
        "2 questions, first paragraph right: F1 0.75, with the right paragraph 0.75",
        "1 questions, first paragraph wrong: F1 0.00, with the right paragraph 0.25",
    ]


def test_a_lead_is_resolved_if_it_exceeds_luck() -> None:
    good = torch.ones(9, dtype=torch.bool)
    assert nb39.lead("a", good, "b", ~good).endswith("a lead of 9, luck reaches 6: resolved")
    mixed = torch.arange(9) < 5
    said = nb39.lead("a", mixed, "b", ~mixed)
    assert said.startswith("only a right: 5, only b: 4") and said.endswith("not resolved")
