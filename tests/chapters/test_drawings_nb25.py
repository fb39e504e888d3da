"""The drawings of notebook 25: curves over bits."""

from typing import Any

import pytest

from chapters.nb25.drawings import draw_bit_curves

CURVES = {"all": {"row": [[0.98, 1.0], [0.8, 0.9]], "matrix": [[0.9, 0.9], [0.5, 0.5]]}}


def test_curves_have_the_mean_and_the_range_of_their_seeds() -> None:
    drawn = draw_bit_curves([8, 4], CURVES, "agreement", "A title", ("chance", 0.5))
    figure: Any = drawn[0]
    axes, said = figure.axes[0], drawn[1]
    assert list(axes.lines[0].get_ydata()) == pytest.approx([0.99, 0.85])
    assert axes.get_xlim() == (8.4, 3.6)  # the fewest on the right
    assert "all, row: 8 bits 0.990, 4 bits 0.850;" in said and said.endswith(" chance 0.500.")
    wrong: list[tuple[Any, list[int], str]] = [
        (CURVES, [8, 4, 2], "shape"),
        ({**CURVES, "part": {"row": [0.9, 0.8]}}, [8, 4], "same lines"),
        ({}, [8, 4], "one to 4"),
    ]
    for panels, bits, message in wrong:
        with pytest.raises(ValueError, match=message):
            draw_bit_curves(bits, panels, "agreement")
