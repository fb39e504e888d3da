"""Pictures of notebook 28: a step at several sizes, and what each size reaches and costs."""

from __future__ import annotations

from typing import Any

import pytest

from chapters.nb28 import drawings

WIDTHS, DEPTHS = (1.0, 0.25), ("6 layers", "3 layers")
GRID = {"accuracy": [[0.9, 0.8], [0.85, 0.7]], "ms": [[100.0, 40.0], [52.0, 21.0]]}
FORMATS = {"accuracy": ".1%", "ms": ".0f"}


def words(figure: Any) -> list[str]:
    return [text.get_text() for axes in figure.axes for text in axes.texts]


def test_a_grid_has_a_number_in_every_cell() -> None:
    figure = drawings.draw_size_grid(WIDTHS, DEPTHS, GRID, FORMATS, "Sizes")[0]
    assert words(figure) == ["90.0%", "80.0%", "85.0%", "70.0%", "100", "40", "52", "21"]
    said = drawings.draw_size_grid(WIDTHS, DEPTHS, GRID, FORMATS, "a title")[1]
    assert "accuracy, depth 3 layers: width 1 85.0%, width 0.25 70.0%" in said and said.endswith("21.")


def test_a_grid_wants_a_number_for_each_size() -> None:
    with pytest.raises(ValueError, match="2 depths"):
        drawings.draw_size_grid(WIDTHS, DEPTHS, {"accuracy": [[1.0, 2.0]]}, FORMATS, "")
    with pytest.raises(ValueError, match="panels"):
        drawings.draw_size_grid(WIDTHS, DEPTHS, {}, FORMATS, "")


def test_a_step_shows_every_size_with_its_loss() -> None:
    sizes = [drawings.SizeNow(1.0, [0, 1], "the whole", 0.31), drawings.SizeNow(0.25, [1], "a quarter", 0.69)]
    figure = drawings.draw_elastic_step(sizes, 2, "One step")[0]
    assert {"a quarter", "loss 0.69", "one update"} <= set(words(figure))
    said = drawings.draw_elastic_step(sizes, 2, "a title")[1]
    assert "at 2 sizes" in said and "the whole: 0.31" in said
    with pytest.raises(ValueError, match="one to 4"):
        drawings.draw_elastic_step([], 2, "")
    with pytest.raises(ValueError, match="0 to 0"):
        drawings.draw_elastic_step(sizes, 1, "")
