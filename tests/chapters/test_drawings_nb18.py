"""The drawings of notebook 18."""

from functools import partial

import numpy as np
import torch
from matplotlib.contour import ContourSet
from pictures import for_each_example, for_each_refusal

from chapters.nb18 import drawings as nb18
from chapters.nb18.recorded import Lead, Soup

X, Y = np.linspace(-1, 2, 7), np.linspace(-1, 1, 5)
BOWL = 0.5 + (X[:, None] - 1) ** 2 + 2 * Y[None, :] ** 2  # [7, 5], lowest at (1, 0)
PATH = [(0.0, 0.0), (0.5, 0.2), (1.0, 0.0)]
HEIGHTS = {"pretrained": BOWL[:, 2], "from scratch": BOWL[:, 0]}
MARKS = {"before": 0.0, "after": 1.0}
SOUPS = {
    "AB": Soup(268, Lead(40, 18), Lead(30, 39)),
    "AA2": Soup(232, Lead(11, 16), Lead(20, 25)),
}
EVEN, SURE = torch.zeros(2, 9), 30 * torch.eye(9)[[0, 0]]
draw_bowl = partial(nb18.draw_plane, X, Y, BOWL, "one", "other")

test_a_drawing_says_what_it_shows = for_each_example({
    "a point of a landscape": (
        lambda: nb18.draw_mean({"w": torch.zeros(1234567)}, 32),
        ["1,234,567", "32 texts", "half and half"],
        ["1,234,567", "t = 0.5", "32 texts", "height"],
    ),
    "recorded soups": (
        lambda: nb18.draw_gains(SOUPS),
        ["A + B +6.1 ± 4.2, 69 known", "A + A again −1.4 ± 2.9, 45 known"],
        ["A + B", "A + A again", "69", "45"],
    ),
    "two lines from A": (
        lambda: nb18.draw_lines_from_a([0, 0.5, 1], {"to B": [EVEN, SURE, EVEN]}, torch.zeros(2).long()),
        ["to B: 2.20 at A (0), 0.00 at halfway (0.5), 2.20 at the other (1)"],
        ["to B", "halfway", "a guess"],
    ),
    "curvatures": (
        lambda: nb18.draw_curvatures([1e-5, -3.0, 29.5]),
        ["0.00001, −3.00000, 29.50000"],
        ["curvature, without its sign"],
    ),
    "a plane": (
        lambda: draw_bowl(checkpoints={"after": (1, 0)}, paths={"run": PATH}),
        ["lowest loss is 0.50 at (1, 0), the highest 6.50 at (−1, −1)",
         "after stands at (1.00, 0.00), where the loss is about 0.50",
         "run goes in 3 points from (0.00, 0.00) to (1.00, 0.00)",
         "begins at 1.50, is 0.50 at its lowest and 1.50 at its highest, and ends at 0.50",
         "On 3% of the points"],  # one of 35
        ["after", "run", "one", "other"],
    ),
    "a hyphen in a name is no minus": (
        lambda: draw_bowl(checkpoints={"fine-tuned": (-1, 0)}, paths={"MiniLM-L6": PATH}),
        ["fine-tuned stands at (−1.00, 0.00)", "path MiniLM-L6 goes"],
        ["fine-tuned", "MiniLM-L6"],
    ),
    "lines and their checkpoints": (
        lambda: nb18.draw_loss_lines(X, HEIGHTS, "t", "A title", MARKS, ("a guess", 2.2)),
        ["pretrained: 1.50 at before (0), 0.50 at after (1); lowest 0.50 at 1, highest 4.50 at −1"],
        [*HEIGHTS, *MARKS],
    ),
})  # fmt: skip

test_what_cannot_be_drawn_is_refused_in_one_sentence = for_each_refusal({
    "axes exchanged": (lambda: nb18.draw_plane(Y, X, BOWL, "one", "other"), "one row for each"),
    "flat": (lambda: nb18.draw_plane(X, Y, np.ones((7, 5)), "one", "other"), "everywhere"),
    "falling levels": (lambda: draw_bowl(levels=[2.0, 1.0]), "have to rise"),
    "no losses": (lambda: nb18.draw_plane(X, Y, BOWL * np.inf, "one", "other"), "not finite"),
    "seven paths": (lambda: draw_bowl(paths={str(n): PATH for n in range(7)}), "7 paths"),
})  # fmt: skip


def test_the_first_direction_runs_across() -> None:
    [axes] = draw_bowl("A title", levels=[0.6, 1.0, 2.0, 4.0])[0].axes
    assert (axes.get_xlim(), axes.get_ylim()) == ((-1, 2), (-1, 1))
    lines = [part for part in axes.collections if isinstance(part, ContourSet) and not part.filled]
    assert list(lines[0].levels) == [0.6, 1.0, 2.0, 4.0]
    lowest = lines[0].allsegs[0][0]  # of the contour at 0.6, around the lowest point
    np.testing.assert_allclose(lowest.mean(axis=0), (1, 0), atol=0.15)


def test_a_star_has_the_color_of_the_path_that_ends_there() -> None:
    runs = {"run": PATH, "other": [(0.0, 0.0), (2.0, 1.0)]}
    stars: dict[str, tuple[float, float]] = {"of run": (1.0, 0.0), "of other": (2.0, 1.0), "of none": (-1, 1)}
    [axes] = draw_bowl(checkpoints=stars, paths=runs)[0].axes
    colors = [line.get_color() for line in axes.lines if line.get_marker() == "*"]
    tracks = [line.get_color() for line in axes.lines if line.get_label() in runs]
    assert colors[:2] == tracks and len(set(colors)) == 3
    drawn = [np.asarray(line.get_xydata()).tolist() for line in axes.lines]
    assert [list(place) for place in PATH] in drawn and [[1.0, 0.0]] in drawn


def test_names_and_losses_stand_off_the_path() -> None:
    """The first path leaves to the upper right, where a name would otherwise stand."""
    figure = draw_bowl(checkpoints={"name": (0, 0)}, paths={"run": [(0, 0), (1, 0.5)]})[0]
    [name] = [text for text in figure.axes[0].texts if text.get_text() == "name"]
    assert name.get_horizontalalignment() == "right"
    [axes] = draw_bowl(paths={"run": [(1, -1), (1, 1)]}, levels=[1.0, 2.0, 4.0])[0].axes
    losses = [text for text in axes.texts if text.get_text() in ("1", "2", "4")]
    assert len(losses) >= 3 and all(text.get_rotation() == 0 for text in losses)
    places = [(axes.transAxes + axes.transData.inverted()).transform(text.get_position()) for text in losses]
    assert all(abs(x - 1) > 0.3 for x, _ in places)


def test_a_table_of_soups_has_the_lead_over_the_better_parent() -> None:
    truth = torch.tensor([0, 0, 1])
    logits = {"A": [0, 1, 0], "B": [0, 0, 0], "mean": [0, 0, 1]}
    known_by = {name: torch.eye(9)[torch.tensor(said)] for name, said in logits.items()}
    columns, _ = nb18.soup_table(known_by, truth)
    assert columns[""] == ["A", "B", "mean", "one model of both (recorded)"]
    assert columns["lead over B (points)"][:3] == ["−0.3 ± 0.6", "", "+0.3 ± 0.6"]
