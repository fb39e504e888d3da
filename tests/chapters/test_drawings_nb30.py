"""The drawings of notebook 30."""

from functools import partial

import torch
from pictures import for_each_example
from torch import nn
from torch.nn.utils import parametrize

from chapters.nb30 import drawings as nb30
from chapters.nb30.exchanged import EIGHT, split_exchanged
from lib import records
from lib.compression.quantizers.binary import BinarySum, split_ternary
from lib.compression.quantizers.ternary import ternarize

WAYS = records.table("ternary_binary")

test_a_drawing_says_what_it_shows = for_each_example({
    "a weight as two": (
        nb30.draw_split,
        ["weight: 0.31, -0.14", "its set: I, K, J", "binary, summed: 0.4225, 0.0000"],
        ["0.31", "K", "0.4225"],
    ),
    "accuracy over bits": (
        nb30.draw_bits,
        ["Rounded only: 32 bits 80.7", "1 bit 15.5", "inputs in four bits: three values 76.5"],
        ["three values", "rounded only", "a guess"],
    ),
    "three ways": (
        partial(nb30.draw_ways, WAYS),
        ["headlines, not split 79.2", "SST-2, whole model 88.8"],
        ["headlines, split", "SST-2, binary at once"],
    ),
    "curvature": (
        partial(nb30.draw_curvature, WAYS),
        ["where their training ended", "binary: headlines, query and key 0.4"],
        ["SST-2, value", "top eigenvalue"],
    ),
    "a clock": (
        partial(nb30.draw_clock, torch.randn(4, 64), torch.randn(16, 64)),
        ["Microseconds of one dense layer for 4 tokens: float32"],
        ["XOR and popcount", "microseconds"],
    ),
})  # fmt: skip


def split_layer() -> nn.Linear:
    """Eight weights as two times eight."""
    layer = nn.Linear(8, 1)
    layer.weight = nn.Parameter(EIGHT.float())
    parametrize.register_parametrization(layer, "weight", BinarySum(layer.weight))
    return layer


def test_the_exchange_shows_in_a_zero() -> None:
    table = nb30.table_of_slip({"right": split_ternary, "exchanged": split_exchanged}, EIGHT)
    assert table["a zero of the eight"] == ["0.0000", "-0.0025"]
    assert table["largest error in a matrix"][1] == "2e-03"


def test_two_signs_have_four_sums_of_which_three_occur_at_first() -> None:
    layer = split_layer()
    table = nb30.table_of_sums(layer)
    assert table["weights"] == ["3", "4", "1", "0"]
    assert nb30.count_of_fourth(layer) == 0
    assert nb30.gap_of_scales(layer) < 1e-6


def test_zeros_are_counted_in_layers_alone() -> None:
    model = nn.Module()
    layer = nn.Linear(8, 1)
    codes, scale = ternarize(EIGHT)
    layer.weight = nn.Parameter((scale * codes).float())
    model.bert = nn.ModuleList([layer, nn.Embedding.from_pretrained(torch.zeros(3, 2))])
    assert nb30.share_of_zeros(model) == 0.5


def test_verdicts_name_seconds() -> None:
    lines = nb30.verdicts_on_ways(WAYS).splitlines()
    assert lines[2] == "split less not split: -1.1 and -0.4 points, resolved in 0 of 2"
    assert "split 36.7" in lines[3]
