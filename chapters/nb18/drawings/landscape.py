"""The loss over the space of the weights: contours of a plane, and lines through checkpoints."""

import re
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import numpy as np

from lib.figures.arrays import Array, to_array
from lib.figures.charts import draw_lines
from lib.figures.style import DASHES, INK, MARKERS, QUIET, SERIES, canvas, style

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.colors import Colormap
    from matplotlib.contour import ContourSet
    from matplotlib.figure import Figure

LOW, HIGH = "#ffffff", "#6f97bd"  # of the shades: even the darkest lets black lines and numbers be read
LEVELS = 9  # contours, unless they are given
NEAR = 0.1  # nats above the lowest loss, for the share of a plane that is said to be low


def draw_plane(
    first: Any,
    second: Any,
    losses: Any,
    xlabel: str,
    ylabel: str,
    title: str | None = None,
    checkpoints: Mapping[str, tuple[float, float]] | None = None,
    paths: Mapping[str, Any] | None = None,
    levels: Any = None,
) -> tuple["Figure", str]:
    """Draw the loss over a plane as contours, each with its number; the darker, the higher.

    losses [A, B] at `first` [A], from left to right, and `second` [B], from below. `checkpoints` maps a name
    to its coordinates, `paths` a name to the coordinates [N, 2] of its snapshots, the first of them first. A
    checkpoint at which a path ends has the color of this path.
    `levels` are the losses of the contours, rising: give the same ones to pictures that are to be compared.
    Without them, they are spaced evenly on a logarithmic scale.
    """
    xs, ys, heights = _grid(first, second, losses)
    tracks = _paths(paths)
    contours = _levels(heights) if levels is None else to_array(levels, "levels", "N")
    if len(contours) < 2 or (np.diff(contours) <= 0).any():
        raise ValueError("The levels have to rise, and to be two at least.")
    with style():
        figure = canvas(6.4, 5.2, title)
        axes = figure.subplots()
        shades = axes.contourf(xs, ys, heights.T, contours, cmap=_shades(), extend="both", zorder=0)
        shades.set_edgecolor("face")  # else a PNG has light seams between the shades
        lines = axes.contour(xs, ys, heights.T, contours, colors=INK, linewidths=0.7, zorder=1)
        axes.set(xlabel=xlabel, ylabel=ylabel, xlim=(xs.min(), xs.max()), ylim=(ys.min(), ys.max()))
        for number, (name, places) in enumerate(tracks.items()):
            _draw_path(axes, name, places, number)
        for name, place in (checkpoints or {}).items():
            _draw_checkpoint(axes, name, place, list(tracks.values()))
        _label_contours(axes, lines, [*tracks.values(), *([place] for place in (checkpoints or {}).values())])
        axes.spines[["top", "right"]].set_visible(True)
        if len(tracks) > 0:
            figure.legend(loc="outside lower center", ncols=min(3, len(tracks)))
    description = [
        f"Contours of the loss on {len(xs)} times {len(ys)} points, across from {xs.min():g} to "
        f"{xs.max():g}, upward from {ys.min():g} to {ys.max():g}. {_extremes(xs, ys, heights)} On "
        f"{np.mean(heights <= heights.min() + NEAR):.0%} of the points it is within {NEAR:g} of the lowest."
    ]
    for name, (x, y) in (checkpoints or {}).items():
        nearest = heights[np.abs(xs - x).argmin(), np.abs(ys - y).argmin()]
        description.append(f"{name} stands at ({x:.2f}, {y:.2f}), where the loss is about {nearest:.2f}.")
    for name, places in tracks.items():
        (x, y), (u, v) = places[0], places[-1]
        passed = [heights[np.abs(xs - x).argmin(), np.abs(ys - y).argmin()] for x, y in _between(places)]
        description.append(
            f"The path {name} goes in {len(places)} points from ({x:.2f}, {y:.2f}) to ({u:.2f}, {v:.2f}). At "
            f"the points of the grid next to it, the loss begins at {passed[0]:.2f}, is {min(passed):.2f} at "
            f"its lowest and {max(passed):.2f} at its highest, and ends at {passed[-1]:.2f}."
        )
    return figure, _with_minus(" ".join(description))


