"""What notebook 33 reads of its record, sorts and compresses."""

from __future__ import annotations

from typing import Any

import torch
from tiny_task import EXAMPLES, tiny_model

from chapters.nb33 import recorded
from chapters.nb33.compressing import bits_a_code
from chapters.nb33.drawings import DISKS
from chapters.nb33.rewiring import rewired
from lib.bert import WordPieceTokenizer


def test_the_tables_say_what_the_record_has() -> None:
    for task, by_disk in recorded.DISKS.items():
        sizes = {size for kind in recorded.files(task).values() for size in kind}
        assert max(sizes) <= max(DISKS) and len(sizes) > len(by_disk)
    disks, lessons = recorded.disks(), recorded.lessons()
    assert {*DISKS.values()} < {*disks["disk"]}
    for file, rival, lead in zip(
        disks["with a BERT, %"], disks["no attention, %"], disks["the BERT's lead"], strict=True
    ):
        assert abs(float(file) - float(rival) - float(lead.removesuffix(" (open)"))) < 0.11
    assert [*map(float, lessons["right, %"])] == sorted(map(float, lessons["right, %"]))


def test_a_sorted_model_answers_the_same() -> None:
    model: Any = tiny_model()
    tokenizer = WordPieceTokenizer.from_pretrained("minilm")
    asked = tokenizer([one.first for one in EXAMPLES])
    again: Any = rewired(model, EXAMPLES, tokenizer)
    torch.testing.assert_close(again(**asked).logits, model(**asked).logits, atol=1e-5, rtol=0)
    layer, sorted_layer = (one.bert.encoder.layer[0].intermediate.dense.weight for one in (model, again))
    assert not torch.equal(layer, sorted_layer)
    torch.testing.assert_close(layer.sum(dim=0), sorted_layer.sum(dim=0), atol=1e-5, rtol=0)


def test_spread_steps_leave_nothing_to_compress() -> None:
    weight = torch.randn(200, 300, generator=torch.Generator().manual_seed(0))
    weight[:, 0] = 12.0  # one large weight in each row
    (least, after), (spread, spread_after) = (
        bits_a_code(weight, 3, name) for name in ("symmetric", "spread")
    )
    assert least + 1 < spread <= 3 and after < spread_after
