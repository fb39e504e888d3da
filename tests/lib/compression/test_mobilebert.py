"""A block of MobileBERT: the published one, its count, its one invariant."""

from __future__ import annotations

from typing import Any

import pytest
import torch
import transformers
from tiny_berts import CONFIG, batch_of, loss, ours, with_padding
from torch import nn
from transformers.models.mobilebert.modeling_mobilebert import MobileBertLayer

from lib.bert import BertModel
from lib.compression.distillation.knowledge import ATTENTION_SCORES, HIDDEN_STATES
from lib.compression.distillation.layer_maps import LayerPairs
from lib.compression.distillation.losses import SoftenedKL, squared_error
from lib.compression.distillation.matches import Match
from lib.compression.distillation.mobilebert import MobileBertBlock, MobileBertSizes, NoNorm
from lib.compression.distillation.objective import Distillation

THIN = MobileBertSizes(hidden_size=16, narrow_size=8, intermediate_size=12, num_heads=2, feed_forwards=3)


def published(sizes: MobileBertSizes) -> Any:
    config = transformers.MobileBertConfig(
        hidden_size=sizes.hidden_size,
        intra_bottleneck_size=sizes.narrow_size,
        intermediate_size=sizes.intermediate_size,
        num_attention_heads=sizes.num_heads,
        num_feedforward_networks=sizes.feed_forwards,
        attn_implementation="eager",
    )
    return MobileBertLayer(config).eval()


def test_the_block_is_the_published_one() -> None:
    torch.manual_seed(0)
    layer, block = published(THIN), MobileBertBlock(THIN)
    for tensor in layer.parameters():
        nn.init.normal_(tensor, std=0.5)
    block.load_state_dict(layer.state_dict())
    hidden, real = torch.randn(3, 5, 16), torch.arange(5) < torch.tensor([[5], [3], [4]])
    added = (~real[:, None, None, :]).float() * -1e4
    expected = layer(hidden, attention_mask=added)
    expected = expected[0] if isinstance(expected, tuple) else expected
    assert torch.allclose(block(hidden, real[:, None, None, :])[real], expected[real], rtol=1e-4, atol=1e-4)


def test_a_block_of_no_named_sizes_is_as_large_as_a_published_one() -> None:
    block, layer = MobileBertBlock(), MobileBertLayer(transformers.MobileBertConfig())
    counts = [sum(part.numel() for part in network.parameters()) for network in (block, layer)]
    assert counts[0] == counts[1]


def test_inv_no_norm_looks_at_no_token_and_folds_into_the_layer_before_it() -> None:
    torch.manual_seed(0)
    norm = NoNorm(16)
    nn.init.normal_(norm.weight)
    x, y = torch.randn(2, 3, 16)
    assert torch.allclose(norm(x + y), norm(x) + norm(y))  # linear, as no layer norm is
    assert not torch.allclose(nn.LayerNorm(16)(x + y), nn.LayerNorm(16)(x) + nn.LayerNorm(16)(y))
    bottleneck = MobileBertBlock(THIN).bottleneck.input
    for tensor in bottleneck.LayerNorm.parameters():
        nn.init.normal_(tensor)
    folded = bottleneck.folded()
    assert isinstance(folded, nn.Linear) and torch.allclose(folded(x), bottleneck(x), atol=1e-5)


def test_blocks_stand_in_a_bert_and_learn_layer_by_layer() -> None:
    teacher = ours()

    def stack(seed: int) -> Any:
        torch.manual_seed(seed)
        student = ours(seed=seed)
        student.bert = BertModel(CONFIG, layer=lambda _config: MobileBertBlock(THIN)).eval()
        return student

    student = stack(1)
    first = LayerPairs(((1, 1),))
    matches = [Match(HIDDEN_STATES, first, squared_error), Match(ATTENTION_SCORES, first, SoftenedKL())]
    objective = Distillation(student, teacher, matches)
    batch = batch_of()
    expected = loss(objective, batch).item()
    assert loss(objective, with_padding(batch, 3)).item() == pytest.approx(expected, abs=1e-5)
    loss(objective, batch).backward()
    moved = {name for name, part in student.named_parameters() if part.grad is not None and part.grad.any()}
    assert any("layer.0.ffn" in name for name in moved) and not any("layer.1." in name for name in moved)


def test_sizes_that_heads_cannot_share() -> None:
    with pytest.raises(ValueError, match="heads divide"):
        MobileBertSizes(narrow_size=10)
