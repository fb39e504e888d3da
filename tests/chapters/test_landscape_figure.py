"""Pictures of a landscape: what is drawn where, what is said, and what is refused."""

import numpy as np
import pytest
from matplotlib.contour import ContourSet

from chapters.nb18 import drawings

X, Y = np.linspace(-1, 2, 7), np.linspace(-1, 1, 5)
BOWL = 0.5 + (X[:, None] - 1) ** 2 + 2 * Y[None, :] ** 2  # [7, 5], lowest at (1, 0)
PATH = [(0.0, 0.0), (0.5, 0.2), (1.0, 0.0)]


def test_the_first_direction_runs_across() -> None:
    figure = drawings.draw_plane(X, Y, BOWL, "one", "other", "A title", levels=[0.6, 1.0, 2.0, 4.0])[0]
    [axes] = figure.axes
    assert (axes.get_xlim(), axes.get_ylim()) == ((-1, 2), (-1, 1))
    assert (axes.get_xlabel(), axes.get_ylabel()) == ("one", "other")
    lines = [part for part in axes.collections if isinstance(part, ContourSet) and not part.filled]
    assert list(lines[0].levels) == [0.6, 1.0, 2.0, 4.0]
    lowest = lines[0].allsegs[0][0]  # of the contour at 0.6, around the lowest point
    np.testing.assert_allclose(lowest.mean(axis=0), (1, 0), atol=0.15)


def test_checkpoints_and_paths_stand_at_their_coordinates() -> None:
    figure = drawings.draw_plane(
        X, Y, BOWL, "one", "other", checkpoints={"before": (0, 0), "after": (1, 0)}, paths={"run": PATH}
    )[0]
    drawn = [np.asarray(line.get_xydata()).tolist() for line in figure.axes[0].lines]
    assert [list(place) for place in PATH] in drawn and [[1.0, 0.0]] in drawn
    assert {text.get_text() for text in figure.axes[0].texts} >= {"before", "after"}
    assert [text.get_text() for text in figure.legends[0].get_texts()] == ["run"]


def test_a_star_has_the_color_of_the_path_that_ends_there() -> None:
    runs = {"run": PATH, "other": [(0.0, 0.0), (2.0, 1.0)]}
    stars: dict[str, tuple[float, float]] = {"of run": (1.0, 0.0), "of other": (2.0, 1.0), "of none": (-1, 1)}
    [axes] = drawings.draw_plane(X, Y, BOWL, "one", "other", checkpoints=stars, paths=runs)[0].axes
    colors = [line.get_color() for line in axes.lines if line.get_marker() == "*"]
    tracks = [line.get_color() for line in axes.lines if line.get_label() in runs]
    assert colors[:2] == tracks and len(set(colors)) == 3


def test_a_name_does_not_stand_on_the_path() -> None:
    """The path leaves to the upper right, where a name would otherwise stand."""
    figure = drawings.draw_plane(
        X, Y, BOWL, "one", "other", checkpoints={"name": (0, 0)}, paths={"run": [(0, 0), (1, 0.5)]}
    )[0]
    [name] = [text for text in figure.axes[0].texts if text.get_text() == "name"]
    assert name.get_horizontalalignment() == "right"


def test_losses_stand_upright_and_off_the_path() -> None:
    levels = [1.0, 2.0, 4.0]
    [axes] = drawings.draw_plane(X, Y, BOWL, "", "", paths={"run": [(1, -1), (1, 1)]}, levels=levels)[0].axes
    losses = [text for text in axes.texts if text.get_text() in ("1", "2", "4")]
    assert {text.get_text() for text in losses} == {"1", "2", "4"}
    assert all(text.get_rotation() == 0 for text in losses)
    places = [(axes.transAxes + axes.transData.inverted()).transform(text.get_position()) for text in losses]
    assert all(abs(x - 1) > 0.3 for x, _ in places)


def test_a_plane_is_said_with_its_numbers() -> None:
    said = drawings.draw_plane(X, Y, BOWL, "", "", checkpoints={"after": (1, 0)}, paths={"run": PATH})[1]
    assert "lowest loss is 0.50 at (1, 0), the highest 6.50 at (−1, −1)" in said
    assert "after stands at (1.00, 0.00), where the loss is about 0.50" in said
    assert "run goes in 3 points from (0.00, 0.00) to (1.00, 0.00)" in said
    assert "begins at 1.50, is 0.50 at its lowest and 1.50 at its highest, and ends at 0.50" in said
    assert "On 3% of the points" in said, "one of 35"


def test_a_hyphen_in_a_name_is_no_minus() -> None:
    said = drawings.draw_plane(
        X, Y, BOWL, "", "", checkpoints={"fine-tuned": (-1, 0)}, paths={"MiniLM-L6": PATH}
    )[1]
    assert "fine-tuned stands at (−1.00, 0.00)" in said and "path MiniLM-L6 goes" in said
    said = drawings.describe_loss_lines(X, {"fine-tuned": BOWL[:, 2]})
    assert "fine-tuned: " in said and "at −1" in said


def test_lines_have_their_checkpoints_named() -> None:
    heights = {"pretrained": BOWL[:, 2], "from scratch": BOWL[:, 0]}
    marks = {"before": 0.0, "after": 1.0}
    figure = drawings.draw_loss_lines(X, heights, "t", "A title", marks)
    axes = figure.axes[0]
    assert {text.get_text() for text in axes.texts} >= {*heights, *marks}
    across = [np.asarray(line.get_xdata()) for line in axes.lines]
    upright = [float(places[0]) for places in across if (places == places[0]).all()]
    assert upright == [0.0, 1.0]
    said = drawings.describe_loss_lines(X, heights, marks)
    assert "pretrained: 1.50 at before (0), 0.50 at after (1); lowest 0.50 at 1, highest 4.50 at −1" in said


def test_what_does_not_fit_is_refused() -> None:
    with pytest.raises(ValueError, match="one row for each"):
        drawings.draw_plane(Y, X, BOWL, "one", "other")
    with pytest.raises(ValueError, match="everywhere"):
        drawings.draw_plane(X, Y, np.ones((7, 5)), "one", "other")
    with pytest.raises(ValueError, match="have to rise"):
        drawings.draw_plane(X, Y, BOWL, "one", "other", levels=[2.0, 1.0])
    with pytest.raises(ValueError, match="not finite"):
        drawings.draw_plane(X, Y, BOWL * np.inf, "one", "other")
    with pytest.raises(ValueError, match="7 paths"):
        drawings.draw_plane(X, Y, BOWL, "one", "other", paths={str(n): PATH for n in range(7)})
