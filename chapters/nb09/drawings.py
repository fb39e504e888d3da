"""Stacks of transformer layers side by side, with what each token may look at as small squares."""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import TYPE_CHECKING, Any

from lib.figures.arrays import check_tokens, to_array
from lib.figures.schematic import Schematic
from lib.figures.style import FAINT, INK, LIT, QUIET

if TYPE_CHECKING:
    from matplotlib.figure import Figure

WIDTH, HEIGHT = 5.5, 5.0  # inches of one stack, and 0.55 more for the title
LEFT, BREADTH = 0.5, 2.2  # where its boxes begin, and how wide they are
GRID = 1.36  # inches of a side of a mask


@dataclass(frozen=True)
class Stack:
    """One model: what it adds up at the bottom, its layers, who may look at whom, what it answers."""

    name: str
    embedding: str
    layers: int
    width: int
    mask: Any  # boolean [T, T], True where a row may look
    answer: str


def draw_stacks(stacks: Sequence[Stack], tokens: Sequence[str], title: str) -> tuple["Figure", str]:
    """Draw one or two stacks from their tokens, at the bottom, to their answer, at the top.

    Each mask has a row and a column for each of up to six `tokens`: dark where the row's token may look.
    """
    if not 1 <= len(stacks) <= 2:
        raise ValueError(f"There are {len(stacks)} stacks; one or two fit side by side.")
    if len(tokens) > 6:
        raise ValueError(f"There are {len(tokens)} tokens; the squares of at most six can be read.")
    page = Schematic(WIDTH * len(stacks), HEIGHT + 0.55)
    page.text(0.15, HEIGHT + 0.3, title, ha="left", fontsize=13, weight="bold")
    for place, stack in enumerate(stacks):
        _draw_stack(page, place * WIDTH, stack, tokens)
    description = []
    for stack in stacks:
        table = to_array(stack.mask, f"The mask of {stack.name}", "T, T")
        names = check_tokens(tokens, len(table), "rows")
        looks = ", ".join(f"{name} at {int(row.sum())}" for name, row in zip(names, table, strict=True))
        description.append(
            f"{stack.name}. From the bottom: tokens; {stack.embedding}, a vector of {stack.width} numbers for"
            f" each; {stack.layers} layers, each of attention, add and norm, feed-forward, add and norm;"
            f" {stack.answer}. Of {len(names)} tokens, attention lets each look at: {looks}"
        )
    alt = "Stacks of layers, bottom to top. " + ". ".join(description) + "."
    return page.figure, alt


def _draw_stack(page: Schematic, left: float, stack: Stack, tokens: Sequence[str]) -> None:
    middle = left + LEFT
    page.text(middle + BREADTH / 2, HEIGHT - 0.08, stack.name, fontsize=12, weight="bold", color=LIT)
    page.text(middle + BREADTH / 2, 0.2, " ".join(tokens), fontsize=11)
    embedding = page.box(middle - 0.3, 0.6, BREADTH + 0.6, 0.5, "embeddings", stack.embedding)
    vectors = f"{stack.width} numbers for each token"
    page.text(middle + BREADTH / 2 + 0.1, 1.28, vectors, ha="left", color=QUIET)
    page.frame(left + 0.1, 1.45, WIDTH - 0.25, 2.62, f"one of {stack.layers} layers")
    attention = page.box(middle, 1.65, BREADTH, 0.42, "attention", look="lit")
    first = page.box(middle, 2.2, BREADTH, 0.3, "add & norm")
    feed_forward = page.box(middle, 2.75, BREADTH, 0.42, "feed-forward", look="tint")
    second = page.box(middle, 3.3, BREADTH, 0.3, "add & norm")
    answer = page.box(middle, 4.35, BREADTH, 0.4, stack.answer)
    chain = [embedding, attention, first, feed_forward, second, answer]
    page.arrow((middle + BREADTH / 2, 0.32), embedding.below)
    for lower, upper in pairwise(chain):
        page.arrow(lower.top, upper.below)
    for below, norm in [(1.56, first), (2.6, second)]:  # the residual path, past what it is added to
        side = middle - 0.2
        page.arrow((middle + BREADTH / 2, below), (side, below), (side, norm.west[1]), norm.west)
    _draw_squares(page, (left + WIDTH - 0.5 - GRID, 1.75), stack, tokens)


def _draw_squares(page: Schematic, corner: tuple[float, float], stack: Stack, tokens: Sequence[str]) -> None:
    """The mask, its lower left corner at `corner`: a row for who looks, a column for who is looked at."""
    from matplotlib.patches import Rectangle

    table = to_array(stack.mask, f"The mask of {stack.name}", "T, T")
    names = check_tokens(tokens, len(table), "rows")
    left, bottom = corner
    side, top = GRID / len(names), bottom + GRID
    for row, name in enumerate(names):
        y = top - side * (row + 1)
        page.text(left - 0.07, y + side / 2, name, ha="right", fontsize=10.5)
        page.text(
            left + side * (row + 0.5), top + 0.06, name, rotation=40, ha="left", va="bottom", fontsize=10.5
        )
        for column in range(len(names)):
            shade = LIT if table[row, column] else "white"
            square = (left + side * column, y)
            page.axes.add_patch(Rectangle(square, side, side, facecolor=shade, edgecolor=FAINT, zorder=4))
    page.text(left + GRID / 2, top + 0.62, "may look at", color=QUIET, fontsize=10.5)
    page.text(left - 0.62, bottom + GRID / 2, "this token", color=QUIET, fontsize=10.5, rotation=90)
    page.text(left + GRID / 2, bottom - 0.15, "dark: yes, white: no", color=QUIET, fontsize=10)
    page.axes.add_patch(Rectangle((left, bottom), GRID, GRID, fill=False, edgecolor=INK, zorder=5))
