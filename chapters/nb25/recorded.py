"""What the ways of notebook 25 keep of the answers to all 720 test headlines: `all_headlines` prints it.

On one thread of an AMD EPYC with PyTorch 2.13.
"""

from collections.abc import Sequence

#: of each way, the headlines whose answers it keeps, shortest headline first, as `written` writes them
KEPT: dict[str, str] = {}


def written(kept: Sequence[bool]) -> str:
    """Four headlines in a hexadecimal digit: [N] of True and False, N a multiple of 4."""
    bits = "".join("01"[is_kept] for is_kept in kept)
    return "".join(f"{int(bits[start : start + 4], 2):x}" for start in range(0, len(bits), 4))


def kept_of(way: str) -> list[bool]:
    """[720] of True and False, from the record."""
    return [bit == "1" for digit in KEPT[way] for bit in f"{int(digit, 16):04b}"]
