"""What earlier notebooks built and this one uses again: queries, keys and values of a layer (06)."""

from typing import Any, NamedTuple

import torch
from torch import Tensor

from lib.bert import BertModel, WordPieceTokenizer
from lib.text import documents
from lib.text.reader import FOLDER


class Projections(NamedTuple):
    """Queries, keys and values [H, T, K] of one layer's heads."""

    queries: Tensor
    keys: Tensor
    values: Tensor


@torch.no_grad()
def projections_of_minilm(layer: int, tokens: int = 512) -> Projections:
    """Notebook 06: what the heads of a layer of MiniLM, counted from 0, make of the course's town stories."""
    text = " ".join(sentence for document in documents(FOLDER / "town.txt") for sentence in document)
    model = BertModel.from_pretrained("minilm").eval()
    part: Any = model.encoder.layer[layer].attention
    part = part.self
    found = {}
    for name in ("query", "key", "value"):
        module = getattr(part, name)
        module.register_forward_hook(lambda module, _inputs, output: found.update({module: output}))
    model(**WordPieceTokenizer.from_pretrained("minilm")([text], max_length=tokens))
    split = [
        found[module][0].unflatten(-1, (model.config.num_attention_heads, -1)).transpose(0, 1)
        for module in (part.query, part.key, part.value)
    ]
    return Projections(*split)
