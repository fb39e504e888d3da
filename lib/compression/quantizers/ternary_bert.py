"""TernaryBERT and BinaryBERT as whole models: what of them is rounded, and one becoming the other.

    round_like_ternary_bert(model)                           # Zhang et al., 2020
    round_like_ternary_bert(model, "BinaryQuantization")
    split_ternary_weights(model)                             # Bai et al., 2021

Both learn from the teacher's answers and its inside: `lib.compression.distillation.methods.ternary_bert`.
What layers read is rounded by `quantize_inputs(model, bits, per="tensor")`. In the released code queries,
keys, values and attention weights are rounded too, and at 4 bits BinaryBERT learns the size of a step (LSQ)
and takes ReLU for GELU, both of which are left out here.
"""

from __future__ import annotations

from typing import Any

from torch import nn

from lib.bert.alterations import changes_of, note, parametrize
from lib.bert.surgery import unparametrize
from lib.compression.parts import BERT_PARTS, paths_of
from lib.compression.quantizers.binary import BinarySum, validate_split
from lib.compression.quantizers.model import compute_weights
from lib.compression.quantizers.ternary import TernaryQuantization

WORDS = ["word_embeddings"]
MATRICES = [part for part in BERT_PARTS if "embeddings" not in part]  # the pooler's too


def round_like_ternary_bert(model: nn.Module, kind: str = TernaryQuantization.__name__) -> None:
    """Let each matrix have one scale and each word its own; positions, token types, norms and head stay.

    kind: "TernaryQuantization", "BinaryQuantization" or "BinarySum". BERT alone, ours or of `transformers`.
    """
    compute_weights(model, kind, paths_of(model, MATRICES), groups=1)
    compute_weights(model, kind, paths_of(model, WORDS), groups=None)


def split_ternary_weights(model: nn.Module) -> None:
    """Make each ternary weight of a model the sum of two binary ones; its answers stay what they are.

    ValueError, with nothing changed, where none is ternary, or one has no such sum.
    """
    ternary: dict[str, tuple[Any, int]] = {}
    for path, module in model.named_modules():
        steps: Any = getattr(getattr(module, "parametrizations", None), "weight", ())
        if len(steps) == 1 and isinstance(steps[0], TernaryQuantization):
            validate_split(steps.original, steps[0].groups)
            ternary[path] = module, steps[0].groups
    if not ternary:
        raise ValueError("This model has no ternary weights: round_like_ternary_bert(model) makes some.")
    for module, _ in ternary.values():
        unparametrize(module, "weight", keep_value=False)
    changes = changes_of(model)
    note(model, tuple(c for c in changes if c.arguments.get("kind") != TernaryQuantization.__name__))
    for path, (_, groups) in ternary.items():
        parametrize(model, path, BinarySum.__name__, groups=groups)
