"""The drawings of notebook 04: three lookups and their sum, what a swap moves, and tables of positions.

Each gives the figure and its text alternative: `figures.show(*drawings.draw_moved(...))`.
"""

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from lib.figures.arrays import Array, check_tokens, to_array
from lib.figures.charts import draw_bars, draw_lines
from lib.figures.schematic import Schematic
from lib.figures.style import HATCHES, INK, LIT, QUIET, SERIES, canvas, style

if TYPE_CHECKING:
    from matplotlib.figure import Figure

MOST_TOKENS = 8  # more do not fit side by side
SAME = 1e-3  # vectors that lie nearer than this differ by rounding
TRAINED = 15  # places that have a neighbor on the left in a text of 16 tokens
BOUNDS = (5, 7, 15, 21, 40, 65, 120, 180, 300, 511)  # periods, in positions
LABELS, COLUMN, GAP, ROW = 1.75, 1.05, 0.14, 0.55  # inches
TITLE = "Each token looks up three rows, and BERT adds them (of each, the first of {} numbers)"
TABLES = (("word", "which token?"), ("+ position", "at which place?"), ("+ token type", "in which text?"))


def draw_input_sum(
    tokens: Sequence[str], types: Sequence[int], words: Any, positions: Any, token_types: Any
) -> tuple["Figure", str]:
    """Draw what each token looks up in three tables, and the sums, by the first number of each vector.

    `types` are 0 or 1, one for each of up to eight tokens; `words`, `positions` and `token_types` are
    `[T, D]`, the rows that were looked up.
    """
    names, parts = _checked(tokens, types, words, positions, token_types)
    width = LABELS + len(names) * (COLUMN + GAP) + 0.1
    page = Schematic(width, 4.05)
    page.text(width / 2, 3.87, TITLE.format(parts[0].shape[1]), weight="bold", fontsize=12)
    labels = (names, [str(place) for place in range(len(names))], [str(kind) for kind in types])
    for row, ((table, asks), keys, rows) in enumerate(zip(TABLES, labels, parts, strict=True)):
        bottom = 3.05 - row * (ROW + 0.12)
        page.text(0.12, bottom + 0.38, table, ha="left", weight="bold")
        page.text(0.12, bottom + 0.15, asks, ha="left", fontsize=10)
        for column, (key, number) in enumerate(zip(keys, rows[:, 0], strict=True)):
            page.box(_left(column), bottom, COLUMN, ROW, key, f"{number:.4f} ...")
    page.text(0.12, 1.24, "= sum", ha="left", weight="bold", color=LIT)
    page.text(0.12, 1.02, f"[{len(names)}, {parts[0].shape[1]}]", ha="left", fontsize=10)
    norm = page.box(_left(0), 0.12, width - LABELS - GAP - 0.1, 0.42, "layer norm, then dropout", look="lit")
    for column, number in enumerate(np.sum(parts, axis=0)[:, 0]):
        total = page.box(_left(column), 0.94, COLUMN, 0.42, f"{number:.4f} ...", look="tint")
        page.arrow(total.below, (total.below[0], norm.bottom + norm.height))
    description = "; ".join(
        f"{name}: word {word:.4f}, position {place} {position:.4f}, token type {kind} {token_type:.4f}, "
        f"sum {word + position + token_type:.4f}"
        for place, (name, kind, word, position, token_type) in enumerate(
            zip(names, types, *(rows[:, 0] for rows in parts), strict=True)
        )
    )
    alt = (
        f"What each token looks up in three tables, by the first of {parts[0].shape[1]} numbers."
        f" {description}. The sums go on to layer norm."
    )
    return page.figure, alt


def _left(column: int) -> float:
    """The left edge of a token's boxes, in inches."""
    return LABELS + column * (COLUMN + GAP)


def _checked(tokens: Sequence[str], types: Sequence[int], *parts: Any) -> tuple[list[str], list[Array]]:
    """The tokens and the three parts [T, D], each with a row for each token."""
    names = check_tokens(tokens, len(types), "types")
    arrays = [
        to_array(part, name, "T, D")
        for name, part in zip(("words", "positions", "token_types"), parts, strict=True)
    ]
    if not 1 <= len(names) <= MOST_TOKENS or {part.shape for part in arrays} != {
        (len(names), arrays[0].shape[1])
    }:
        raise ValueError(
            f"draw_input_sum takes one to {MOST_TOKENS} tokens and a row of each table for each."
        )
    return names, arrays


