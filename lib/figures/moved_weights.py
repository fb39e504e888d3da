"""Where weights stood before training, how far they moved in it, and which of them a rule kept."""

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import numpy as np

from .arrays import Array, to_array
from .style import LIT, QUIET, SERIES, canvas, style

if TYPE_CHECKING:
    from matplotlib.figure import Figure

MOST_PANELS = 3
#: of one rule: weights before [N], after [N], and 1 for each that is kept [N]
Moved = tuple[Any, Any, Any]


def draw_moved_weights(panels: Mapping[str, Moved], title: str | None = None) -> "Figure":
    """Draw up to three panels of points, the weight before on the x axis and its change on the y axis.

    What moved away from 0 lies at the upper right and the lower left. Kept weights are dark dots, pruned ones
    light crosses.
    """
    found = _panels(panels)
    reach = 1.05 * max(float(np.abs(table[0]).max()) for table in found.values())
    change = 1.05 * max(float(np.abs(table[1] - table[0]).max()) for table in found.values())
    with style():
        figure = canvas(4.3 * len(found) + 0.6, 4.4, title)
        every = figure.subplots(1, len(found), sharey=True, squeeze=False)[0]
        for axes, (name, (before, after, kept)) in zip(every, found.items(), strict=True):
            is_kept = kept > 0
            axes.scatter(
                before[~is_kept], (after - before)[~is_kept], s=16, marker="x", color=SERIES[2],
                linewidth=0.9, label="pruned",
            )  # fmt: skip
            axes.scatter(before[is_kept], (after - before)[is_kept], s=18, color=LIT, label="kept", zorder=3)
            axes.axhline(0, color=QUIET, linewidth=0.6)
            axes.axvline(0, color=QUIET, linewidth=0.6)
            axes.set(title=f"{name}: {is_kept.mean():.0%} kept", xlabel="weight before")
            axes.set(xlim=(-reach, reach), ylim=(-change, change))
        every[0].set_ylabel("change in training")
        handles, labels = every[0].get_legend_handles_labels()
        figure.legend(handles, labels, loc="outside lower center", ncols=2)
    return figure


def describe_moved_weights(panels: Mapping[str, Moved]) -> str:
    """Say in words what `draw_moved_weights` shows."""
    told = []
    for name, (before, after, kept) in _panels(panels).items():
        is_kept = kept > 0
        away = (np.sign(before) * (after - before)) > 0
        told.append(
            f"{name}: {is_kept.mean():.0%} of {len(kept)} weights are kept; their smallest |weight| before is"
            f" {np.abs(before[is_kept]).min():.3f}, and {away[is_kept].mean():.0%} of them moved away from 0,"
            f" of the pruned ones {away[~is_kept].mean():.0%}"
        )
    return "; ".join(told) + "."


def _panels(panels: Mapping[str, Moved]) -> dict[str, Array]:
    """Each panel as [3, N]."""
    if not 1 <= len(panels) <= MOST_PANELS:
        raise ValueError(f"There are {len(panels)} panels; one to {MOST_PANELS} fit side by side.")
    found = {}
    for name, parts in panels.items():
        rows = [to_array(part, repr(name), "N") for part in parts]
        if len({len(row) for row in rows}) > 1:
            raise ValueError(f"{name!r} has {[len(row) for row in rows]} numbers: give as many of each.")
        if not 0 < (rows[2] > 0).sum() < len(rows[2]):
            raise ValueError(f"All weights of {name!r} are kept, or none: there is nothing to compare.")
        found[name] = np.stack(rows)
    return found
