"""Activations in a few bits: what a layer reads or gives, rounded on the way.

    quantize_activations(model, path, "input", "DynamicRange", bits=8, per="token")
    quantize_activations(model, path, "output", "MovingRange", bits=8, decay=0.99)

A dynamic range is that of the activations at hand, so it needs no preparation. A moving range was learned in
training and stays as it is in eval(). Both work on any module with one input and one output, ours and
`transformers`'.
"""

from __future__ import annotations

from typing import Any, Literal

import torch
from torch import Tensor, nn
from torch.utils.hooks import RemovableHandle

from lib.bert.alterations import alteration
from lib.bert.surgery import module_at
from lib.compression.quantizers.fake import fake_quantize, straight_through
from lib.compression.quantizers.linear import Quantized, dequantize, in_groups, positive_codes, scheme_named


class DynamicRange(nn.Module):
    """Rounds [..., D] with the range that it has in this very call: of a token, or of the whole tensor.

    A range of the whole tensor depends on what else is in the batch, padding too, so an answer does as well.
    """

    def __init__(
        self, bits: int = 8, per: Literal["token", "tensor"] = "token", scheme: str = "symmetric"
    ) -> None:
        super().__init__()
        if per not in ("token", "tensor"):
            raise ValueError(f"One range per {per!r}: give 'token' or 'tensor'.")
        self.bits, self.per, self.scheme = bits, per, scheme
        scheme_named(scheme)(torch.zeros(1, 1, device="cpu"), bits)  # raises what there is to raise

    def quantize(self, x: Tensor) -> Quantized:
        """Codes [N, D], scale and zero point [N, 1] of N tokens; or one row of everything, [1, N * D]."""
        rows = in_groups(x, 1) if self.per == "tensor" else x.flatten(0, -2)
        return scheme_named(self.scheme)(rows.detach(), self.bits)

    def forward(self, x: Tensor) -> Tensor:
        return straight_through(dequantize(*self.quantize(x)).view_as(x), like=x)


class MovingRange(nn.Module):
    """Q8BERT's range of a whole tensor: a threshold t that follows max |x| in train(), and rests in eval().

    t <- t - (1 - decay) * (t - max |x|), from max |x| of the first batch on (Zafrir et al., 2019, and their
    code). After n batches the first still weighs decay^n: a run of a hundred steps needs 0.99 or less. What
    lies beyond t is clipped, and its gradient is passed on all the same, as there.
    x may have any shape. ValueError in eval() where no batch was seen before.
    """

    threshold: Tensor  # []

    def __init__(self, bits: int = 8, decay: float = 0.9999) -> None:
        super().__init__()
        if not 0 <= decay < 1:
            raise ValueError(f"A decay of {decay}: give a share of at least 0 and less than 1.")
        self.decay, self.bits, self.largest_code = decay, bits, positive_codes(bits)
        self.register_buffer("threshold", torch.zeros(()))  # 0: nothing seen yet

    @property
    def scale(self) -> Tensor:
        """[]: what one code is worth."""
        return self.threshold / self.largest_code

    def forward(self, x: Tensor) -> Tensor:
        if self.training:
            largest = x.detach().abs().amax().to(self.threshold)
            moved = self.threshold - (1 - self.decay) * (self.threshold - largest)
            self.threshold.copy_(moved.where(self.threshold > 0, largest))
        elif not self.threshold > 0:
            raise ValueError("This MovingRange has seen no batch: run some in train() before eval().")
        return straight_through(fake_quantize(x.detach(), self.scale.to(x), self.bits), like=x)


KINDS: dict[str, type[DynamicRange] | type[MovingRange]] = {
    kind.__name__: kind for kind in (DynamicRange, MovingRange)
}


class ActivationQuantizer(nn.Module):
    """A range at the input or the output, [..., D], of the module it is a child of, where its hook rounds."""

    handle: RemovableHandle

    def __init__(self, range: DynamicRange | MovingRange):
        super().__init__()
        self.range = range

    # methods, so that a copy of the model has hooks that lead to the copy's ranges
    def before(self, _owner: nn.Module, inputs: tuple[Any, ...]) -> tuple[Any, ...]:
        return (self.range(inputs[0]), *inputs[1:])

    def after(self, _owner: nn.Module, _inputs: Any, output: Tensor) -> Tensor:
        return self.range(output)


@alteration
def quantize_activations(
    model: nn.Module, path: str, side: Literal["input", "output"], kind: str, **options: Any
) -> None:
    """Round what the module at `path` reads ("input") or gives ("output").

    kind: "DynamicRange" or "MovingRange"; options: what the class takes. The range becomes
    `input_quantizer.range` or `output_quantizer.range` there.
    """
    owner: Any = module_at(model, path, nn.Module)
    if side not in ("input", "output") or kind not in KINDS:
        raise ValueError(
            f"{side!r} by {kind!r}: give 'input' or 'output', and one of {', '.join(sorted(KINDS))}."
        )
    name = f"{side}_quantizer"
    if hasattr(owner, name):
        raise ValueError(f"The {side} of {path} is quantized already: remove_quantization(model) first.")
    quantizer = ActivationQuantizer(KINDS[kind](**options)).train(owner.training)
    if (like := next(owner.parameters(), None)) is not None:
        quantizer.to(like.device)
    owner.add_module(name, quantizer)
    hook = owner.register_forward_pre_hook if side == "input" else owner.register_forward_hook
    quantizer.handle = hook(quantizer.before if side == "input" else quantizer.after)


def leave_activations(owner: nn.Module) -> None:
    """Undo `quantize_activations` on one module, hooks and all; nothing happens where it was not done."""
    for name, child in list(owner.named_children()):
        if isinstance(child, ActivationQuantizer):
            child.handle.remove()
            delattr(owner, name)
