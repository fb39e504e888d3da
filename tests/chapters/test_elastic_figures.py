"""Pictures of notebook 28: what runs at a size, and what each size reaches and costs."""

from __future__ import annotations

from typing import Any

import pytest

from chapters.nb28 import drawings

SIZE: Any = ((0, 2, 4), 3, 6, 12)
draw: Any = drawings.draw_sub_network
describe: Any = drawings.describe_sub_network
WIDTHS, DEPTHS = (1.0, 0.25), ("6 layers", "3 layers")
GRID = {"accuracy": [[0.9, 0.8], [0.85, 0.7]], "ms": [[100.0, 40.0], [52.0, 21.0]]}
FORMATS = {"accuracy": ".1%", "ms": ".0f"}


def words(figure: Any) -> list[str]:
    return [text.get_text() for axes in figure.axes for text in axes.texts]


def test_a_size_shows_its_layers_and_heads() -> None:
    figure = draw(*SIZE, "81.0%, 21 ms", "A quarter, at half the depth")
    assert {"layer 0", "layer 5", "12 heads", "81.0%, 21 ms"} <= set(words(figure))
    dark = [patch for patch in figure.axes[0].patches if patch.get_facecolor()[:3] == pytest.approx(LIT)]
    assert len(dark) == 3 * 3
    said = describe(*SIZE, "81.0%, 21 ms.")
    assert "0, 2, 4" in said and "first 3 of 12" in said and "21 ms" in said


LIT = (0x12 / 255, 0x40 / 255, 0x6B / 255)


@pytest.mark.parametrize(
    "size", [((), 3, 6, 12), ((6,), 3, 6, 12), ((0,), 13, 6, 12), ((0,), 1, 20, 12), ((0,), 0, 6, 12)]
)
def test_a_size_that_is_none_is_refused(size: Any) -> None:
    with pytest.raises(ValueError, match=r"give numbers|some run"):
        draw(*size, "", "")


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


def test_a_step_shows_every_width_with_its_losses() -> None:
    sizes = [drawings.SizeNow(1.0, 12, 0.31, 0.0), drawings.SizeNow(0.25, 3, 0.69, 0.052)]
    figure = drawings.draw_elastic_step(sizes, "One step")[0]
    assert {"width 0.25: 3 heads", "answers 0.69", "states 0.052", "one update"} <= set(words(figure))
    said = drawings.draw_elastic_step(sizes, "a title")[1]
    assert "at 2 widths" in said and "answers 0.31" in said
    with pytest.raises(ValueError, match="one to 4"):
        drawings.draw_elastic_step([], "")
