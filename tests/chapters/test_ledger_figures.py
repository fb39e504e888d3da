"""The pictures of the ledger's notebook: bits packed into bytes, and the map of the field's methods."""

from typing import Any

import pytest
import torch

from chapters.nb19 import drawings
from lib import figures
from lib.compression.quantizers.packing import pack_bits

CODES = [5, 0, 3, 6, 1, 4, 2, 3]
ROWS = [
    drawings.MethodRow("bits", "bytes", ["8 bits (20)", ""]),
    drawings.MethodRow("layers", "all four", ["layers\ndropped (27)", "DistilBERT (21)"]),
]
COLUMNS = ["after training", "while pretraining"]


def written(figure: Any) -> list[str]:
    return [text.get_text() for text in figure.axes[0].texts]


@pytest.mark.parametrize(("codes", "bits"), [(CODES, 3), ([1, 0, 1], 1), ([200], 8), ([3, 9, 12], 4)])
def test_the_bytes_drawn_are_those_that_are_packed(codes: list[int], bits: int) -> None:
    packed = pack_bits(torch.tensor(codes, dtype=torch.uint8), bits).tolist()
    texts = written(drawings.draw_packed_bits(codes, bits, "A title")[0])
    assert {str(byte) for byte in packed} <= set(texts)
    said = drawings.draw_packed_bits(codes, bits, "a title")[1]
    assert said.endswith(f"The bytes are {', '.join(map(str, packed))}.")


def test_the_stream_is_said_with_its_cuts() -> None:
    said = drawings.draw_packed_bits(CODES, 3, "a title")[1]
    assert "1 0 1 0 0 0 1 1 | 0 0 1 1 1 0 0 0 | 0 1 0 1 0 1 1 0" in said
    assert "1 + 4 + 64 + 128" in written(drawings.draw_packed_bits(CODES, 3, "A title")[0])


@pytest.mark.parametrize(("codes", "bits"), [([], 3), ([8], 3), ([-1], 3), ([0] * 9, 4)])
def test_codes_that_do_not_fit_are_refused(codes: list[int], bits: int) -> None:
    with pytest.raises(ValueError, match="give one or more below"):
        drawings.draw_packed_bits(codes, bits, "A title")


def test_the_map_names_every_method_and_leaves_the_rest_empty() -> None:
    figure = drawings.draw_method_map(ROWS, COLUMNS, "A title")[0]
    texts = written(figure)
    for words in ("A title", "bits", "all four", "8 bits (20)", "DistilBERT (21)", *COLUMNS):
        assert words in texts
    assert texts.count("–") == 1
    said = drawings.draw_method_map(ROWS, COLUMNS, "a title")[1]
    assert "bits (bytes): after training: 8 bits (20)." in said
    assert "after training: layers dropped (27); while pretraining: DistilBERT (21)." in said
    assert figures.png(figure)


def test_a_row_has_a_cell_for_each_column() -> None:
    with pytest.raises(ValueError, match="1 cells and the table 2 columns"):
        drawings.draw_method_map([drawings.MethodRow("bits", "bytes", ["x"])], COLUMNS, "A title")
    with pytest.raises(ValueError, match="no rows"):
        drawings.draw_method_map([], COLUMNS, "A title")