def draw_tables(
    tables: Mapping[str, Any],
    xlabel: str,
    ylabel: str,
    title: str | None = None,
    below: tuple[str, float] | None = None,
) -> "Figure":
    """Draw up to three large tables side by side as shades, each on a scale of its own.

    Each table is `[N, M]`, row 0 on top. Dark is high and light is low; the scale leaves out the most
    extreme hundredth of the numbers, which would make all others alike. `below`, such as
    `("new places", 15.5)`, draws a dashed line across every table at that row and names what lies below.
    """
    drawn = {name: to_array(table, name, "N, M") for name, table in tables.items()}
    if not 1 <= len(drawn) <= 3:
        raise ValueError(f"There are {len(drawn)} tables; between one and three fit side by side.")
    with style():
        figure = canvas(8.6, 8.6 / len(drawn) * 0.82 + (0.4 if title else 0.0), title)
        grid = figure.subplots(1, len(drawn), squeeze=False)[0]
        for place, (axes, (name, table)) in enumerate(zip(grid, drawn.items(), strict=True)):
            low, high = np.quantile(table, [0.005, 0.995])
            axes.imshow(table, cmap="Blues", vmin=low, vmax=high, aspect="auto", interpolation="nearest")
            axes.spines[:].set_visible(False)
            axes.set_title(name, loc="center", fontsize=11)
            axes.set_xlabel(xlabel, color=QUIET)
            if below is not None:
                name, row = below
                axes.axhline(row, color=INK, linewidth=1, linestyle=(0, (4, 3)))
                axes.text(table.shape[1] - 1, row + 0.4, name, ha="right", va="top", color=INK, fontsize=10)
            if place == 0:
                axes.set_ylabel(ylabel, color=QUIET)
    return figure


def orders_table(
    pairs: Sequence[tuple[str, str, str]], cosines: Mapping[str, Sequence[float]]
) -> dict[str, list[Any]]:
    """The columns of a table: each word, the two orders of its sentence, and its cosine in each model."""
    columns: dict[str, list[Any]] = {
        "word": [word for word, _, _ in pairs],
        "one order": [one for _, one, _ in pairs],
        "the other": [other for _, _, other in pairs],
    }
    for name, values in cosines.items():
        columns[name] = list(values)
    return columns


def draw_moved(tokens: Sequence[str], intact: Any, erased: Any) -> tuple["Figure", str]:
    """Draw how far each token's vector moves when two tokens change places, in two models.

    `intact` and `erased` are `[2, T]`: the distances at the input, and after the last layer.
    """
    names = [f"{place}  {token}" for place, token in enumerate(tokens)]
    models = {"intact": to_array(intact, "intact", "2, T"), "erased": to_array(erased, "erased", "2, T")}
    levels = ("at the input", "after the last layer")
    phrases = []
    with style():
        figure = canvas(9.6, 1.9 + 0.5 * len(names), None)
        every = figure.subplots(1, 2, sharey=True, sharex=True)
        for axes, (name, moved) in zip(every, models.items(), strict=True):
            counts = [(distances > SAME).sum() for distances in moved]
            axes.set_title(
                f"{name}: {counts[0]} of {len(names)} vectors move at the input,\n"
                f"{counts[1]} after the last layer",
                fontsize=11, loc="left",
            )  # fmt: skip
            for number, (level, distances) in enumerate(zip(levels, moved, strict=True)):
                places = np.arange(len(names)) + 0.4 * number - 0.2
                look = {"color": SERIES[number], "hatch": HATCHES[number], "edgecolor": "white"}
                drawn = axes.barh(places, distances, 0.36, label=level, **look)
                axes.bar_label(drawn, labels=[f"{one:.1f}" for one in distances], padding=3, fontsize=9)
                said = [f"{token} {one:.1f}" for token, one in zip(names, distances, strict=True)]
                phrases.append(f"{name}, {level}: {', '.join(said)}")
            axes.set_xlabel("how far the token's vector moves", color=QUIET)
            axes.axvline(0, color=QUIET, linewidth=0.9)
            axes.spines[["left", "bottom"]].set_visible(False)
            axes.set_xticks([])
            axes.tick_params(length=0)
            axes.margins(x=0.14)
        every[0].set_yticks(np.arange(len(names)), names)
        every[0].invert_yaxis()
        every[1].legend(loc="center right", fontsize=10, frameon=False)
    return figure, "; ".join(phrases) + "."


def draw_two_waves(table: Any, columns: Sequence[int]) -> tuple["Figure", str]:
    """Draw two columns of a position table over positions 1 to 36, and name the positions of their peaks."""
    numbers = to_array(table, "table", "T, D")
    waves = {f"column {column}": numbers[1:37, column] for column in columns}
    phrases = []
    for name, wave in waves.items():
        tops = [t + 1 for t in range(1, 35) if wave[t] > max(wave[t - 1], wave[t + 1], 0)]
        phrases.append(f"{name} is highest at positions {', '.join(map(str, tops))}")
    figure = draw_lines(
        range(1, 37), waves, "position", "number in the table", "Two columns of MiniLM's position table",
        marked=range(1, 37),
    )  # fmt: skip
    return figure, f"Two columns of the learned table over positions 1 to 36. {'; '.join(phrases)}."


