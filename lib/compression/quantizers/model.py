"""A whole model in a few bits: which of its tensors are quantized, and how finely.

Any model made of `nn.Linear` and `nn.Embedding` will do, ours and `transformers`'; `lib.compression.parts`
finds the paths, and says what is left out:

    with quantized(model, bits=3, paths=paths_of(model, ["feed_forward_in"])):
        evaluate(model, ...)  # rounded inside, to the bit as before afterwards
    quantize_weights(model, bits=4)  # to be trained so, and saved: lib.compression.packed
    quantize_inputs(model, bits=8, per="token")
    remove_quantization(model)
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any, Literal

import torch
from torch import Tensor, nn
from torch.nn.utils.parametrize import is_parametrized

from lib.bert.alterations import Change, changes_of, note, parametrize
from lib.bert.surgery import latents_of, module_at, unparametrize
from lib.compression.encodings import HalfPrecision
from lib.compression.parts import own_weight, paths_of
from lib.compression.quantizers.activations import leave_activations, quantize_activations
from lib.compression.quantizers.binary import BinaryQuantization, BinarySum
from lib.compression.quantizers.codebooks import CodebookQuantization
from lib.compression.quantizers.fake import LinearQuantization
from lib.compression.quantizers.quant_noise import QuantNoise
from lib.compression.quantizers.ternary import TernaryQuantization

#: what stores a weight in few bits; none is put on top of another
QUANTIZERS = (
    LinearQuantization, CodebookQuantization, QuantNoise, TernaryQuantization, BinaryQuantization, BinarySum,
)  # fmt: skip

# --- weights --------------------------------------------------------------------------------------


def quantize_weights(
    model: nn.Module,
    bits: int,
    paths: Sequence[str] | None = None,
    groups: int | None = None,
    scheme: str = "symmetric",
) -> None:
    """Let the weights at `paths`, all of `paths_of(model)` if not given, be computed in `bits` bits.

    groups and scheme are those of `LinearQuantization`: groups None is a range for each row, 1 one for each
    matrix. Latent weights are kept beside, and learn. ValueError, with nothing changed, if one is quantized
    already.
    """
    paths = paths_of(model) if paths is None else paths
    for module in _untied(model, paths).values():
        LinearQuantization(module.weight, bits, groups, scheme)  # raises before anything is changed
    compute_weights(model, LinearQuantization.__name__, paths, bits=bits, groups=groups, scheme=scheme)


def compute_weights(model: nn.Module, kind: str, paths: Sequence[str] | None = None, **options: Any) -> None:
    """Let the weights at `paths`, all of `paths_of(model)` if not given, be computed by a quantizer.

    kind: the name of one in `QUANTIZERS`; options: what it takes. ValueError if one is quantized already.
    """
    chosen = _untied(model, paths_of(model) if paths is None else paths)
    for path, module in chosen.items():
        if _quantizers(module):
            raise ValueError(f"{path} is quantized already: call remove_quantization(model) first.")
    for path in chosen:
        parametrize(model, path, kind, **options)


@contextmanager
def quantized(
    model: nn.Module,
    bits: int,
    paths: Sequence[str] | None = None,
    groups: int | None = None,
    scheme: str = "symmetric",
) -> Iterator[None]:
    """Inside this context the weights are rounded, once, when it begins; afterwards they are what they were.

    For a look, not for training: the arguments are those of `quantize_weights`, which rounds in each call.
    """
    with rounded(model, lambda weight: LinearQuantization(weight, bits, groups, scheme)(weight), paths):
        yield


@contextmanager
def rounded(
    model: nn.Module, rounding: Callable[[Tensor], Tensor], paths: Sequence[str] | None = None
) -> Iterator[None]:
    """Inside this context each of the weights is what `rounding(weight)` made of it when it began.

    rounding: from a weight [out, in], or a table [rows, D], to one of its shape. ValueError where a weight is
    computed already.
    """
    chosen = _untied(model, paths_of(model) if paths is None else paths)
    originals: dict[str, Tensor] = {}
    try:
        with torch.no_grad():
            for path, module in chosen.items():
                if is_parametrized(module, "weight"):
                    raise ValueError(f"The weight of {path} is computed: simplify(model) settles it.")
                values = rounding(module.weight)
                originals[path] = module.weight.detach().clone()
                module.weight.copy_(values)
        yield
    finally:
        with torch.no_grad():
            for path, weight in originals.items():
                chosen[path].weight.copy_(weight)


def halve_rest(model: nn.Module) -> None:
    """Let every parameter that nothing computes yet be rounded to half precision, and stored so.

    After `quantize_weights`: biases, norms, heads, and the tables that were left out.
    """
    for path, module in list(model.named_modules()):
        if "parametrizations" not in path.split("."):
            for name, _ in list(module.named_parameters(recurse=False)):
                parametrize(model, path, HalfPrecision.__name__, tensor=name)


# --- activations ----------------------------------------------------------------------------------


def quantize_inputs(
    model: nn.Module,
    bits: int = 8,
    paths: Sequence[str] | None = None,
    per: Literal["token", "tensor"] = "token",
    scheme: str = "symmetric",
) -> None:
    """Round what the Linears at `paths` read, with a range taken in each call: dynamic quantization.

    Attention's two products, softmax, norms and residual sums stay in real numbers.
    """
    for path in _linears(model, paths):
        quantize_activations(model, path, "input", "DynamicRange", bits=bits, per=per, scheme=scheme)


def remove_quantization(model: nn.Module) -> None:
    """Undo all of this module: latent weights are the weights, nothing is rounded or hooked any more."""
    for module in list(model.modules()):
        leave_activations(module)
        for tensor, steps in list(getattr(module, "parametrizations", nn.ModuleDict()).items()):
            for number in reversed(range(len(steps))):
                if isinstance(steps[number], (*QUANTIZERS, HalfPrecision)):
                    if len(steps) == 1:
                        _leave_latent(module, tensor, steps)
                    else:
                        del steps[number]
    note(model, tuple(change for change in changes_of(model) if not _quantizes(change)))


def _leave_latent(module: nn.Module, tensor: str, steps: Any) -> None:
    """Let a tensor be its latent one again; of two latent ones, their sum."""
    latent = torch.stack(latents_of(steps)).sum(dim=0).detach()
    unparametrize(module, tensor, keep_value=not steps.is_tensor)
    getattr(module, tensor).data.copy_(latent)


def _quantizes(change: Change) -> bool:
    kinds = [kind.__name__ for kind in (*QUANTIZERS, HalfPrecision)]
    return change.name == quantize_activations.__name__ or change.arguments.get("kind") in kinds


def _quantizers(module: Any) -> list[nn.Module]:
    steps = getattr(getattr(module, "parametrizations", None), "weight", ())
    return [step for step in steps if isinstance(step, QUANTIZERS)]


def _linears(model: nn.Module, paths: Sequence[str] | None) -> list[str]:
    chosen = paths_of(model) if paths is None else paths
    return [path for path in chosen if isinstance(model.get_submodule(path), nn.Linear)]


def _untied(model: nn.Module, paths: Sequence[str]) -> dict[str, Any]:
    """The modules at these paths; of those that share one weight, the first."""
    modules: dict[str, Any] = {}
    weights: set[int] = set()
    for path in paths:
        module: Any = module_at(model, path, nn.Module)
        if not isinstance(module, nn.Linear | nn.Embedding):
            raise ValueError(f"{path} is of type {type(module).__name__}: name a Linear or an Embedding.")
        if id(weight := own_weight(module)) not in weights:
            weights.add(id(weight))
            modules[path] = module
    return modules
