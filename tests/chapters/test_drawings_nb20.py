"""The drawings of notebook 20."""

from typing import Any

import pytest
import torch
from pictures import for_each_example, for_each_refusal, written

from chapters.nb20 import drawings as nb20
from chapters.nb20 import rounding
from lib.bert import BertConfig, BertForMaskedLM
from lib.compression.quantizers import fake, linear

ROW = [0.31, -0.14, 0.04, 0.70]
SCALES = {"one scale": 1.0, "its own": 0.1}
THREE = [0.50, -0.30, 2.40], [0.31, -0.14, 0.70], 0.1
SECONDS = {"float32": 2.0, "yours": 6.5, "fast": 1.0, "int32": 6.0, "int8": 0.5, "round": 0.1}
ROUNDED = {"by row": [[0.8, 0.82], [0.6, 0.64]], "by matrix": [[0.3, 0.3], [0.1, 0.1]]}
TRAINED = nb20.Trained(ROUNDED, {"by row": {3: [0.78, 0.8]}}, [0.8, 0.82], 1 / 9)

test_a_drawing_says_what_it_shows = for_each_example({
    "what each scale leaves of a row": (
        lambda: nb20.draw_row_ranges([0.7, 7.0, 0.5], ROW, SCALES, 7, "A title"),
        ["7.00 in row 1, at the median 0.70", "its own (0.1 a code): 25%"],
        ["row 1: 7.00", "one scale: 75% become 0", "its own: 25% become 0"],
    ),
    "a staircase": (
        lambda: nb20.draw_staircase(0.5, 3, [0.4]),
        ["7 steps, 0.5 high", "Beyond 1.5", "latent 0.40, rounded 0.50"],
        [],
    ),
    "whole numbers with a zero point": (
        lambda: nb20.draw_whole_numbers(*THREE),
        ["0.0 is code 2, the zero point", "have the codes 5  0  15", "int32 they give 102", "would be 1.88."],
        ["zero point", "less zero point 2", "3  -2  13", "int32: 102", "1.84", "not rounded: 1.88"],
    ),
    "a matrix and its largest weight": (
        lambda: nb20.draw_outlier(
            torch.tensor([[0.7, 0.1], [7.0, 0.2], [0.6, 0.3]]), torch.tensor([[1.0]]), torch.full((3, 1), 0.1)
        ),
        ["7.00 in row 1, at the median 0.70", "a scale of its own (0.1 a code): 0%"],
        ["one scale for the matrix: 50% become 0"],
    ),
    "rounded and trained": (
        lambda: nb20.draw_trained([4, 3], TRAINED, "A title"),
        ["by row, trained with rounding: 3 bits 79.0%", "a guess 11.1%"],
        [],
    ),
    "a bet beside the record": (
        lambda: nb20.draw_bet(3, 0.6, 0.76, 0.61),
        ["Yours, 3 bits: only rounded 60.0%, rounding inside 76.0%, rounded afterwards 61.0%."],
        ["yours, only rounded", "yours, rounding inside", "yours, control: rounded afterwards"],
    ),
    "a layer's time": (
        lambda: nb20.draw_layer_times(SECONDS),
        ["float32 1.00", "fast 0.50 (round the input 0.05, multiply 0.25, all else 0.20)"],
        ["3.25", "0.50"],
    ),
})  # fmt: skip

test_what_cannot_be_drawn_is_refused_in_one_sentence = for_each_refusal({
    "one scale": (lambda: nb20.draw_row_ranges([1.0], ROW, {"one": 1.0}, 3), "give two positive ones"),
    "a scale of 0": (
        lambda: nb20.draw_row_ranges([1.0], ROW, {"one": 1.0, "none": 0.0}, 3), "give two positive ones",
    ),
    "flat steps": (lambda: nb20.draw_staircase(0.0, 3, [0.4]), "positive"),
    "a range without 0.0": (
        lambda: nb20.draw_whole_numbers([1.0, 2.0], [0.1, 0.1], 0.1), "has to hold 0.0",
    ),
    "a step in no time": (lambda: nb20.draw_layer_times({**SECONDS, "int8": 0.0}), "has taken no time"),
})  # fmt: skip


def test_a_row_has_a_line_for_each_value_in_reach() -> None:
    _, coarse, fine = nb20.draw_row_ranges([0.7, 7.0, 0.5], ROW, SCALES, 7, "A title")[0].axes
    lines: list[Any] = [axes.collections[-1] for axes in (coarse, fine)]
    assert [len(line.get_segments()) for line in lines] == [1, 15]


def test_a_walk_stands_on_the_staircase() -> None:
    axes: Any = nb20.draw_staircase(0.5, 3, [0.4, 0.8, 9.0])[0].axes[0]
    dots = [(line.get_xdata()[0], line.get_ydata()[0]) for line in axes.lines[2:]]
    assert dots == [(0.4, 0.5), (0.8, 1.0), (9.0, 1.5)]


@pytest.mark.parametrize(
    ("int8", "verdict"), [(0.5, "is 4.0 times as fast"), (2.0, "is as fast"), (4.0, "is 2.0 times slower")]
)
def test_the_title_says_what_was_measured(int8: float, verdict: str) -> None:
    figure, _ = nb20.draw_layer_times({**SECONDS, "int8": int8})
    assert f"the fast product {verdict}" in " ".join(written(figure))


def test_zeros_are_counted_in_matrices_and_tables() -> None:
    model: Any = BertForMaskedLM(
        BertConfig(
            vocab_size=20, hidden_size=8, num_hidden_layers=1, num_attention_heads=2, intermediate_size=8
        )
    )
    torch.nn.init.ones_(model.bert.embeddings.word_embeddings.weight)
    before = nb20.share_of_zeros(model)
    torch.nn.init.zeros_(model.bert.encoder.layer[0].intermediate.dense.weight)
    weights = [w for name, w in model.bert.named_parameters() if w.dim() == 2]
    assert nb20.share_of_zeros(model) - before == pytest.approx(64 / sum(w.numel() for w in weights))


def test_what_is_written_out_for_readers_rounds_as_the_library_does() -> None:
    torch.manual_seed(0)
    weight = torch.randn(5, 40)
    for bits in (2, 3, 8):
        ours, theirs = rounding.quantize_asymmetric(weight, bits), linear.quantize_asymmetric(weight, bits)
        assert torch.equal(ours[0], theirs[0]) and torch.equal(ours[1], theirs[1])
        for scale in (0.3, torch.rand(5, 1) + 0.1):
            mine = rounding.fake_quantize(weight, scale, bits)
            assert torch.allclose(mine, fake.fake_quantize(weight, scale, bits), atol=1e-6)


def test_trained_models_stand_above_those_that_were_only_rounded() -> None:
    axes: Any = nb20.draw_trained([4, 3], TRAINED, "A title")[0].axes[0]
    line, dots = axes.lines[:2]
    assert line.get_ydata().tolist() == pytest.approx([81, 62]) and line.get_label() == "by row, rounded"
    assert [dots.get_xdata()[0], dots.get_ydata()[0]] == pytest.approx([3, 79])
    assert axes.texts[0].xy == pytest.approx((3, 79))  # the line from rounded to trained