def draw_likeness(likeness: Mapping[str, Any], spread: Mapping[str, Any]) -> tuple["Figure", str]:
    """Draw the mean cosine of two positions against their distance, with the spread over the pairs."""
    means = {name: to_array(mean, name, "N") for name, mean in likeness.items()}
    learned, computed = means["learned"], means["computed"]
    swings = learned[6] > learned[3] and (np.diff(computed[:10]) < 0).all()
    title = "Two positions, by their distance"
    if swings:
        title = "With distance the computed cosine falls, and the learned one swings"
    phrases = []
    for name, mean in means.items():
        said = [f"{mean[n]:.2f} at {n}" for n in (1, 3, 4, 6, 7, 9, 16, 64)]
        phrases.append(f"{name}: {', '.join(said)}")
    figure = draw_lines(
        range(len(learned)), means, "distance of the two positions (band: spread over the pairs)",
        "mean cosine", title, ylim=(-0.35, 1.05), marked=[1, 3, 6, 9], bands=spread,
    )  # fmt: skip
    return figure, f"Mean cosine of two positions against their distance. {'; '.join(phrases)}."


def draw_new_places(right: Mapping[str, Any], commonest: float) -> tuple["Figure", str]:
    """Draw the share of right answers by place, `[S, 31]` for S runs; the first 15 places were trained."""
    means = {name: to_array(runs, name, "S, N").mean(axis=0) for name, runs in right.items()}
    new = {name: mean[TRAINED:].mean() for name, mean in means.items()}
    title = "Right answers at trained places and at new ones"
    if max(new["learned"], new["computed"]) < commonest:
        title = "Neither learned nor computed positions carry over to new places"
    phrases = [
        f"{name}: {mean[:TRAINED].mean():.2f} at places 1 to 15, {mean[TRAINED]:.2f} at place 16,"
        f" {mean[TRAINED + 1 :].mean():.2f} at places 17 to 31"
        for name, mean in means.items()
    ]
    figure = draw_lines(
        range(1, 32), means, "place", "share right", title, ylim=(0, 1.05),
        baseline=("most frequent token", commonest), marked=[1, 5, 10, 15, 16, 17, 20, 25, 31],
        beyond=("new places", 15.5),
    )  # fmt: skip
    alt = f"Share right by place, mean of three runs. {'; '.join(phrases)}."
    return figure, f"{alt} Most frequent token: {commonest:.2f}."


def draw_looks(looks: Mapping[str, Any]) -> tuple["Figure", str]:
    """Draw which places the one layer looks at, `[S, 32, 32]` for S models; the first of each is drawn."""
    drawn = {name: to_array(runs, name, "S, T, T") for name, runs in looks.items()}
    phrases = []
    for name, runs in drawn.items():
        said = [f"{runs[:, t, t - 1].mean():.2f} at place {t}" for t in (5, 15, 16, 17, 20)]
        phrases.append(f"{name}: {', '.join(said)}")
    left = np.arange(1, TRAINED + 1), np.arange(TRAINED)
    later = np.arange(TRAINED + 2, 32), np.arange(TRAINED + 1, 31)
    breaks = all(runs[:, *left].mean() > 0.5 > runs[:, *later].mean() for runs in drawn.values())
    title = "The diagonal breaks off where the new places begin" if breaks else "Who looks where"
    figure = draw_tables(
        {name: runs[0] for name, runs in drawn.items()}, "place that is looked at (dark: strongly)",
        "place that looks", title, below=("new places", 15.5),
    )  # fmt: skip
    alt = "Who looks where, for one model of each kind: a dark diagonal means one place to the left."
    return figure, f"{alt} Share of the look that goes there, mean of three models: {'; '.join(phrases)}."


def draw_missed(left: Mapping[str, float]) -> tuple["Figure", str]:
    """Draw the mean cosine with the intact model that is left after a change to one of the small tables."""
    title = "What is left when a small table is changed"
    if left["token types zero"] < left["all positions zero"]:
        title = "The constant vector of type 0 is missed more than the positions"
    figure = draw_bars(
        list(left), list(left.values()), "mean cosine with the intact model", title, xlim=(0, 1.1)
    )
    return figure, "; ".join(f"{name}: {value:.2f}" for name, value in left.items())