def draw_loss_lines(
    at: Any,
    losses: Mapping[str, Any],
    xlabel: str,
    title: str | None = None,
    checkpoints: Mapping[str, float] | None = None,
    baseline: tuple[str, float] | None = None,
) -> tuple["Figure", str]:
    """Draw several losses [N] at the same places `at` [N] of their lines, in nats.

    `checkpoints`, such as {"pretrained": 0, "fine-tuned": 1}, are upright lines with their names on top.
    """
    highest = max(to_array(values, repr(name), "N").max() for name, values in losses.items())
    top = max(highest, baseline[1]) if baseline else highest
    figure = draw_lines(at, losses, xlabel, "loss", title, ylim=(0, 1.08 * top), baseline=baseline)
    axes = figure.axes[0]
    for name, place in (checkpoints or {}).items():
        _mark(axes, name, place)
    places = to_array(at, "at", "N")
    marks = dict(checkpoints or {"the left end": places[0], "the right end": places[-1]})
    description = [f"The loss along a line, from {places.min():g} to {places.max():g}."]
    for name, values in losses.items():
        heights = to_array(values, repr(name), "N")
        ends = ", ".join(
            f"{heights[np.abs(places - place).argmin()]:.2f} at {mark} ({place:g})"
            for mark, place in marks.items()
        )
        low, high = heights.argmin(), heights.argmax()
        description.append(
            f"{name}: {ends}; lowest {heights[low]:.2f} at {places[low]:g}, highest {heights[high]:.2f} at "
            f"{places[high]:g}."
        )
    return figure, _with_minus(" ".join(description))


def _mark(axes: "Axes", name: str, place: float) -> None:
    """Draw an upright line with its name on top."""
    axes.axvline(place, color=QUIET, linewidth=1.1, linestyle=(0, (2, 2)), zorder=0.5)
    axes.text(
        place, 1.01, name, transform=axes.get_xaxis_transform(), ha="center", va="bottom",
        color=INK, fontsize=10,
    )  # fmt: skip


def draw_curvatures(found: Any) -> tuple["Figure", str]:
    """Draw the curvature along v [N] after each product with the Hessian, without its sign, on a log axis."""
    values = to_array(found, "found", "N")
    sizes = {"curvature along v": np.abs(values)}
    title, ylabel = "The curvature along v", "curvature, without its sign"
    figure = draw_lines(range(len(values)), sizes, "products with the Hessian", ylabel, title, logy=True)
    told = ", ".join(f"{value:.5f}" for value in values)
    return figure, _with_minus(f"The curvature along v after each product: {told}.")


def _grid(first: Any, second: Any, losses: Any) -> tuple[Array, Array, Array]:
    """The numbers of a plane as arrays; ValueError where they do not fit together."""
    xs, ys = to_array(first, "first", "A"), to_array(second, "second", "B")
    heights = to_array(losses, "losses", "A, B")
    if heights.shape != (len(xs), len(ys)) or min(heights.shape) < 2:
        raise ValueError(
            f"losses has the shape {list(heights.shape)} for {len(xs)} and {len(ys)} coordinates: give one "
            "row for each of `first`, one column for each of `second`, and two at least of both."
        )
    return xs, ys, heights


def _paths(paths: Mapping[str, Any] | None) -> dict[str, Array]:
    if len(paths or {}) > len(SERIES):
        raise ValueError(f"There are {len(paths or {})} paths; at most {len(SERIES)} can be told apart.")
    return {name: to_array(places, repr(name), "N, 2") for name, places in (paths or {}).items()}


def _levels(heights: Array) -> Array:
    """Losses for contours: evenly on a logarithmic scale, so that a valley shows as well as its walls."""
    low, high = float(heights.min()), float(heights.max())
    if high <= low:
        raise ValueError(f"The loss is {low:g} everywhere: a plane without heights has no contours.")
    base = max(low, 0.01 * high)  # a loss of 0 has no logarithm
    spread = np.geomspace(base, high, LEVELS + 2) if base > 0 else np.linspace(low, high, LEVELS + 2)
    return spread[1:-1]


def _shades() -> "Colormap":
    from matplotlib.colors import LinearSegmentedColormap

    return LinearSegmentedColormap.from_list("loss", [LOW, HIGH])


def _draw_path(axes: "Axes", name: str, places: Array, number: int) -> None:
    """Draw a path with a white edge, so that it shows on any shade; its beginning is open, its end full."""
    color = SERIES[number]
    axes.plot(places[:, 0], places[:, 1], color="white", linewidth=4.5, zorder=2)
    axes.plot(
        places[:, 0], places[:, 1], color=color, linestyle=DASHES[number], linewidth=2.0, label=name,
        marker=MARKERS[number], markersize=5, markeredgecolor="white", markeredgewidth=0.6, zorder=3,
    )  # fmt: skip
    axes.plot(
        *places[0], marker=MARKERS[number], markersize=8, markerfacecolor="white", markeredgecolor=color,
        markeredgewidth=1.8, zorder=4,
    )  # fmt: skip


