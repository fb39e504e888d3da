"""What goes and what is left, drawn: the worth of heads, a layer's matrices, rules for layers."""

from typing import Any

import pytest

from chapters.nb27 import drawings
from lib import figures

WORTH, CHANGE = [[0.4, 0.1], [0.2, 0.05]], [[0.3, -0.01], [0.1, 0.0]]


def test_every_head_is_a_square_and_a_dot() -> None:
    figure: Any = drawings.draw_head_worth(WORTH, CHANGE, "A title")[0]
    left, right = figure.axes
    assert [text.get_text() for text in left.texts] == ["100", "25", "50", "12"]
    dots = right.lines[0]
    assert list(dots.get_xdata()) == [0.4, 0.1, 0.2, 0.05]
    assert list(dots.get_ydata()) == pytest.approx([0.3, 0.01, 0.1, 1e-7])
    said = drawings.draw_head_worth(WORTH, CHANGE)[1]
    assert "largest estimate is of layer 0, head 0" in said and "smallest of layer 1, head 1" in said
    assert "Of the 1 heads that change the loss most, 1 are among" in said
    assert figures.png(figure)


def test_heads_without_an_estimate_or_a_change_are_refused() -> None:
    with pytest.raises(ValueError, match="give one for each head"):
        drawings.draw_head_worth(WORTH, CHANGE[:1])
    with pytest.raises(ValueError, match="not above 0"):
        drawings.draw_head_worth([[0.0, 1.0]], [[1.0, 1.0]])


def test_matrices_lose_rows_and_columns() -> None:
    figure: Any = drawings.draw_pruned_layer({"heads": 0.5, "neurons": 0.25}, 4, "A title")[0]
    assert len(figure.axes[0].patches) >= 6 + 4 + 2 + 2
    said = drawings.draw_pruned_layer({"heads": 0.5, "neurons": 0.25}, 4, "a title")[1]
    assert "query: 50% of its rows with heads" in said
    assert "attention output: 50% of its columns with heads" in said
    assert "feed-forward in: 25% of its rows with neurons" in said
    features = drawings.draw_pruned_layer({"features": 0.5}, 4, "a title")[1]
    assert "query: 50% of its columns with features" in features
    assert "feed-forward out: 50% of its rows with features" in features
    assert figures.png(figure)


@pytest.mark.parametrize("shares", [{}, {"heads": 1.0}, {"layers": 0.5}])
def test_a_layer_loses_a_share_of_what_it_has(shares: dict[str, float]) -> None:
    with pytest.raises(ValueError, match=r"no part of a layer|Give the share"):
        drawings.draw_pruned_layer(shares, 4, "A title")


def test_rules_show_what_stays_and_what_is_reached() -> None:
    kept = {"top": [0, 1], "bottom": [2, 3]}
    before, after = {"top": [60.0, 64.0], "bottom": 50.0}, {"top": [80.0, 82.0], "bottom": 70.0}
    figure: Any = drawings.draw_layer_rules(kept, 4, before, after, "accuracy, %", "A title", 85.0)[0]
    left, right = figure.axes
    dark = [patch for patch in left.patches if patch.get_facecolor()[0] < 0.5]
    assert len(left.patches) == 8 and len(dark) == 4
    assert [line.get_xdata()[0] for line in right.lines[:4]] == [62, 81, 50, 70]
    said = drawings.draw_layer_rules(kept, 4, before, after, "")[1]
    assert "top keeps 0, 1: 62.0 before, 81.0 after" in said
    with pytest.raises(ValueError, match="of the same rules"):
        drawings.draw_layer_rules(kept, 4, {"top": 1.0}, after, "x")
    with pytest.raises(ValueError, match="not there"):
        drawings.draw_layer_rules({"top": [4]}, 4, {"top": 1.0}, {"top": 1.0}, "x")
