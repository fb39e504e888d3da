"""What the bench times of pruning is smaller by what it says."""

from typing import Any

import torch

from lib.bert import BertConfig
from tools.bench import compression as bench


def test_what_is_timed_is_smaller_by_what_it_says() -> None:
    built: dict[str, Any] = {name: prune(tiny_minilm()) for name, prune in bench.PRUNED.items()}
    sizes = {
        name: [layer.attention.self.num_heads for layer in model.bert.encoder.layer]
        for name, model in built.items()
    }
    assert sum(sizes["dense"]) == 72 and sum(sizes[bench.HALF]) == 36 == sum(sizes["three layers"])


def tiny_minilm() -> Any:
    from lib.bert import BertForSequenceClassification

    torch.manual_seed(0)
    return BertForSequenceClassification(BertConfig(20, 384, 6, 12, 1536, max_position_embeddings=8)).eval()