def _draw_checkpoint(axes: "Axes", name: str, place: tuple[float, float], tracks: list[Array]) -> None:
    """Draw a star, and its name on the side where it hides least of the paths and stays in the picture."""
    to_axes = axes.transData + axes.transAxes.inverted()
    star = to_axes.transform(place)
    # many points of every path, in shares of the picture, seen from the star
    seen = [to_axes.transform(_between(track)) - star for track in tracks]
    offsets = np.concatenate([np.zeros((0, 2)), *seen])
    wide = 0.03 + 0.02 * len(name)

    def hidden(side: tuple[int, int]) -> float:
        across, up = offsets[:, 0] * side[0], offsets[:, 1] * side[1]
        outside = not (0 <= star[0] + side[0] * wide <= 1 and 0 <= star[1] + side[1] * 0.09 <= 1)
        inside = (across > 0) & (across < wide) & (up > 0) & (up < 0.09)
        return float(inside.sum()) + 1e6 * outside

    right, up = min(((1, 1), (-1, 1), (1, -1), (-1, -1)), key=hidden)
    ended = [number for number, track in enumerate(tracks) if np.allclose(track[-1], place, atol=1e-3)]
    color = SERIES[ended[0]] if ended else INK
    axes.plot(
        *place, marker="*", markersize=15, color=color, markeredgecolor="white", markeredgewidth=0.9, zorder=5
    )
    axes.annotate(
        name, place, (9 * right, 8 * up), textcoords="offset points", ha="left" if right > 0 else "right",
        va="bottom" if up > 0 else "top", fontsize=10.5, fontweight="bold", path_effects=_halo(), zorder=6,
    )  # fmt: skip


def _label_contours(axes: "Axes", lines: "ContourSet", tracks: list[Any]) -> None:
    """Write each contour's loss upright, where it is far from the paths, the names and the other losses."""
    from matplotlib.text import Annotation

    to_axes = axes.transData + axes.transAxes.inverted()
    taken = [to_axes.transform(_between(np.asarray(track))) for track in tracks]
    for note in [text for text in axes.texts if isinstance(text, Annotation)]:
        star = to_axes.transform(note.xy)
        right, up = (1 if side > 0 else -1 for side in note.xyann)
        taken.append(star + np.stack([right * np.linspace(0, 0.3, 13), np.full(13, 0.05 * up)], axis=1))
    pieces = zip(lines.levels, lines.allsegs, strict=True)
    for level, part in [(level, part) for level, parts in pieces for part in parts if len(part) > 1]:
        at = to_axes.transform(_between(part))
        at = at[(np.abs(at - 0.5) < 0.46).all(axis=1)]  # not at the edge
        if not len(at):
            continue
        room = [np.linalg.norm(at[:, None] - other, axis=2).min(axis=1) for other in taken]
        best = at[np.min(room, axis=0).argmax()] if taken else at[len(at) // 2]
        taken.append(best[None])
        axes.text(
            best[0], best[1], f"{level:.2g}", transform=axes.transAxes, ha="center", va="center", fontsize=9,
            path_effects=_halo(), zorder=1.5,
        )  # fmt: skip


def _halo() -> list[Any]:
    """A white edge around letters, which hides less of what is under them than a white box."""
    from matplotlib.patheffects import withStroke

    return [withStroke(linewidth=3, foreground="white")]


def _between(track: Array) -> Array:
    """A path [N, 2] with 20 points for each of its steps."""
    fine = np.linspace(0, len(track) - 1, 20 * len(track))
    return np.stack([np.interp(fine, np.arange(len(track)), track[:, axis]) for axis in (0, 1)], axis=1)


def _extremes(xs: Array, ys: Array, heights: Array) -> str:
    """A sentence with the lowest and the highest loss, and where they are."""
    low = np.unravel_index(heights.argmin(), heights.shape)
    high = np.unravel_index(heights.argmax(), heights.shape)
    return (
        f"The lowest loss is {heights.min():.2f} at ({xs[low[0]]:g}, {ys[low[1]]:g}), the highest "
        f"{heights.max():.2f} at ({xs[high[0]]:g}, {ys[high[1]]:g})."
    )


def _with_minus(text: str) -> str:
    """The same words, negative numbers with a minus sign; the hyphen in a name such as "fine-tuned" stays."""
    return re.sub(r"(?<!\w)-(?=\d)", "−", text)
