"""Ghosts: a kernel for each feature, behind both halves of a layer."""

from __future__ import annotations

import copy
from pathlib import Path
from typing import Any

import pytest
import torch
from tiny_berts import answers, batch_of, ours, with_padding

from lib.bert.added import added_parameters, remove_added
from lib.bert.alterations import changes_of
from lib.bert.heads import BertForSequenceClassification
from lib.compression.designs.ghosts import add_ghosts, depthwise
from lib.compression.packed import load_packed, save_packed

LAYERS = ["bert.encoder.layer.0", "bert.encoder.layer.1"]


def haunted(normalized: bool = True, size: int = 3, random: bool = False) -> BertForSequenceClassification:
    model: BertForSequenceClassification = ours()
    for path in LAYERS:
        add_ghosts(model, path, size=size, normalized=normalized)
    if random:
        generator = torch.Generator().manual_seed(1)
        with torch.no_grad():
            for kernel in added_parameters(model).values():
                kernel.copy_(torch.randn(kernel.shape, generator=generator))
    return model


def test_inv_zero_kernels_are_no_op_as_they_are_and_are_not_with_softmax() -> None:
    before = answers(ours())
    assert torch.equal(answers(haunted(normalized=False)), before)
    assert (answers(haunted()) - before).abs().max() > 0.01


def test_what_a_zero_kernel_adds_with_softmax_is_the_smoothed_update() -> None:
    model, plain = haunted(), ours()
    batch = batch_of(1)
    hidden = plain.bert.embeddings(batch["input_ids"], batch["token_type_ids"])
    half = plain.bert.encoder.layer[0].attention
    update = half.output.dense(half.self(hidden))
    smoothed = depthwise(update, torch.full((16, 3), 1 / 3))
    expected = half.output.LayerNorm(hidden + update + smoothed)
    layer: Any = model.bert.encoder.layer[0]
    layer.ghosts.before_layer(layer, (hidden,))
    assert torch.allclose(layer.attention(hidden), expected, atol=1e-6)


@pytest.mark.parametrize("normalized", [True, False])
def test_inv_padding_changes_no_answer(normalized: bool) -> None:
    model = haunted(normalized, random=True)
    assert torch.allclose(answers(model, with_padding(batch_of(), 4)), answers(model), atol=1e-5)


def test_weights_are_counted() -> None:
    """Two kernels a layer: 13,824 in MiniLM, and 55,296 in BERT-base, which the paper calls 55.3K."""
    added = added_parameters(haunted())
    assert sum(kernel.numel() for kernel in added.values()) == 2 * 2 * 16 * 3
    assert 6 * 2 * 384 * 3 == 13_824 and 12 * 2 * 768 * 3 == 55_296


@pytest.mark.parametrize("normalized", [True, False])
def test_a_model_with_ghosts_is_saved_packed_copied_and_loaded(normalized: bool, tmp_path: Path) -> None:
    model = haunted(normalized, random=True)
    expected = answers(model)
    model.save_pretrained(tmp_path / "folder")
    loaded = BertForSequenceClassification.from_pretrained(str(tmp_path / "folder"))
    assert torch.equal(answers(loaded), expected)
    save_packed(model, tmp_path / "packed.safetensors")
    assert torch.equal(answers(load_packed(tmp_path / "packed.safetensors")), expected)
    twin: Any = copy.deepcopy(model)
    twin.bert.encoder.layer[0].ghosts.attention.data.zero_()
    assert torch.equal(answers(model), expected) and not torch.equal(answers(twin), expected)


def test_ghosts_learn_and_go_again() -> None:
    model = haunted(normalized=False)
    model(**batch_of(3)).loss.backward()
    assert all(kernel.grad is not None and kernel.grad.any() for kernel in added_parameters(model).values())
    remove_added(model)
    assert torch.equal(answers(model), answers(ours())) and not changes_of(model)


def test_a_kernel_without_a_middle_is_refused() -> None:
    with pytest.raises(ValueError, match="odd"):
        add_ghosts(ours(), LAYERS[0], size=4)
    with pytest.raises(ValueError, match="EncoderLayer"):
        add_ghosts(ours(), "bert.pooler")
