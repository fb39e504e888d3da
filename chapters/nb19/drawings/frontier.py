"""What small models cost and what they reach: a point for each, and the line that no other lies above."""

from collections.abc import Collection, Mapping, Sequence
from statistics import mean
from typing import TYPE_CHECKING, NamedTuple

from lib.figures.style import DASHES, FAINT, INK, MARKERS, QUIET, SERIES, canvas, style

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

CHARACTER, LINE = 6.0, 14.0  # points that a name takes: each letter, and its height
MOST_FAMILIES = 2 * len(MARKERS)  # each marker once filled and once empty


class Candidate(NamedTuple):
    """A model: what it costs, above 0, in any unit, and its score from 0 to 1 for each seed."""

    name: str
    family: str
    cost: float
    scores: Sequence[float]

    @property
    def score(self) -> float:
        """The mean over seeds."""
        return mean(self.scores)


def draw_frontier(
    candidates: Sequence[Candidate],
    title: str,
    xlabel: str,
    ylabel: str,
    baselines: Mapping[str, float] | None = None,
    named: Collection[str] = (),
) -> tuple["Figure", str]:
    """Draw each model's score over its cost, on a logarithmic axis, and the frontier as a stair.

    A thin line goes from the lowest seed to the highest, a marker of the family stands at the mean. Models
    on the frontier carry their names, and those in `named`. `baselines` are dashed lines, such as TF-IDF's.
    """
    _check(candidates, baselines or {}, named)
    best = pareto_front(candidates)
    families = list(dict.fromkeys(candidate.family for candidate in candidates))
    with style():
        figure = canvas(9.6, 5.2, title)
        axes = figure.subplots()
        axes.set_xscale("log")
        costs = [candidate.cost for candidate in candidates]
        axes.set_xlim(min(costs) / 6, 2.4 * max(costs))  # room for names
        stair = [*best, best[-1]._replace(cost=axes.get_xlim()[1])]
        axes.step(
            [point.cost for point in stair], [point.score for point in stair], where="post", color=QUIET,
            linewidth=1.4, zorder=1.5, label="no cheaper model is better",
        )  # fmt: skip
        for number, family in enumerate(families):
            _draw_family(axes, [one for one in candidates if one.family == family], number)
        for number, (name, score) in enumerate((baselines or {}).items()):
            dashes = DASHES[1 + number % (len(DASHES) - 1)]
            axes.axhline(score, color=INK, linewidth=1.2, linestyle=dashes, zorder=1, label=name)
        axes.set(xlabel=xlabel, ylabel=ylabel)
        axes.margins(y=0.08)
        axes.xaxis.set_major_formatter(lambda cost, _place: f"{cost:,g}")
        axes.grid(axis="both", color=FAINT)
        figure.legend(loc="outside lower center", ncols=4)
        figure.draw_without_rendering()  # from here on the places are known
        _write_names(axes, best)
        for candidate in candidates:
            if candidate.name in named and candidate not in best:
                _write_name(axes, candidate, (7, -13), "left")
    others = sorted((one for one in candidates if one not in best), key=lambda one: one.cost)
    parts = [
        f"{ylabel} over {xlabel}, mean over seeds, with lowest and highest.",
        f"On the frontier, from the cheapest: {'; '.join(map(_in_words, best))}.",
    ]
    if others:
        parts.append(f"Below it: {'; '.join(map(_in_words, others))}.")
    if baselines:
        parts.append(f"Dashed: {'; '.join(f'{name} {score:.3f}' for name, score in baselines.items())}.")
    return figure, " ".join(parts)


def _draw_family(axes: "Axes", members: Sequence[Candidate], number: int) -> None:
    """Draw the models of one family with the marker of that number: six are filled, the next six empty."""
    color, marker = SERIES[number % len(SERIES)], MARKERS[number % len(MARKERS)]
    for member in members:
        axes.vlines(member.cost, min(member.scores), max(member.scores), color=color, linewidth=1.6)
    axes.plot(
        [member.cost for member in members], [member.score for member in members], marker, color=color,
        markersize=8.5, label=members[0].family, markeredgecolor="white" if number < len(MARKERS) else color,
        markerfacecolor=color if number < len(MARKERS) else "white",
    )  # fmt: skip


def _write_names(axes: "Axes", best: Sequence[Candidate]) -> None:
    """Write names to the upper left of the frontier's models, where nothing stands but other names.

    A name that would cross one before it, since both models score nearly the same, is lifted by a line.
    """
    written: list[tuple[float, float, float]] = []  # left end, right end and height, in points
    points = 72 / axes.figure.dpi
    for candidate in best:
        x, y = axes.transData.transform((candidate.cost, candidate.score)) * points
        left, right, lift = x - 6 - CHARACTER * len(candidate.name), x - 6, 6.0
        while any(
            left < end and start < right and abs(y + lift - height) < LINE for start, end, height in written
        ):
            lift += LINE / 2
        written.append((left, right, y + lift))
        _write_name(axes, candidate, (-6, lift), "right")


def _write_name(axes: "Axes", candidate: Candidate, offset: tuple[float, float], side: str) -> None:
    """Write a name so many points off its model, with a thin line to it where it stands further away."""
    far = {"arrowstyle": "-", "color": QUIET, "linewidth": 0.8, "shrinkB": 4} if offset[1] > LINE else None
    axes.annotate(
        candidate.name, (candidate.cost, candidate.score), offset,
        textcoords="offset points", fontsize=10, color=INK, ha=side, arrowprops=far,
    )  # fmt: skip


def pareto_front(candidates: Sequence[Candidate]) -> list[Candidate]:
    """The models better than all that cost no more than they do, by their means, the cheapest first."""
    best: list[Candidate] = []
    for candidate in sorted(candidates, key=lambda one: (one.cost, -one.score)):
        if not best or candidate.score > best[-1].score:
            best.append(candidate)
    return best


def _in_words(candidate: Candidate) -> str:
    spread = f" ({min(candidate.scores):.3f} to {max(candidate.scores):.3f})" * (len(candidate.scores) > 1)
    return f"{candidate.name} ({candidate.family}) {candidate.score:.3f}{spread} at {candidate.cost:,.4g}"


def _check(candidates: Sequence[Candidate], baselines: Mapping[str, float], named: Collection[str]) -> None:
    if not candidates:
        raise ValueError("There are no models to draw: give one or more.")
    for one in candidates:
        if not 0 < one.cost < float("inf") or not one.scores or not all(0 <= x <= 1 for x in one.scores):
            raise ValueError(
                f"{one.name!r} costs {one.cost:g} and reaches {list(one.scores)}: give a cost above 0 and for"
                " each seed a score from 0 to 1."
            )
    if wrong := [name for name, score in baselines.items() if not 0 <= score <= 1]:
        raise ValueError(f"The baseline {wrong[0]!r} is {baselines[wrong[0]]:g}: give a score from 0 to 1.")
    if unknown := sorted(set(named) - {one.name for one in candidates}):
        raise ValueError(f"{unknown[0]!r} is none of the models drawn: name one of them.")
    if len({one.family for one in candidates}) > MOST_FAMILIES:
        raise ValueError(f"More than {MOST_FAMILIES} families cannot be parts apart: draw fewer.")
