"""Numbers with how sure they are, and heads with the kind they were sorted into."""

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from .arrays import check_tokens, to_array
from .style import FAINT, HATCHES, INK, LIT, MARKERS, SERIES, canvas, style

if TYPE_CHECKING:
    from matplotlib.figure import Figure

SHADES = ("#12406b", "#3fa0d0", "#8fb8da", "#cfd6dd", "#ffffff")  # their grays fall; from SERIES where there


def draw_ranges(
    labels: Sequence[str],
    ranges: Mapping[str, Any],
    xlabel: str,
    marks: Mapping[str, Any] | None = None,
    title: str | None = None,
) -> "Figure":
    """Draw for each label a point with its interval, and points without one; the first label on top.

    Each of `ranges` is `[N, 3]`: low, middle, high; each of `marks` is `[N]`. Up to six of both.
    """
    tables = {name: to_array(table, repr(name), "N, 3") for name, table in ranges.items()}
    points = {name: to_array(row, repr(name), "N") for name, row in (marks or {}).items()}
    if not tables or len(tables) + len(points) > len(SERIES):
        raise ValueError(f"draw_ranges takes one to {len(SERIES)} series, one of them with intervals.")
    names = check_tokens(labels, len(next(iter(tables.values()))), "intervals")
    for name, drawn in {**tables, **points}.items():
        check_tokens(labels, len(drawn), f"numbers of {name!r}")
        if drawn.ndim == 2 and not (np.diff(drawn, axis=1) >= 0).all():
            raise ValueError(f"{name!r} has an interval that is out of order: give low, middle, high.")
    places = np.arange(len(names))
    with style():
        figure = canvas(8.0, 1.2 + 0.26 * len(names) * max(1, 0.7 * len(tables)), title)
        axes = figure.subplots()
        for number, (name, table) in enumerate(tables.items()):
            rows = places + 0.24 * (number - (len(tables) - 1) / 2)
            axes.hlines(rows, table[:, 0], table[:, 2], color=SERIES[number], linewidth=2.2)
            axes.plot(table[:, 1], rows, MARKERS[number], color=SERIES[number], label=name)
        for number, (name, row) in enumerate(points.items(), start=len(tables)):
            axes.plot(row, places, MARKERS[number], color=SERIES[number], markerfacecolor="white", label=name)
        axes.set_yticks(places, names)
        axes.set_ylim(len(names) - 0.4, -0.6)
        axes.set_xlabel(xlabel)
        axes.grid(axis="both")
        axes.tick_params(axis="y", length=0)
        if len(tables) + len(points) > 1:
            figure.legend(loc="outside upper right", ncols=3)
    return figure


def draw_sorted_heads(
    rows: Sequence[Sequence[str]], kinds: Sequence[str], title: str | None = None
) -> "Figure":
    """Draw every head of a model as a square with its kind's shade and initials: a row for each layer.

    `rows[layer][head]` is one of `kinds`, of which there are up to five. The legend counts them.
    """
    from matplotlib.patches import Patch, Rectangle

    if not rows or len({len(row) for row in rows}) != 1 or len(kinds) > len(SHADES):
        raise ValueError(f"Give as many kinds for each layer, of at most {len(SHADES)} different ones.")
    flat = [kind for row in rows for kind in row]
    if unknown := sorted(set(flat) - set(kinds)):
        raise ValueError(f"{unknown[0]!r} is none of the kinds {', '.join(kinds)}.")
    looks: dict[str, dict[str, Any]] = {
        kind: {"facecolor": SHADES[number], "hatch": HATCHES[number] if number == 2 else ""}
        for number, kind in enumerate(kinds)
    }
    with style():
        figure = canvas(7.4, 0.42 * len(rows) + 1.5, title)
        axes = figure.subplots()
        for layer, row in enumerate(rows):
            for head, kind in enumerate(row):
                axes.add_patch(Rectangle((head - 0.5, layer - 0.5), 1, 1, edgecolor=FAINT, **looks[kind]))
                dark = kinds.index(kind) == 0
                axes.text(
                    head, layer, initials(kind), ha="center", va="center", fontsize=10,
                    color="white" if dark else INK,
                )  # fmt: skip
        axes.set(xlim=(-0.5, len(rows[0]) - 0.5), ylim=(len(rows) - 0.5, -0.5), xlabel="head", ylabel="layer")
        axes.set_xticks(range(len(rows[0])))
        axes.set_yticks(range(len(rows)))
        axes.tick_params(length=0)
        patches = [
            Patch(edgecolor=LIT, label=f"{initials(kind)}  {kind}: {flat.count(kind)}", **looks[kind])
            for kind in kinds
        ]
        figure.legend(handles=patches, loc="outside lower center", ncols=3)
    return figure


