"""The drawings of notebook 07."""

import matplotlib
import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st

from chapters.nb07 import drawings
from lib import figures
from lib.figures.style import LIT


@settings(max_examples=15, deadline=None)
@given(st.integers(1, 3), st.integers(1, 5), st.integers(1, 6), st.integers(1, 5))
def test_reach_is_drawn_cell_by_cell_and_padding_is_hatched(count, length, size, norms):
    felt = torch.zeros(count, length, size, dtype=torch.bool)
    felt[0, 0] = True
    sentences = [["word"] * (length - 1) + ["[PAD]"] for _ in range(count)]
    figure = drawings.draw_reach(
        {f"norm {number}": felt for number in range(norms)}, sentences, (0, 0, 0), borders={"norm 0": [size]}
    )
    heavy = [len(axes.lines) for axes in figure.axes]
    assert sum(heavy) == count and not any(
        any(heavy[row * norms + 1 : (row + 1) * norms]) for row in range(count)
    )
    squares = [square for axes in figure.axes for square in axes.patches]
    assert len(squares) == norms * count * length * size
    assert sum(bool(square.get_hatch()) for square in squares) == norms * count * size
    colors = [square.get_facecolor() for square in squares]
    assert colors.count(matplotlib.colors.to_rgba(LIT)) == norms  # the cell itself
    shaded = len(colors) - colors.count(matplotlib.colors.to_rgba("white"))
    assert shaded == norms * size
    assert figures.png(figure)


WRONG = {
    "no norms": (lambda: drawings.draw_reach({}, [], (0, 0, 0)), "one to six blocks"),
    "sentences": (
        lambda: drawings.draw_reach({"a": [[[1]]]}, [["i", "[PAD]"]], (0, 0, 0)),
        "1 lists of 1 tokens",
    ),
    "a cell": (lambda: drawings.draw_reach({"a": [[[1, 0]]]}, [["i"]], (0, 0, 1)), "does not reach itself"),
    "no such norm": (
        lambda: drawings.draw_reach({"a": [[[1]]]}, [["i"]], (0, 0, 0), borders={"b": [1]}),
        "which no block is called",
    ),
    "no booleans": (lambda: drawings.draw_reach({"a": [[[0.5]]]}, [["i"]], (0, 0, 0)), "not boolean"),
}


@pytest.mark.parametrize("case", WRONG)
def test_what_cannot_be_drawn_is_refused_in_one_sentence(case):
    call, message = WRONG[case]
    with pytest.raises(ValueError, match=message) as error:
        call()
    assert "\n" not in str(error.value)
