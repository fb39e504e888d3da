"""The drawings of notebook 19."""

from typing import Any

import pytest
import torch
from pictures import for_each_example, for_each_refusal, written

from chapters.nb19 import drawings as nb19
from chapters.nb19.parts import parts_of
from lib.bert import BertConfig, BertForSequenceClassification
from lib.compression.quantizers.packing import pack_bits

POINTS = [nb19.Point(9, 1e-4, 2e-4, 4e-4), nb19.Point(1024, 128e-4, 126e-4, 130e-4)]
CODES = [5, 0, 3, 6, 1, 4, 2, 3]
METHODS = [
    nb19.MethodRow("bits", "rougher", ["8 bits (20)", ""]),
    nb19.MethodRow("layers", "fewer", ["layers\ndropped (27)", "DistilBERT (21)"]),
]
COLUMNS = ["after training", "while pretraining"]
PARTS = {"embeddings": 30, "layers": 10}


test_a_drawing_says_what_it_shows = for_each_example({
    "a roofline": (
        lambda: nb19.draw_roofline(POINTS),
        ["1,024 tokens take 128 times as long as 9 by the roof, 63 with cached weights, 32 with fetched",
         "9 tokens: at least 0.9, with weights cached 1.8, fetched 3.6.",
         "1,024 tokens: at least 1.0, with weights cached 1.0, fetched 1.0.",
         "0.9 by the roof, +0.9 with cached weights, +1.8 for fetching."],
        ["9", "1,024", "3.6", "weights cached", "weights fetched", "+1.8  for fetching"],
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
    "no speed": (lambda: nb19.draw_roofline([nb19.Point(9, 1, -1, 1)]), "above 0"),
    "no time at all": (lambda: nb19.draw_roofline([nb19.Point(9, 0, 1, 1)]), "above 0"),
    "no layers": (lambda: nb19.draw_roofline([]), "No layer reads 9 tokens"),
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


def test_the_roof_is_the_one_that_is_given() -> None:
    axes: Any = nb19.draw_roofline(POINTS)[0].axes[0]
    roofs = [line.get_ydata()[0] for line in axes.lines]
    assert roofs == [pytest.approx(8 / 9), pytest.approx(1)]
    assert [bar.get_height() for bar in axes.patches[:2]] == [pytest.approx(32 / 9), pytest.approx(130 / 128)]


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


def test_a_part_has_its_modules_in_every_layer() -> None:
    model = BertForSequenceClassification(
        BertConfig(num_hidden_layers=3, hidden_size=24, intermediate_size=48)
    )
    parts = parts_of(model)
    assert {part: len(modules) for part, modules in parts.items()} == {
        "embeddings": 1, "attention": 3, "feed-forward": 6, "pooler": 1,
    }  # fmt: skip
    weights = sum(
        weight.numel() for modules in parts.values() for one in modules for weight in one.parameters()
    )
    assert weights == sum(weight.numel() for weight in model.bert.parameters())
