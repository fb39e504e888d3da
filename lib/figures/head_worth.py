"""What every head is worth: all of them as a map, and the estimate beside what its absence really does."""

from typing import TYPE_CHECKING, Any

from .arrays import Array, to_array
from .style import INK, LIT, QUIET, canvas, style

if TYPE_CHECKING:
    from matplotlib.figure import Figure


def draw_head_worth(estimate: Any, change: Any, title: str | None = None) -> "Figure":
    """Draw the estimates [L, H] as a map, dark where a head is worth much, and a dot for each head.

    change: [L, H], by how much the loss differs without a head, of which the size counts. The dots have
    logarithmic axes, since heads differ by orders of magnitude.
    """
    worth, moved = _tables(estimate, change)
    with style():
        figure = canvas(10.4, 3.9, title)
        left, right = figure.subplots(1, 2, width_ratios=(1.5, 1.0))
        left.imshow(worth / worth.max(), cmap="Blues", vmin=0, vmax=1, aspect="auto")
        for (layer, head), value in _every(worth):
            share = value / worth.max()
            ink = "white" if share > 0.6 else INK
            left.text(head, layer, f"{100 * share:.0f}", ha="center", va="center", color=ink, fontsize=10)
        left.set(xlabel="head", ylabel="layer", title="estimate, % of the largest")
        left.set_xticks(range(worth.shape[1]))
        left.set_yticks(range(worth.shape[0]))
        left.tick_params(length=0)
        left.spines[:].set_visible(False)
        right.plot(worth.ravel(), moved.ravel(), "o", color=LIT, alpha=0.7, markersize=5)
        right.set(xscale="log", yscale="log", xlabel="estimate", ylabel="|change of the loss| without it")
        right.set_title("a dot for each head")
        right.grid(color=QUIET, alpha=0.2)
    return figure


def describe_head_worth(estimate: Any, change: Any) -> str:
    """Say in words what `draw_head_worth` shows: the ends of the estimates, and how near the orders are."""
    worth, moved = _tables(estimate, change)
    ranked = sorted(_every(worth), key=lambda one: one[1])

    def told(place: tuple[int, int]) -> str:
        return f"layer {place[0]}, head {place[1]} (loss {moved[place]:.4f} other without it)"

    few = max(1, worth.size // 4)
    needed = {place for place, _ in sorted(_every(moved), key=lambda one: -one[1])[:few]}
    both = len(needed & {place for place, _ in ranked[-few:]})
    return (
        f"{worth.size} heads. The largest estimate is of {told(ranked[-1][0])}, the smallest of"
        f" {told(ranked[0][0])}. Of the {few} heads that change the loss most, {both} are among the {few}"
        " largest estimates."
    )


def _every(table: Array) -> list[tuple[tuple[int, int], float]]:
    rows, columns = table.shape
    return [((row, column), float(table[row, column])) for row in range(rows) for column in range(columns)]


def _tables(estimate: Any, change: Any) -> tuple[Array, Array]:
    worth, moved = to_array(estimate, "estimate", "L, H"), abs(to_array(change, "change", "L, H"))
    if worth.shape != moved.shape:
        raise ValueError(
            f"There are {worth.shape} estimates and {moved.shape} changes; give one for each head."
        )
    if worth.min() <= 0:
        raise ValueError("An estimate is not above 0; a logarithmic axis has no place for it.")
    return worth, moved.clip(min=1e-7)
