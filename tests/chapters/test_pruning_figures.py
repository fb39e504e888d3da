"""Pruned weights, drawn: curves over sparsity, where weights moved, what flows through a mask."""

from typing import Any

import pytest

from chapters.nb26 import drawings
from lib import figures

CURVES = {"by size": ([0.1, 0.5, 0.9], [[0.9, 0.8], [0.7, 0.7], [0.5, 0.6]]), "one": ([0.9], [[0.8, 0.9]])}
MOVED = {"movement": ([0.5, -0.4, 0.1], [0.7, -0.1, 0.1], [1, 0, 0]), "size": ([1, -1], [1, -2], [0, 1])}
FLOW = ([0.3, -0.1], [1, 0], [0.5, -0.5], [-1.0, 1.0])


def test_curves_have_the_mean_of_their_seeds_at_sparsities_of_their_own() -> None:
    figure: Any = drawings.draw_sparsity_curves(CURVES, "accuracy", "A title", {"commonest": 0.5})
    axes = figure.axes[0]
    assert list(axes.lines[0].get_xdata()) == pytest.approx([10, 50, 90])
    assert list(axes.lines[0].get_ydata()) == pytest.approx([0.85, 0.7, 0.55])
    assert list(axes.lines[1].get_ydata()) == pytest.approx([0.85])
    said = drawings.describe_sparsity_curves(CURVES, {"commonest": 0.5})
    assert "by size: 10% 0.850, 50% 0.700, 90% 0.550; one: 90% 0.850. commonest 0.500." in said
    assert figures.png(figure)


@pytest.mark.parametrize("levels", [[0.5, 0.1], [0.1, 1.1], [0.1]])
def test_curves_need_ascending_shares_and_as_many_values(levels: list[float]) -> None:
    with pytest.raises(ValueError, match="give"):
        drawings.draw_sparsity_curves({"a": (levels, [0.1, 0.2])}, "accuracy")
    with pytest.raises(ValueError, match="one to 6"):
        drawings.draw_sparsity_curves({}, "accuracy")


def test_kept_and_pruned_weights_are_told_apart() -> None:
    figure: Any = drawings.draw_moved_weights(MOVED, "A title")[0]
    pruned, kept = figure.axes[0].collections
    assert kept.get_offsets()[0].tolist() == pytest.approx([0.5, 0.2]) and len(pruned.get_offsets()) == 2
    assert figure.axes[0].get_title(loc="left") == "movement: 33% kept"
    said = drawings.draw_moved_weights(MOVED)[1]
    assert "movement: 33% of 3 weights are kept" in said and "0.500, and 100% of them moved away" in said
    assert figures.png(figure)


def test_moved_weights_need_both_kinds() -> None:
    with pytest.raises(ValueError, match="nothing to compare"):
        drawings.draw_moved_weights({"a": ([1.0], [1.0], [1])})
    with pytest.raises(ValueError, match="as many"):
        drawings.draw_moved_weights({"a": ([1.0, 2.0], [1.0, 2.0], [1])})
    with pytest.raises(ValueError, match="one to 3"):
        drawings.draw_moved_weights({})


def test_a_gradient_stops_at_the_mask_and_goes_on_to_the_score() -> None:
    figure, said = drawings.draw_mask_flow(*FLOW, title="A title")
    assert "M · W: 0.5, 0 (" in said and "G · M: -1, 0 (" in said and "G · W: -0.5, -0.5 (" in said
    assert len(figure.axes[0].patches) == 14
    assert figures.png(figure)
    with pytest.raises(ValueError, match="0 or 1"):
        drawings.draw_mask_flow([0.1], [2], [0.1], [0.1])
