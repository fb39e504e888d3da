"""Binary models as files, a bit for each sign."""

import tempfile
from copy import deepcopy
from pathlib import Path
from typing import Any

import torch
from torch import nn
from torch.nn.utils import parametrize

from lib.bert.heads import BertForSequenceClassification
from lib.compression.packed import save_packed
from lib.compression.quantizers.ternary_bert import round_like_ternary_bert

KINDS = {
    "32 bits": "",
    "1 bit": "BinaryQuantization",
    "three values": "TernaryQuantization",
    "two times 1 bit": "BinarySum",
}


@torch.no_grad()
def storable(split: BertForSequenceClassification) -> BertForSequenceClassification:
    """A copy that the library can store: the page's pairs of latent weights become those of a `BinarySum`."""
    stored = deepcopy(split)
    halves: dict[str, tuple[Any, Any]] = {}
    for path, part in stored.named_modules():
        if parametrize.is_parametrized(part):
            latent: Any = part.parametrizations
            halves[path] = latent.weight.original0, latent.weight.original1
    for path in halves:
        parametrize.remove_parametrizations(stored.get_submodule(path), "weight")
    round_like_ternary_bert(stored, KINDS["two times 1 bit"])
    for path, (first, second) in halves.items():
        latent = stored.get_submodule(path).parametrizations
        latent.weight.original0.copy_(first)
        latent.weight.original1.copy_(second)
    return stored


def megabytes_of_kinds(whole: nn.Module) -> dict[str, float]:
    """What a model weighs in 32 bits and in each kind of few bits, packed, in MB."""
    weighed = {}
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder, "packed")
        for name, kind in KINDS.items():
            model = deepcopy(whole)
            if kind:
                round_like_ternary_bert(model, kind)
            save_packed(model, file)
            weighed[name] = file.stat().st_size / 1e6
    return weighed
