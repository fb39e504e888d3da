"""What the ways of notebook 25 keep of the answers to all 720 test headlines: `all_headlines` prints it.

On one thread of an AMD EPYC with PyTorch 2.13.
"""

from collections.abc import Sequence

#: of the answers to all headlines the share that GPTQ keeps, with the full reach, by the headlines it reads
READ: dict[int, float] = {
    1: 0.7431,
    10: 0.7931,
    100: 0.8722,
    480: 0.9069,
}

#: of each way, the headlines whose answers it keeps, shortest headline first, as `written` writes them
KEPT: dict[str, str] = {
    "a scale a matrix": (
        "300002004a08040010810c00a005086014000270020020000000000480051a2002200002050000a00410400e00"
        "0101400000406282000e0015200802a10000420400010008200280001046000c00000000000800000008000040"
    ),
    "a scale a row": (
        "fcfffacc7f1fd32abbb7df9aebbfe7febe39feff3ff776f79af3ff9ff4ad5ebb3fb7baf24bbefde95eb6cb7efd"
        "db6d19f7f6fcffffb6f6be7fbcbffbf97639ee33f96bd67cbf2b725e5ce9ed3fffdfc5754c51a1faf7dff519f2"
    ),
    "a scale a row, best reach": (
        "fcffffdb5f7fffbbffbfff62fbfdbfffff69ffff7ff77f77ded7ff977fafffffbf37bb7b6fbf4deb4fadebfeff"
        "df6cdfdff7fcd7ffbefeffefaebffbf7f6abffffffe9dfbefebffabe7eedef9bfffec776db77f9fef7feffc9ff"
    ),
    "eight values, no outliers": (
        "f4ffffdfffdfd7bbbfbbbf4aeffbbfffbf6effffffdfee77dbfaffff7ffd7fbfbf77b3f23ebd5fefffb6fffef7"
        "dfedd9ff5ffcfffbb7ceffffbf9febfb779bebfbfffbfefffcbb7e7f7eed6f9cffdde7bcdeff93fffdd6ff59ee"
    ),
    "best reach, same outliers": (
        "feffffffefbfffbfffffbff7effffffffffffffffffffef7dff6dfef7fffffffff77f1fb7fbf7ffffffedffeff"
        "ffffddf7f7ffffffffeffffffe9ffbf7f7fbfffbfffbfffffdfff7fffffdfffbffffff7fdf7fffffffffffddff"
    ),
    "eight values a matrix": (
        "fefdffdbdfffffbfbfffbfffeffffffffd6ffffffffffef7dffeffffffff7fffff77fbff5fbf5fffdffffffeff"
        "dfedd9f7dffdfffeb6ffffffffbffbfffffbffffffffff7efdfb77ff7effff9dfffdffffdf7fffffffdff759f6"
    ),
    "full reach, nearest": (
        "feeffbcfef7fe7babfbfbfdaebffffffbf69fffffff77ef7def3ffdfffbd7fbfffbffbfa5fb6efe9cebe5fffff"
        "db6dd9f7fffdfffff7ffbffffeeffbfff7bbfef7fdfbdffcb7bb73fefcff6f3ffffdefe45857f9fefffbffd9fe"
    ),
    "full reach, GPTQ": (
        "fee6ffdbffbffffbbfbfbfffffffffffffefffffbffffef6fef3ffeffffffffffffffbf77fb7cfebfffeffffff"
        "dfedd9f7fffffffeffffbfffff9ffff7f7f1fefbfffbfffeb7fff7fffffdffbfffffef7bda7ffffffff3ffdff7"
    ),
    "best reach, nearest": (
        "fff7ffdfefbfffbfffbfeff7ffffaffffffffffffffffef7dff6ffff7fffffffff77f3fb7fb77fefefffffffff"
        "dfffddf7f7fdffffffefffffef9ffff7ffbbfffffffffffefdbff7fffffdfff3ffffcf7bdb7ffffffeffffdfff"
    ),
    "best reach, GPTQ": (
        "fefeffdfffffffbbbfbffffeefffbffffffffffffffffff7ff7fffff7fbfffffff77fbff7fb7fffbffffffffff"
        "ffed9fffddf9dfffffffffffffbffbf7fffffffbfffaeffefdbff7fffffdefffffffeffbff7fffffffffffdfff"
    ),
}


def written(kept: Sequence[bool]) -> str:
    """Four headlines in a hexadecimal digit: [N] of True and False, N a multiple of 4."""
    bits = "".join("01"[is_kept] for is_kept in kept)
    return "".join(f"{int(bits[start : start + 4], 2):x}" for start in range(0, len(bits), 4))


def kept_of(way: str) -> list[bool]:
    """[720] of True and False, from the record."""
    return [bit == "1" for digit in KEPT[way] for bit in f"{int(digit, 16):04b}"]
