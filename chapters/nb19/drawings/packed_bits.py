"""Codes of a few bits packed into bytes: which bit of which code stands where."""

from collections.abc import Sequence
from typing import TYPE_CHECKING

from lib.figures.schematic import Schematic
from lib.figures.style import INK, LIT, QUIET, TINT

if TYPE_CHECKING:
    from matplotlib.figure import Figure

WIDTH, LEFT = 9.6, 1.35  # inches
MOST_BITS = 32  # that can be read


def draw_packed_bits(codes: Sequence[int], bits: int, title: str) -> tuple["Figure", str]:
    """Draw codes, the stream of their bits and the bytes that the stream is cut into, top to bottom.

    Of a code and of a byte the lowest bit comes first. The last byte is filled with zeros.
    """
    stream, packed = _packed(codes, bits)
    page = Schematic(WIDTH, 2.9)
    side = (WIDTH - LEFT - 0.2) / len(stream)
    page.text(0.15, 2.68, title, ha="left", fontsize=12, weight="bold")
    for y, words in ((2.1, "codes"), (1.35, "their bits"), (0.5, "bytes")):
        page.text(0.15, y, words, ha="left", color=QUIET)
    for number, code in enumerate(codes):
        left = LEFT + side * bits * number
        page.box(left + 0.03, 1.88, side * bits - 0.06, 0.44, str(code), look=("tint", "plain")[number % 2])
    for place, bit in enumerate(stream):
        owner = place // bits
        _draw_bit(
            page, LEFT + side * place, side, bit, TINT if owner % 2 == 0 else "white", owner < len(codes)
        )
    for number, byte in enumerate(packed):
        left = LEFT + 8 * side * number
        bits_of_it = stream[8 * number : 8 * number + 8]
        worth = " + ".join(str(2**place) for place, bit in enumerate(bits_of_it) if bit) or "0"
        page.box(left + 0.05, 0.22, 8 * side - 0.1, 0.58, f"{byte}", worth)
        if number:
            page.axes.plot([left, left], [0.9, 1.8], color=LIT, linewidth=3, zorder=6)
    cut = " | ".join(" ".join(map(str, stream[start : start + 8])) for start in range(0, len(stream), 8))
    alt = (
        f"The codes {', '.join(map(str, codes))} of {bits} bits each, as a stream with the lowest bit of each"
        f" code first, cut after every eighth bit: {cut}. The bytes are {', '.join(map(str, packed))}."
    )
    return page.figure, alt


def _draw_bit(page: Schematic, left: float, side: float, bit: int, shade: str, is_used: bool) -> None:
    from matplotlib.patches import Rectangle

    page.axes.add_patch(
        Rectangle((left, 1.15), side, 0.42, facecolor=shade, edgecolor=QUIET, linewidth=0.8, zorder=3)
    )
    page.text(left + side / 2, 1.36, str(bit), color=INK if is_used else QUIET, fontsize=11.5)


def _packed(codes: Sequence[int], bits: int) -> tuple[list[int], list[int]]:
    """The bits, filled up to whole bytes, and the bytes."""
    if not codes or any(not 0 <= code < 2**bits for code in codes) or len(codes) * bits > MOST_BITS:
        raise ValueError(
            f"{len(codes)} codes of {bits} bits: give one or more below {2**bits}, {MOST_BITS} bits in all."
        )
    stream = [code >> place & 1 for code in codes for place in range(bits)]
    stream += [0] * (-len(stream) % 8)
    starts = range(0, len(stream), 8)
    return stream, [sum(bit << place for place, bit in enumerate(stream[at : at + 8])) for at in starts]
