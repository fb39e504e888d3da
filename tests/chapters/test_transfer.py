"""The schematic of pretraining and fine-tuning."""

import pytest

from chapters.nb00 import drawings

TASKS = [
    drawings.Task("film reviews", "67,000 labeled sentences", "good or bad?"),
    drawings.Task("pairs of sentences", "2,500 labeled pairs", "does B follow from A?"),
    drawings.Task("questions on a text", "100,000 with answers", "which words answer?"),
    drawings.Task("names in a text", "14,000 labeled sentences", "person or place?"),
]


@pytest.mark.parametrize("number", [2, 3, 4])
def test_all_that_is_given_is_drawn_on_the_page_and_said(number: int) -> None:
    figure, told = drawings.draw_transfer("800 million words", "110 million parameters", TASKS[:number])
    words = [drawn for drawn in figure.axes[0].texts if drawn.get_text()]
    page = figure.axes[0].get_window_extent()
    for drawn in words:
        extent = drawn.get_window_extent()
        assert page.x0 <= extent.x0 and extent.x1 <= page.x1, drawn.get_text()
        assert page.y0 <= extent.y0 and extent.y1 <= page.y1, drawn.get_text()
    given = [part for task in TASKS[:number] for part in task]
    for part in ["800 million words", "110 million parameters", *given]:
        assert any(part in drawn.get_text() for drawn in words), part
        assert part in told
    assert f"{number} copies" in told


@pytest.mark.parametrize("number", [0, 1, 5])
def test_too_few_or_too_many_tasks_are_refused(number: int) -> None:
    with pytest.raises(ValueError, match=f"There are {number} tasks"):
        drawings.draw_transfer("text", "size", (TASKS * 2)[:number])
