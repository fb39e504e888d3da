"""What notebook 33 reads of its record, cuts, rounds and weighs."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
import torch
from tiny_task import EXAMPLES, tiny_model

from chapters.nb33 import compressing, earlier, recorded, stacking
from chapters.nb33.drawings import DISKS
from lib.bert import WordPieceTokenizer
from lib.compression.bags import Bag, piece_features
from lib.compression.distillation.students import with_vocabulary
from lib.compression.floppy import Floppy
from lib.compression.quantizers import linear
from lib.text.tasks import TextExample, own


@pytest.fixture(scope="module")
def theirs() -> WordPieceTokenizer:
    return WordPieceTokenizer.from_pretrained("minilm")


def test_the_tables_say_what_the_record_has() -> None:
    files = recorded.files("headlines")
    sizes = {size for kind in files.values() for size in kind}
    assert max(sizes) <= max(DISKS) and len(sizes) == 9
    columns, _ = recorded.disks()
    assert {*DISKS.values()} == {*columns["disk"]} and len(columns["file"]) == 6
    right = dict(zip(zip(columns["disk"], columns["file"], strict=True), columns["right, %"], strict=True))
    leads = dict(zip(right, columns["lead over bags"], strict=True))
    for (disk, file), lead in leads.items():
        bags = right["1.44 MB" if disk == "360 kB" else disk, "bags alone"]
        assert (file == "bags alone") == (lead == "")
        if lead:
            assert abs(float(right[disk, file]) - float(bags) - float(lead)) < 0.11


def test_the_best_rival_that_fits_stands_beside_a_bert() -> None:
    rivals = recorded.files("headlines")[recorded.WITHOUT]
    best = {size: sum(right) / 3 for size, right in rivals.items()}
    for limit, name in DISKS.items():
        fitting = max((right, size) for size, right in best.items() if size <= limit)
        arm = f"{recorded.RIVAL}{recorded.BEST_RIVALS[name]}"
        runs = recorded.records.table("floppy").runs("headlines", arm)
        assert abs(fitting[1] - runs[0].costs["bytes"]) < 1000


def test_more_lessons_sort_more() -> None:
    columns, _ = recorded.lessons()
    bags = [float(percent) for percent in columns["bags of 100 kB, %"]]
    assert bags == sorted(bags) and columns["BERT alone, %"][1] == "not run"


def test_a_sorted_model_answers_the_same_and_is_cut() -> None:
    model, tokenizer = tiny_model(), WordPieceTokenizer.from_pretrained("minilm")
    asked = tokenizer([one.first for one in EXAMPLES])
    again = earlier.sorted_by_importance(model, EXAMPLES, tokenizer)
    torch.testing.assert_close(again(**asked).logits, model(**asked).logits, atol=1e-5, rtol=0)
    small = earlier.cut(model, layers=3, share=0.5, positions=8)
    assert len(small.bert.encoder.layer) == 3 and small.config.max_position_embeddings == 8
    place = "bert.encoder.layer.0.intermediate.dense"
    whole, half = (one.get_submodule(place).get_parameter("weight") for one in (model, small))
    assert 2 * len(half) == len(whole)


def test_a_smaller_vocabulary_spells_what_it_has_lost(theirs: WordPieceTokenizer) -> None:
    few = compressing.smaller(theirs, ["goal", "##s"])
    assert {"goal", "##s", "a", "##z", "[CLS]"} <= few.vocab.keys() and "the" not in few.vocab
    assert few.tokenize("goals the") == ["goal", "##s", "t", "##h", "##e"]


def test_rounding_takes_its_codes_from_a_function_of_ones_own(monkeypatch: pytest.MonkeyPatch) -> None:
    rows, named = torch.randn(4, 12), linear.SCHEMES["spread"]
    expected = linear.dequantize(*named(rows, 2))
    monkeypatch.setitem(linear.SCHEMES, "spread", named)
    compressing.take_codes_of(stacking.spread_codes)
    assert linear.SCHEMES["spread"] is not named
    torch.testing.assert_close(linear.dequantize(*linear.SCHEMES["spread"](rows, 2)), expected)
    zeros = linear.dequantize(*linear.SCHEMES["spread"](torch.zeros(1, 4), 2))
    assert torch.equal(zeros, torch.zeros(1, 4))


def test_zeros_make_a_file_smaller_and_steps_by_the_spread_leave_nothing(theirs: WordPieceTokenizer) -> None:
    model = tiny_model(labels=own.CATEGORIES)
    for path in compressing.matrices(model):
        weight = model.get_submodule(path).get_parameter("weight").data
        torch.nn.init.normal_(weight)
        weight[:, 0] = 4.0  # one large weight in each row
    largest = compressing.bits_in_the_file(model, theirs, 4, "symmetric")
    assert compressing.bits_in_the_file(model, theirs, 4, "symmetric", zeros=0.5) < largest
    codes = {name: compressing.codes_of_a_matrix(model, 3, name) for name in ("symmetric", "spread")}
    assert len(codes["spread"].unique()) > len(codes["symmetric"].unique())
    zeros = compressing.with_zeros(torch.tensor([[3.0, -1.0, 2.0, 0.5]]), 0.5)
    assert zeros.tolist() == [[3.0, 0.0, 2.0, 0.0]]


def test_a_disk_is_judged_by_what_comes_out_of_its_file(theirs: WordPieceTokenizer, tmp_path: Path) -> None:
    texts = [TextExample("a goal", None, 0), TextExample("a phone", None, 1)] * 4
    pieces = compressing.smaller(theirs, ["goal", "phone"])
    model: Any = with_vocabulary(tiny_model(), theirs, pieces)
    features = [piece_features(text.first, pieces) for text in texts]
    bag = Bag(len(pieces), size=4, hidden_size=8, classes=2)
    compressing.begin_with(bag, model, features)
    size, right = compressing.from_the_file(Floppy(("a", "b"), pieces, bag=bag), tmp_path / "bag.zip", texts)
    assert size == (tmp_path / "bag.zip").stat().st_size and 0 <= right <= 100
    assert compressing.weigh(model) > 4 * sum(weight.numel() for weight in model.parameters())
