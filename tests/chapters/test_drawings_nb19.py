"""The drawings of notebook 19."""

from typing import Any

import pytest
import torch
from pictures import for_each_example, for_each_refusal, written

from chapters.nb19 import drawings as nb19
from lib.bert import BertConfig, BertForSequenceClassification
from lib.compression.quantizers.packing import pack_bits

POINTS = [nb19.Point(9, 4.4, 22e9, 40e9), nb19.Point(1024, 118.0, 78e9, 79e9)]
CODES = [5, 0, 3, 6, 1, 4, 2, 3]
METHODS = [
    nb19.MethodRow("bits", "rougher", ["8 bits (20)", ""]),
    nb19.MethodRow("layers", "fewer", ["layers\ndropped (27)", "DistilBERT (21)"]),
]
COLUMNS = ["after training", "while pretraining"]
PARTS = {"embeddings": 30, "layers": 10}

test_a_drawing_says_what_it_shows = for_each_example({
    "a roofline": (
        lambda: nb19.draw_roofline(POINTS, 80e9, 10e9),
        ["80 billion operations a second", "10 GB a second", "8.0 operations a byte",
         "9 rows: 4.4 operations a byte, 22 billion a second of at most 44, where fetching takes longer",
         "1,024 rows: 118.0 operations a byte, 78 billion a second of at most 80, where multiplying"],
        ["9 rows", "1,024 rows", "weights in the cache", "weights fetched",
         "A dense layer: 1,024 rows run 4 times as fast as 9 rows"],
    ),
    "bits in bytes": (
        lambda: nb19.draw_packed_bits(CODES, 3, "A title"),
        ["1 0 1 0 0 0 1 1 | 0 0 1 1 1 0 0 0 | 0 1 0 1 0 1 1 0"],
        ["1 + 4 + 64 + 128"],
    ),
    "a map of methods": (
        lambda: nb19.draw_method_map(METHODS, COLUMNS, "A title"),
        ["bits (rougher): after training: 8 bits (20).",
         "after training: layers dropped (27); while pretraining: DistilBERT (21)."],
        ["A title", "bits", "fewer", "8 bits (20)", "DistilBERT (21)", "–", *COLUMNS],
    ),
    "the course's map": (
        nb19.draw_methods,
        ["weights set to zero (anywhere in a matrix): after training: by magnitude (26);"],
        ["8 bits (20), GOBO (25)", "ALBERT (31)"],
    ),
    "costs in percent": (
        lambda: nb19.draw_costs(PARTS, {"layers": 7}, {"1 text": {"embeddings": 1.0, "layers": 3.0}}),
        ["embeddings: of the bytes 75, of the multiply-adds (1 text of 9) 0, of the time, 1 text 25",
         "layers: of the bytes 25, of the multiply-adds (1 text of 9) 100, of the time, 1 text 75"],
        ["embeddings", "layers"],
    ),
})  # fmt: skip

test_what_cannot_be_drawn_is_refused_in_one_sentence = for_each_refusal({
    "no bytes": (lambda: nb19.draw_roofline([nb19.Point(1, 0, 1e9, 1e9)], 80e9, 10e9), "above 0"),
    "no speed": (lambda: nb19.draw_roofline([nb19.Point(1, 1, -1e9, 1e9)], 80e9, 10e9), "above 0"),
    "no layers": (lambda: nb19.draw_roofline([], 80e9, 10e9), "one or more"),
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
    axes: Any = nb19.draw_roofline(POINTS, 80e9, 10e9)[0].axes[0]
    assert axes.get_xscale() == axes.get_yscale() == "log"
    roof = next(line for line in axes.lines if line.get_label() == "roof")
    assert (8.0, 80.0) in list(zip(roof.get_xdata(), roof.get_ydata(), strict=True))
    single: Any = nb19.draw_roofline(POINTS[:1], 80e9, 10e9)[0].axes[0]
    assert (single.get_xlim(), single.get_ylim()) == (axes.get_xlim(), axes.get_ylim())


@pytest.mark.parametrize(("codes", "bits"), [(CODES, 3), ([1, 0, 1], 1), ([200], 8), ([3, 9, 12], 4)])
def test_the_bytes_drawn_are_those_that_are_packed(codes: list[int], bits: int) -> None:
    packed = [str(byte) for byte in pack_bits(torch.tensor(codes, dtype=torch.uint8), bits).tolist()]
    figure, description = nb19.draw_packed_bits(codes, bits, "A title")
    assert {*packed} <= {*written(figure)} and description.endswith(f"The bytes are {', '.join(packed)}.")


def test_times_are_told_beside_the_first_model() -> None:
    seconds = {"1 text": {"whole": 0.02, "small": 0.005}}
    columns, caption, _ = nb19.tabulate_zeros(
        {"whole": 90.88, "small": 9.0}, seconds, {"whole": 0.8, "small": 0.5}
    )
    assert columns["time, 1 text"] == ["1.00", "0.25"] and columns["file, MB"] == ["90.9", "9.0"]
    assert columns["headlines right, %"] == ["80.0", "50.0"] and "whole" in caption


def test_a_bet_stands_beside_what_was_counted_and_measured() -> None:
    columns, *_ = nb19.tabulate_bet({"file": 11.0}, {"file": 8.67}, {"file": 8.91, "control": 1.04})
    assert columns == {
        "": ["file", "control"],
        "you said": ["11.00", ""],
        "counted": ["8.67", ""],
        "measured": ["8.91", "1.04"],
    }


def test_the_clock_stands_beside_the_roof() -> None:
    columns, *_ = nb19.tabulate_roof(POINTS, 1e6, 80e9, 10e9)
    assert columns == {
        "rows": ["9", "1,024"],
        "at least, by the roof": ["0.20", "12.80"],
        "cached": ["0.23", "12.96"],
        "fetched": ["0.41", "13.13"],
        "fetched - cached": ["0.18", "0.17"],
    }


def test_many_rows_take_less_than_their_share() -> None:
    said = nb19.say_longer(*POINTS)
    assert said == "1,024 rows against 9: 114 times the operations, 3.5 times as fast, so 32 times as long"


def test_a_row_of_the_ledger_has_six_entries() -> None:
    model = BertForSequenceClassification(
        BertConfig(num_hidden_layers=1, hidden_size=24, intermediate_size=48)
    )
    one = {"whole": 1.0}
    columns, caption, _ = nb19.tabulate_rows({"whole": model}, {"whole": 90.88}, one, {"whole": 0.8}, one)
    assert [*columns][1:] == [
        "parameters, M", "file, MB", "multiply-adds, M", "time", "right, %", "agreement, %",
    ]  # fmt: skip
    assert columns["file, MB"] == ["90.9"] and columns["right, %"] == ["80.0"] and "whole" in caption
    assert columns["parameters, M"] == [f"{sum(weight.numel() for weight in model.parameters()) / 1e6:.1f}"]
