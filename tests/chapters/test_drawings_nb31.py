"""The drawings of notebook 31, and what its tables say."""

import copy

import pytest
import torch
from matplotlib.patches import Rectangle
from pictures import for_each_example

from chapters.nb31 import drawings as nb31
from lib import records
from lib.bert import BertConfig
from lib.bert.heads import BertForSequenceClassification
from lib.compression.factorizing import factorize_linears, inputs_of

CONFIG = BertConfig(
    vocab_size=50, hidden_size=16, num_hidden_layers=2, num_attention_heads=2, intermediate_size=32
)
SHARED = {"apart": [0, 1, 2], "shared": [0, 0, 0], "one": [0]}
RATIOS = {3: {"control": 0.98, "shared": 0.7}, 9: {"control": 1.01, "shared": 0.9}}
NARROW = torch.diag(torch.tensor([2.0, 2, 1, 1, 1, 1, 1, 1]))

test_a_drawing_says_what_it_shows = for_each_example({
    "what runs and what is shared": (
        lambda: nb31.draw_stacks(SHARED, "Layers"),
        ["apart: layers 0, 1, 2 run, 3 with weights of their own; shared"],
        ["shared\n1 set of weights, 3 runs", "one\n1 set of weights, 1 run"],
    ),
    "what the first directions hold": (
        lambda: nb31.draw_directions(NARROW, NARROW * (NARROW > 1)),
        ["in the first 1, 2, 4 directions: the weights 29%, 57%, 71%; the outputs 50%, 100%, 100%"],
        ["directions kept, of 8"],
    ),
    "the time by program": (
        lambda: nb31.draw_programs(records.table("ledger")),
        ["one text of 9 pieces: PyTorch, 32 bits 0.81, PyTorch, 16 bits 0.81, onnxruntime, 32 bits 0.77, "],
        ["32 texts of 32 pieces"],
    ),
    "the time by the length of a text": (
        lambda: nb31.draw_lengths(RATIOS),
        ["3 pieces: control 0.98, shared 0.70; 9 pieces: control 1.01, shared 0.90"],
        ["pieces of the text"],
    ),
    "runs on record": (
        lambda: nb31.draw_runs(records.table("sharing")),
        ["1 layer, once: headlines right, % 78.7; 1 layer, six times: headlines right, % 78.6"],
        ["1 layer, six times"],
    ),
    "trails on record": (
        lambda: nb31.draw_trails(records.table("sharing")),
        ["3 hops: right, % 85, steps 2.1; 3 hops, ten times the price: right, % 57, steps 1.0"],
        ["steps"],
    ),
})  # fmt: skip


def test_a_set_of_weights_looks_the_same_in_every_stack() -> None:
    figure, _ = nb31.draw_stacks({"apart": range(6), "pairs": ["0, 1", "0, 1", 2], "mean": ["m", "m"]})
    boxes = [patch for patch in figure.axes[0].patches if isinstance(patch, Rectangle)][::2]
    looks = [(box.get_facecolor(), box.get_hatch()) for box in boxes]
    assert looks[2] == looks[8] and looks[6] == looks[7] and looks[9] == looks[10]
    assert len(set(looks)) == 8


def test_the_tables_of_cuts() -> None:
    torch.manual_seed(0)
    whole = BertForSequenceClassification(CONFIG).eval()
    cut = copy.deepcopy(whole)
    factorize_linears(cut, rank=4)
    ids = torch.randint(5, 50, (2, 7))
    paths = inputs_of(whole, [{"input_ids": ids, "attention_mask": torch.ones_like(ids)}])
    lost = nb31.lost_of_weights(whole, cut, paths)
    assert 0 < lost < 1 and nb31.lost_of_weights(whole, whole, paths) == 0
    models, right = {"whole": whole, "cut": cut}, {"whole": 0.75, "cut": 0.5}
    by_loss = nb31.table_of_cuts(models, right, paths)
    assert by_loss["lost of the squared weights"] == ["0%", f"{lost:.0%}"]
    assert nb31.numbers_in_layers(whole) == 2 * (4 * 16 * 16 + 2 * 16 * 32)
    assert nb31.numbers_in_layers(cut) == 2 * 4 * (4 * 32 + 2 * 48)
    by_size = nb31.table_of_bytes(models, right)
    assert by_size["MB in 32 bits"] == ["0.1", "0.0"]
    assert by_size["headlines right"] == ["75.0%", "50.0%"]


def test_the_shared_layer_stands_beside_six_layers_of_its_day() -> None:
    ledger = records.table("ledger")
    rows = [ledger.runs("headlines", arm)[0] for arm in (*nb31.SIX_LAYERS, "1 layer, six times")]
    for key in ("date", "commit", "machine"):
        assert len({row.made_with[key] for row in rows}) == 1
    assert len({row.costs["multiply_adds"]["32 x 32"] for row in rows}) == 1


def test_a_ratio_is_of_one_round() -> None:
    seconds = {"whole": [1.0, 2.0, 4.0], "other": [3.0, 1.0, 3.0]}
    assert nb31.beside_the_first(seconds) == {"other": 0.75}


def test_the_verdicts_of_the_record() -> None:
    record = records.table("sharing")
    ranks = nb31.verdicts_on_ranks(record)
    assert ranks.startswith("headlines, rank 96: +35.1 points, resolved\nheadlines, rank 192: +7.")
    assert ranks.endswith("SST-2, ranks 96, 128, 192: +4.9, +3.0, +0.6 points, 0 of 3 resolved")
    assert nb31.verdicts_on_words(record).count("points, resolved") == 2
    runs = nb31.verdicts_on_runs(record)
    assert runs.startswith("3 layers, twice less once, 100 steps: -4.6 points, resolved\n")
    assert runs.count("not resolved") == 2
    assert nb31.mean_right(record, "words, rank 128") == pytest.approx(75.8, abs=0.1)
