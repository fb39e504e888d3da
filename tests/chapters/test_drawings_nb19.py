"""The drawings of notebook 19."""

from typing import Any

import pytest
import torch
from pictures import for_each_example, for_each_refusal, written

from chapters.nb19 import drawings as nb19
from lib.compression.quantizers.packing import pack_bits

OPERATIONS = [nb19.Operation("9 rows", 4.4, 22e9), nb19.Operation("1,024 rows", 118.0, 78e9)]
CODES = [5, 0, 3, 6, 1, 4, 2, 3]
METHODS = [
    nb19.MethodRow("bits", "bytes", ["8 bits (20)", ""]),
    nb19.MethodRow("layers", "all four", ["layers\ndropped (27)", "DistilBERT (21)"]),
]
COLUMNS = ["after training", "while pretraining"]

test_a_drawing_says_what_it_shows = for_each_example({
    "a roofline": (
        lambda: (
            nb19.draw_roofline(OPERATIONS, 80e9, 10e9, "A title"),
            nb19.describe_roofline(OPERATIONS, 80e9, 10e9),
        ),
        ["80 GFLOP/s", "10 GB/s", "8.0 FLOPs a byte",
         "9 rows: 4.4 FLOPs a byte, 22 of at most 44 GFLOP/s, limited by memory",
         "1,024 rows: 118.0 FLOPs a byte, 78 of at most 80 GFLOP/s, limited by the multiplications"],
        ["9 rows", "1,024 rows"],
    ),
    "bits in bytes": (
        lambda: nb19.draw_packed_bits(CODES, 3, "A title"),
        ["1 0 1 0 0 0 1 1 | 0 0 1 1 1 0 0 0 | 0 1 0 1 0 1 1 0"],
        ["1 + 4 + 64 + 128"],
    ),
    "the map of methods": (
        lambda: nb19.draw_method_map(METHODS, COLUMNS, "A title"),
        ["bits (bytes): after training: 8 bits (20).",
         "after training: layers dropped (27); while pretraining: DistilBERT (21)."],
        ["A title", "bits", "all four", "8 bits (20)", "DistilBERT (21)", "–", *COLUMNS],
    ),
})  # fmt: skip

test_what_cannot_be_drawn_is_refused_in_one_sentence = for_each_refusal({
    "no bytes": (lambda: nb19.draw_roofline([nb19.Operation("x", 0, 1e9)], 80e9, 10e9, ""), "above 0"),
    "no speed": (lambda: nb19.draw_roofline([nb19.Operation("x", 1, -1e9)], 80e9, 10e9, ""), "above 0"),
    "no codes": (lambda: nb19.draw_packed_bits([], 3, ""), "give one or more below"),
    "a large code": (lambda: nb19.draw_packed_bits([8], 3, ""), "give one or more below"),
    "a negative code": (lambda: nb19.draw_packed_bits([-1], 3, ""), "give one or more below"),
    "many codes": (lambda: nb19.draw_packed_bits([0] * 9, 4, ""), "give one or more below"),
    "a short row": (
        lambda: nb19.draw_method_map([nb19.MethodRow("bits", "bytes", ["x"])], COLUMNS, ""),
        "1 cells and the table 2 columns",
    ),
    "no rows": (lambda: nb19.draw_method_map([], COLUMNS, ""), "no rows"),
})  # fmt: skip


def test_the_roof_has_its_ridge_and_one_frame_for_a_machine() -> None:
    axes: Any = nb19.draw_roofline(OPERATIONS, 80e9, 10e9, "A title").axes[0]
    assert axes.get_xscale() == axes.get_yscale() == "log"
    roof = next(line for line in axes.lines if line.get_label() == "roof")
    assert (8.0, 80.0) in list(zip(roof.get_xdata(), roof.get_ydata(), strict=True))
    single: Any = nb19.draw_roofline(OPERATIONS[:1], 80e9, 10e9, "A title").axes[0]
    assert (single.get_xlim(), single.get_ylim()) == (axes.get_xlim(), axes.get_ylim())


@pytest.mark.parametrize(("codes", "bits"), [(CODES, 3), ([1, 0, 1], 1), ([200], 8), ([3, 9, 12], 4)])
def test_the_bytes_drawn_are_those_that_are_packed(codes: list[int], bits: int) -> None:
    packed = [str(byte) for byte in pack_bits(torch.tensor(codes, dtype=torch.uint8), bits).tolist()]
    figure, description = nb19.draw_packed_bits(codes, bits, "A title")
    assert {*packed} <= {*written(figure)} and description.endswith(f"The bytes are {', '.join(packed)}.")