def initials(kind: str) -> str:
    """Such as "VD" for "vertical + diagonal"."""
    return "".join(word[0].upper() for word in kind.split() if word.isalpha())


def describe_sorted_heads(rows: Sequence[Sequence[str]], kinds: Sequence[str]) -> str:
    """Say in words what `draw_sorted_heads` shows: how many heads are of each kind, and in which layers."""
    flat = [kind for row in rows for kind in row]
    parts = []
    for kind in kinds:
        layers = [str(layer) for layer, row in enumerate(rows) if kind in row]
        where = f" (in layers {', '.join(layers)})" if layers else ""
        parts.append(f"{flat.count(kind)} {kind}{where}")
    return f"Of {len(flat)} heads in {len(rows)} layers: {'; '.join(parts)}."


def draw_groups_of_ranges(
    groups: Mapping[str, Mapping[str, Any]],
    bases: Mapping[str, str],
    xlabel: str,
    columns: int = 2,
    title: str | None = None,
) -> "Figure":
    """Draw groups of choices, each choice a point with its interval, beside what their group is compared with.

    `groups` gives for each group its choices, each as low, middle, high; `bases` names the one of each group
    that the others are compared with: its interval is shaded over the whole group. Filled points lie farther
    from it than the longer of both intervals, open ones do not. All columns share one axis.
    """
    tables = {
        group: {name: to_array(row, repr(name), "3") for name, row in choices.items()}
        for group, choices in groups.items()
    }
    for group, table in tables.items():
        if bases.get(group) not in table:
            raise ValueError(f"The group {group!r} is compared with {bases.get(group)!r}, which it lacks.")
        if any((np.diff(row) < 0).any() for row in table.values()):
            raise ValueError(f"The group {group!r} has an interval out of order: give low, middle, high.")
    sides = _columns_of(tables, columns)
    rows = max(sum(len(tables[group]) + 1.3 for group in side) for side in sides)
    everything = np.concatenate([row for table in tables.values() for row in table.values()])
    margin = 0.04 * float(np.ptp(everything))
    with style():
        figure = canvas(4.9 * columns, 0.9 + 0.235 * rows, title)
        for axes, side in zip(figure.subplots(1, columns, squeeze=False)[0], sides, strict=True):
            place, ticks, names = 0.0, [], []
            for group in side:
                table = tables[group]
                base = table[bases[group]]
                axes.text(
                    -0.02, place, group, transform=axes.get_yaxis_transform(), ha="right", va="center",
                    weight="bold",
                )  # fmt: skip
                axes.fill_betweenx(
                    [place + 0.5, place + len(table) + 0.5], base[0], base[2], color=FAINT, linewidth=0
                )
                for name, row in table.items():
                    place += 1
                    ticks.append(place)
                    names.append(name)
                    fill = SERIES[0] if name == bases[group] or stands_apart(base, row) else "white"
                    axes.hlines(place, row[0], row[2], color=SERIES[0], linewidth=2.0)
                    marker = "D" if name == bases[group] else "o"
                    axes.plot(row[1], place, marker, color=SERIES[0], markerfacecolor=fill)
                place += 1.3
            axes.set_yticks(ticks, names, fontsize=10)
            axes.set(xlim=(everything.min() - margin, everything.max() + margin), xlabel=xlabel)
            axes.set_ylim(rows - 0.6, -0.7)
            axes.grid(axis="x")
            axes.tick_params(axis="y", length=0)
    return figure


def stands_apart(base: Any, row: Any) -> bool:
    """Whether two intervals' middles lie farther apart than the longer of them; each low, middle, high."""
    return bool(abs(row[1] - base[1]) > max(row[2] - row[0], base[2] - base[0]))


def _columns_of(tables: Mapping[str, Mapping[str, Any]], columns: int) -> list[list[str]]:
    """The groups in their order, shared out over columns of about the same height."""
    total = sum(len(table) + 1.3 for table in tables.values())
    sides: list[list[str]] = [[] for _ in range(columns)]
    done = 0.0
    for group, table in tables.items():
        height = len(table) + 1.3
        sides[min(columns - 1, int((done + height / 2) / total * columns))].append(group)
        done += height
    return sides


def describe_groups_of_ranges(groups: Mapping[str, Mapping[str, Any]], bases: Mapping[str, str]) -> str:
    """Say in words what `draw_groups_of_ranges` shows: every number, and which choices stand apart."""
    parts = []
    for group, choices in groups.items():
        base = choices[bases[group]]
        told = ", ".join(
            f"{name} {row[1]:.2f} ({row[0]:.2f} to {row[2]:.2f}"
            + ("; compared with)" if name == bases[group] else "; apart)" if stands_apart(base, row) else ")")
            for name, row in choices.items()
        )
        parts.append(f"{group}: {told}")
    return f"Middle, and lowest to highest. {'; '.join(parts)}."
