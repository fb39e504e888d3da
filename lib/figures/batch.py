"""A batch as BERT gets it: rows of tokens, and the numbers that stand for them."""

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from .arrays import Array, check_tokens, to_array
from .style import FAINT, INK, QUIET, TINT, canvas, style

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

LINE = 0.3  # inches from one line to the next
CHARACTER = 0.085  # inches
LABELS = 1.35  # inches for the names at the left
MOST_COLUMNS = 20  # beyond, nobody could read them


def draw_batch(
    tokens: Sequence[Sequence[str]], batch: Mapping[str, Any], title: str | None = None
) -> "Figure":
    """Draw the tokens of a batch, and below each token its entry in every tensor of `batch`.

    `tokens` are B rows of T tokens, `batch` maps names to whole numbers `[B, T]`. Special tokens have a
    dashed frame, [PAD] is hatched; in token types and mask what is 1 is shaded. At most 20 columns are drawn.
    """
    tables = checked_batch(tokens, batch)
    widths = column_widths(tokens, tables)
    lines = len(tables) + 1
    height = LINE * (len(tokens) * (lines + 0.7) - 0.2)
    heading = 0.4 if title else 0.0
    with style():
        figure = canvas(LABELS + sum(widths) + 0.15, heading + height)
        figure.set_layout_engine("none")  # one unit is an inch
        axes = figure.add_axes((0.0, 0.0, 1.0, 1.0))
        axes.set(xlim=(0, LABELS + sum(widths) + 0.15), ylim=(height, -heading))
        axes.axis("off")
        if title:
            axes.text(0.15, -heading / 2, title, ha="left", va="center", fontsize=13, weight="bold")
        for number, row in enumerate(tokens):
            top = LINE * (number * (lines + 0.7) + 0.25)
            for line, name in enumerate(["tokens", *tables]):
                middle = top + LINE * (line + 0.5)
                axes.text(LABELS - 0.12, middle, name, ha="right", va="center", color=QUIET, fontsize=9.5)
            for at, token in enumerate(row):
                left = LABELS + sum(widths[:at])
                draw_token(axes, token, left, top, widths[at])
                for line, (name, table) in enumerate(tables.items(), start=1):
                    shaded = name != "input_ids" and table[number, at] == 1
                    draw_number(axes, table[number, at], left, top + LINE * line, widths[at], shaded)
    return figure


def describe_batch(tokens: Sequence[Sequence[str]], batch: Mapping[str, Any]) -> str:
    """Say in words what `draw_batch` shows."""
    tables = checked_batch(tokens, batch)
    rows = [
        f"row {number}: {' '.join(row)}; "
        + "; ".join(f"{name} {' '.join(f'{n:.0f}' for n in table[number])}" for name, table in tables.items())
        for number, row in enumerate(tokens)
    ]
    return f"A batch of {len(tokens)} rows of {len(tokens[0])} tokens. " + ". ".join(rows) + "."


def column_widths(tokens: Sequence[Sequence[str]], tables: Mapping[str, Array]) -> list[float]:
    """The width of each column, in inches, that its longest token or number needs."""
    longest = [
        max(
            *(len(row[at]) for row in tokens),
            *(len(f"{number:.0f}") for table in tables.values() for number in table[:, at]),
        )
        for at in range(len(tokens[0]))
    ]
    return [CHARACTER * (characters + 1.2) for characters in longest]


def checked_batch(tokens: Sequence[Sequence[str]], batch: Mapping[str, Any]) -> dict[str, Array]:
    """The tensors of a batch as arrays [B, T]; ValueError where they misfit the tokens or are too wide."""
    if not tokens or not batch:
        raise ValueError("There is no batch to draw; give rows of tokens and the tensors of the batch.")
    tables = {name: to_array(tensor, name, "B, T") for name, tensor in batch.items()}
    for name, table in tables.items():
        if len(table) != len(tokens):
            raise ValueError(f"{name} has {len(table)} rows for {len(tokens)} rows of tokens; give as many.")
        for row in tokens:
            check_tokens(row, table.shape[1], f"columns of {name}")
    if len(tokens[0]) > MOST_COLUMNS:
        raise ValueError(
            f"{len(tokens[0])} columns cannot be read; draw a batch of at most {MOST_COLUMNS} tokens a row."
        )
    return tables


def draw_token(axes: "Axes", token: str, left: float, edge: float, width: float) -> None:
    """Draw one token's cell; `edge` is the lower of its two y."""
    from matplotlib.patches import Rectangle

    special, padding = token.startswith("[") and token.endswith("]"), token == "[PAD]"
    box = Rectangle(
        (left + 0.02, edge + 0.03), width - 0.04, LINE - 0.06,
        facecolor="white", edgecolor=QUIET if padding else INK, linewidth=0.9,
        linestyle=(0, (3, 2)) if special else "-", hatch="////" if padding else None,
    )  # fmt: skip
    box.set_hatch_linewidth(0.4)
    axes.add_patch(box)
    axes.text(
        left + width / 2, edge + LINE / 2, token, ha="center", va="center", fontsize=9.5, color=INK,
        bbox={"facecolor": "white", "edgecolor": "none", "pad": 0.6} if padding else None,
    )  # fmt: skip


def draw_number(axes: "Axes", number: float, left: float, edge: float, width: float, shaded: bool) -> None:
    """Draw one number's cell, tinted if it is `shaded`; `edge` is the lower of its two y."""
    from matplotlib.patches import Rectangle

    place = (left + 0.02, edge + 0.02)
    face = TINT if shaded else "white"
    axes.add_patch(Rectangle(place, width - 0.04, LINE - 0.04, facecolor=face, edgecolor=FAINT))
    axes.text(
        left + width / 2, edge + LINE / 2, f"{number:.0f}", ha="center", va="center", fontsize=10,
        color=INK,
    )  # fmt: skip
