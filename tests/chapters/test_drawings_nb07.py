"""The drawings of notebook 07."""

import torch
from matplotlib.colors import to_rgba
from pictures import for_each_example, for_each_refusal

from chapters.nb07 import drawings as nb07
from lib.figures.style import LIT

NORM_STEPS: dict[str, list[float]] = {
    "token's vector": [1, 7, 9, 15],
    "minus the mean": [-7, -1, 1, 7],
    "divided by the spread": [-1.4, -0.2, 0.2, 1.4],
    "times weight, plus bias": [-1.4, -0.2, 0.4, 1.7],
}
WEIGHT, BIAS = [1, 1, 2, 0.5], [0, 0, 0, 1]

test_a_drawing_says_what_it_shows = for_each_example({
    "the steps of a norm": (
        lambda: nb07.draw_layer_norm(NORM_STEPS, WEIGHT, BIAS, "A title"),
        ["token's vector: 1, 7, 9, 15 (mean 8, spread 5)", "share the mean 8 and the spread 5",
         "divided by the spread: −1.4, −0.2, 0.2, 1.4 (mean 0, spread 1)", "a weight (1, 1, 2, 0.5)"],
        ["A title", *NORM_STEPS, "feature 3", "mean: 8", "15 − 8", "−7 / 5", "× 2 + 0", "× 0.5 + 1"],
    ),
})  # fmt: skip

test_what_cannot_be_drawn_is_refused_in_one_sentence = for_each_refusal({
    "no steps": (lambda: nb07.draw_layer_norm({}, [1.0], [1.0], ""), "of one length"),
    "one step": (lambda: nb07.draw_layer_norm({"a": [1.0]}, [1.0], [1.0], ""), "of one length"),
    "weights": (lambda: nb07.draw_layer_norm(NORM_STEPS, [1.0], [1.0], ""), "of one length"),
    "a short step": (
        lambda: nb07.draw_layer_norm(NORM_STEPS | {"minus the mean": [1.0]}, WEIGHT, BIAS, ""), "of one",
    ),
    "no norms": (lambda: nb07.draw_reach({}, [], (0, 0, 0)), "one to six blocks"),
    "sentences": (lambda: nb07.draw_reach({"a": [[[1]]]}, [["i", "[PAD]"]], (0, 0, 0)), "1 lists of 1"),
    "a cell": (lambda: nb07.draw_reach({"a": [[[1, 0]]]}, [["i"]], (0, 0, 1)), "does not reach itself"),
    "no such norm": (
        lambda: nb07.draw_reach({"a": [[[1]]]}, [["i"]], (0, 0, 0), borders={"b": [1]}), "no block is called",
    ),
    "no booleans": (lambda: nb07.draw_reach({"a": [[[0.5]]]}, [["i"]], (0, 0, 0)), "not boolean"),
})  # fmt: skip


def test_reach_is_drawn_cell_by_cell_and_padding_is_hatched() -> None:
    felt = torch.zeros(2, 3, 4, dtype=torch.bool)
    felt[0, 0] = True
    sentences = [["word", "word", "[PAD]"]] * 2
    figure = nb07.draw_reach({"a": felt, "b": felt}, sentences, (0, 0, 0), borders={"a": [4]})
    assert [len(axes.lines) for axes in figure.axes] == [1, 0, 1, 0]  # the border
    squares = [square for axes in figure.axes for square in axes.patches]
    assert len(squares) == 2 * felt.numel() and sum(bool(square.get_hatch()) for square in squares) == 16
    colors = [square.get_facecolor() for square in squares]
    assert colors.count(to_rgba(LIT)) == 2  # the cell itself
    assert len(colors) - colors.count(to_rgba("white")) == 2 * 4
