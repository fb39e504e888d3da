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

Student = BertForSequenceClassification
KINDS = {
    "32 bits": "",
    "1 bit": "BinaryQuantization",
    "three values": "TernaryQuantization",
    "two times 1 bit": "BinarySum",
}


@torch.no_grad()
def storable(split: Student, plain: Student) -> Student:
    """A copy of a split model that the library can store: the page's latent weights in a `BinarySum`.

    plain: a model of the same shapes that computes none of its weights.
    """
    stored = deepcopy(plain)
    for name, parameter in stored.named_parameters():
        path, _, last = name.rpartition(".")
        parameter.copy_(getattr(split.get_submodule(path), last))
    round_like_ternary_bert(stored, KINDS["two times 1 bit"])
    for path, part in split.named_modules():
        if parametrize.is_parametrized(part):
            own, given = (_latent(model.get_submodule(path)) for model in (stored, split))
            own.original0.copy_(given.original0)
            own.original1.copy_(given.original1)
    return stored


def _latent(part: Any) -> Any:
    return part.parametrizations.weight


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
