"""Soups beside their parents and rivals: a table of those that run, pictures of lines and of a record."""

import math
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

import torch.nn.functional as F
from torch import Tensor

from chapters.nb18.drawings.landscape import draw_loss_lines
from chapters.nb18.recorded import SOUPS, TESTED, Lead, Soup
from lib.figures.style import INK, QUIET, SERIES, canvas, style

if TYPE_CHECKING:
    from matplotlib.figure import Figure


def soup_table(known_by: Mapping[str, Tensor], truth: Tensor) -> tuple[dict[str, list[str]], str]:
    """A table of what each model knows: its loss, headlines right, its lead.

    known_by: by name the logits [N, 9], those of the parents A and B first. truth: the labels [N]. A last row
    has the recorded model that learned from the headlines of both.
    """
    hits = {name: logits.argmax(dim=-1) == truth for name, logits in known_by.items()}
    better = max(("A", "B"), key=lambda name: int(hits[name].sum()))
    columns: dict[str, list[str]] = {
        "": [],
        "loss": [],
        "right (%)": [],
        f"lead over {better} (points)": [],
    }

    def add(name: str, loss: float, right: int, lead: Lead) -> None:
        row = (
            name,
            f"{loss:.2f}",
            f"{100 * right / TESTED:.1f}",
            "" if name == better else written(lead),
        )
        for values, value in zip(columns.values(), row, strict=True):
            values.append(value)

    for name, logits in known_by.items():
        hit, other = hits[name], hits[better]
        lead = Lead(int((hit & ~other).sum()), int((other & ~hit).sum()))
        add(name, F.cross_entropy(logits, truth).item(), int(hit.sum()), lead)
    pooled = SOUPS["AB"].pooled
    assert pooled is not None
    add("one model of both (recorded)", pooled.loss, pooled.right, pooled.over_better_parent)
    caption = "What each knows of 360 new headlines, with luck behind ±; one model of both leads the mean by "
    return columns, caption + written(pooled.over_soup)


def written(lead: Lead) -> str:
    """A lead with what luck may make of it, in points."""
    return f"{lead.points:+.1f} ± {lead.luck:.1f}".replace("-", "−")


def draw_lines_from_a(
    shares: Sequence[float], lines: Mapping[str, Sequence[Tensor]], truth: Tensor
) -> tuple["Figure", str]:
    """Draw the loss along lines from A: at each share of the other end the logits [N, 9] of a mixture."""
    losses = {
        name: [F.cross_entropy(logits, truth).item() for logits in several] for name, several in lines.items()
    }
    title = f"Two lines from A: the loss on {len(truth)} new headlines"
    marks = {"A": 0.0, "halfway": 0.5, "the other": 1.0}
    return draw_loss_lines(shares, losses, "t", title, marks, ("a guess", math.log(9)))


def draw_gains(soups: Mapping[str, Soup]) -> tuple["Figure", str]:
    """Draw by how much each soup leads its better parent, with a line as long as luck may reach.

    On the right stands how many headlines only one of both parents gets right. soups: by name, "AB" of two
    offices, "AA2" of two runs on one office.
    """
    labels = [f"{name[0]} + {name[0]} again" if "2" in name else f"{name[0]} + {name[1]}" for name in soups]
    told = []
    with style():
        figure = canvas(8.0, 4.2, "The lead of a soup over its better parent")
        axes = figure.subplots()
        for place, (name, soup) in enumerate(soups.items()):
            lead, color = soup.over_better_parent, SERIES[int("2" in name)]
            ends = [lead.points - lead.luck, lead.points + lead.luck]
            axes.plot(ends, [place, place], color=color, linewidth=2.4)
            axes.plot(
                lead.points, place, marker="s" if "2" in name else "o", markersize=9, color=color,
                markerfacecolor=color if lead.is_resolved else "white", markeredgewidth=2,
            )  # fmt: skip
            only_one = sum(soup.between_parents)
            axes.annotate(
                f"{only_one}", (1, place), (14, 0), ("axes fraction", "data"), "offset points",
                ha="left", va="center", fontsize=10, annotation_clip=False,
            )  # fmt: skip
            told.append(f"{labels[place]} {written(lead)}, {only_one} known to one parent only")
        axes.set_yticks(range(len(soups)), labels)
        axes.invert_yaxis()
        axes.axvline(0, color=QUIET, linewidth=1.1, linestyle=(0, (2, 2)), zorder=0.5)
        axes.set_xlabel(
            "points on 360 new headlines, with luck as a line; a full mark is more than luck", color=INK
        )
        axes.set_title("known to one\nparent only", loc="right", fontsize=10, fontweight="normal")
        axes.tick_params(axis="y", length=0)
    return figure, f"The lead of each soup over its better parent, with luck: {'; '.join(told)}."
