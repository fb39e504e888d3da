"""The drawings of notebook 29."""

from pathlib import Path

import pytest
import torch
from pictures import for_each_example
from torch import nn
from torch.nn.utils import parametrize

from chapters.nb29 import drawings as nb29
from lib import records
from lib.bert import BertConfig
from lib.bert.heads import BertForSequenceClassification
from lib.compression.quantizers.ternary import ternarize

CONFIG = BertConfig(
    vocab_size=50, hidden_size=16, num_hidden_layers=1, num_attention_heads=2, intermediate_size=32
)

EIGHT = torch.tensor([0.31, -0.14, 0.04, 0.70, -0.42, 0.12, -0.03, 0.26])

test_a_drawing_says_what_it_shows = for_each_example({
    "three values of a row": (
        lambda: nb29.draw_three_values(EIGHT, {"one": (0.35, 0.7), "two": (0.177, 0.4225)}, "A row"),
        ["one: beyond 0.350 a weight becomes ±0.700, 75% become 0",
         "two: beyond 0.177 a weight becomes ±0.422, 50% become 0"],
        [],
    ),
    "a product of sums": (
        lambda: nb29.draw_sums([2, -1, 4], [1, 0, -1], 0.5),
        ["Codes +1 for 2, +0 for -1, -1 for 4.", "sum -2, times the scale 0.5: -1."],
        [],
    ),
    "the middle row of a matrix": (
        lambda: nb29.draw_middle_row(torch.stack([EIGHT, 10 * EIGHT, 100 * EIGHT])),
        ["8 weights of a row.", "first way: beyond 3.500 a weight becomes ±7.000, 75% become 0"],
        [],
    ),
    "three lessons on record": (
        lambda: nb29.draw_lessons(records.table("ternary_binary")),
        ["headlines: rounded only 44.7%, labels 77.7%", "SST-2: rounded only 80.4%"],
        [],
    ),
})  # fmt: skip


def test_what_is_recorded_is_said_with_its_verdicts() -> None:
    record = records.table("ternary_binary")
    said = nb29.less(record, "ten rounds", "least error", "TWN", "TWN")
    assert said == "ten rounds less TWN: -5.2 points, not resolved"
    accuracy, agreement, _ = nb29.verdicts_on_lessons(record).splitlines()
    assert accuracy == "accuracy, all three less either alone: +0.5 to +1.3 points, resolved in 0 of 4"
    assert agreement.endswith("+2.8 to +3.5 points, resolved in 4 of 4")


def test_codes_that_changed_are_counted() -> None:
    before, after = nn.Linear(2, 2), nn.Linear(2, 2)
    before.weight.data = torch.tensor([[1.0, 0.1], [-1.0, 0.9]])
    after.weight.data = torch.tensor([[1.0, 0.8], [-1.0, 0.9]])  # one that was 0 isn't
    parametrize.register_parametrization(after, "weight", nn.Identity())
    models = [nn.Sequential(layer) for layer in (before, after)]
    assert nb29.changed_codes(*models) == 0.25


def test_a_lead_has_what_only_one_gets_right() -> None:
    found = {"one": torch.tensor([True, True, False, True]), "two": torch.tensor([True, False, True, False])}
    assert (
        nb29.lead(found, "one", "two") == "right: only one 2, only two 1; luck alone may bring a lead of 3.5"
    )


def test_the_clock_has_five_routes_and_a_file_its_parts(tmp_path: Path) -> None:
    weight = torch.randn(8, 16)
    codes, scale = ternarize(weight)
    _, said = nb29.draw_clock(torch.randn(4, 16), weight, codes, scale)
    assert (
        said.startswith("Microseconds of one dense layer for 4 tokens: float32 ") and "8 bits as int8" in said
    )
    (tmp_path / "whole").write_bytes(bytes(3_000_000))
    (tmp_path / "small").write_bytes(bytes(300_000))
    model = BertForSequenceClassification(CONFIG)
    columns, caption = nb29.table_of_bytes(tmp_path / "whole", tmp_path / "small", model)
    assert caption == "The ternary file: 0.30 MB, 10.0 times smaller than 32 bits"
    assert sum(float(kilobytes) for kilobytes in columns["kB"]) == pytest.approx(300, abs=3)
