"""Linear layers in whole numbers: codes of 8 bits times codes of 8 bits, summed up in 32 bits.

Fake quantization rounds real numbers and multiplies them as before. Here the codes themselves are multiplied,
as hardware does it; since (s_x * q_x) * (s_w * q_w) = s_x * s_w * (q_x * q_w), both give the same numbers:

    exact = in_integers(model)  # a copy, for eval() alone
"""

from __future__ import annotations

import copy
from typing import Any

import torch
from torch import Tensor, nn

from lib.bert.alterations import simplify
from lib.bert.surgery import replace_module
from lib.compression.quantizers.activations import ActivationQuantizer, DynamicRange, MovingRange
from lib.compression.quantizers.fake import LinearQuantization
from lib.compression.quantizers.linear import Quantized

LARGEST_INT32 = 2**31 - 1


def integer_matmul(a: Tensor, b: Tensor) -> Tensor:
    """a @ b.T of int8 [N, K] and [M, K], exactly: int32 [N, M].

    Each sum of K products stays below 2^31 up to K = 131,071; ValueError beyond.
    """
    if a.dtype != torch.int8 or b.dtype != torch.int8 or a.dim() != 2 or a.shape[1:] != b.shape[1:]:
        raise ValueError(
            f"{a.dtype} of shape {list(a.shape)} and {b.dtype} of shape {list(b.shape)}: give int8 [N, K] "
            "and [M, K]."
        )
    if a.size(1) * 128**2 > LARGEST_INT32:
        raise ValueError(f"Sums of {a.size(1)} products may not fit into 32 bits: cut the inputs in two.")
    if _int_mm_takes(a, b):
        return torch._int_mm(a, b.T)
    return a.to(torch.int32) @ b.to(torch.int32).T


def _int_mm_takes(a: Tensor, b: Tensor) -> bool:
    """Whether PyTorch has a kernel for it: on the CPU for all shapes, on CUDA for more than 16 rows by 8s."""
    if a.device.type == "cuda":
        return len(a) > 16 and a.size(1) % 8 == 0 and len(b) % 8 == 0
    return a.device.type == "cpu" and min(*a.shape, len(b)) > 0


def integer_linear(
    x_codes: Tensor,
    x_scale: Tensor | float,
    x_zero: int,
    weight_codes: Tensor,
    weight_scales: Tensor,
    bias: Tensor,
) -> Tensor:
    """A dense layer of codes [N, in], int8 or uint8, whose code for 0.0 is x_zero: float32 [N, out].

    weight_codes: int8 [out, in]; weight_scales, bias: float32 [out]. Products are summed exactly, in int32,
    which holds 65,793 of them; the bias is added in real numbers.
    """
    shifted = x_codes.to(torch.int32) - x_zero  # [N, in]: in eight bits the difference might not fit
    sums = shifted @ weight_codes.to(torch.int32).T  # [N, out], int32
    return x_scale * weight_scales * sums + bias


class DynamicIntegerLinear(nn.Module):
    """A Linear whose input gets a range in each call, and whose bias is added in real numbers (dynamic
    quantization): y = s_x * s_w * (q_x @ q_w.T) + b."""

    codes: Tensor  # [out, in], int8
    scale: Tensor  # [out]
    bias: Tensor | None  # [out]

    def __init__(self, codes: Tensor, scale: Tensor, bias: Tensor | None, input_range: DynamicRange):
        super().__init__()
        self.register_buffer("codes", codes)
        self.register_buffer("scale", scale)
        self.register_buffer("bias", bias)
        self.input_range = input_range

    def forward(self, x: Tensor) -> Tensor:
        """[..., in] to [..., out]."""
        codes, scale, _ = self.input_range.quantize(x)  # [N, in] or [1, N * in]; [N, 1] or [1, 1]
        sums = integer_matmul(codes.view(-1, x.size(-1)), self.codes)  # [N, out], int32
        y = sums.to(x.dtype) * (scale * self.scale)  # [N, out]
        return (y if self.bias is None else y + self.bias).view(*x.shape[:-1], len(self.codes))


class StaticIntegerLinear(nn.Module):
    """A Linear whose input has a range from training, so that its bias is a whole number of 32 bits as well:
    y = s_x * s_w * (q_x @ q_w.T + q_b) with q_b = round(b / (s_x * s_w)) (Q8BERT; Zafrir et al., 2019).

    It differs from the fake one by the rounding of the bias alone, by at most s_x * s_w / 2.
    """

    codes: Tensor  # [out, in], int8
    input_scale: Tensor  # []
    scale: Tensor  # [out], of the sums: that of the input times that of the weight
    bias: Tensor  # [out], int32

    def __init__(self, codes: Tensor, scale: Tensor, bias: Tensor | None, input_range: MovingRange):
        super().__init__()
        self.largest_code = input_range.largest_code
        self.register_buffer("codes", codes)
        self.register_buffer("input_scale", input_range.scale.to(scale))
        self.register_buffer("scale", self.input_scale * scale)
        rounded = torch.zeros_like(scale) if bias is None else torch.round(bias / self.scale)
        room = LARGEST_INT32 - codes.size(1) * 128**2  # what the sums leave of 32 bits
        if not (rounded.abs() <= room).all():
            raise ValueError(
                "A bias is so large beside the scale of its row that it does not fit into 32 bits: give all "
                "rows one range (groups=1)."
            )
        self.register_buffer("bias", rounded.to(torch.int32))

    def forward(self, x: Tensor) -> Tensor:
        """[..., in] to [..., out]."""
        codes = torch.round(x / self.input_scale).clamp(-self.largest_code, self.largest_code).to(torch.int8)
        sums = integer_matmul(codes.flatten(0, -2), self.codes) + self.bias  # [N, out], int32
        return (sums.to(x.dtype) * self.scale).view(*x.shape[:-1], len(self.codes))


def in_integers(model: nn.Module) -> nn.Module:
    """A copy in eval() whose quantized Linears multiply whole numbers; other quantized tensors are settled.

    A Linear takes part if its weight is symmetric codes of 2 to 8 bits and its input is quantized
    symmetrically too. ValueError if none is so. The copy is for running: train and save the original.
    """
    made = copy.deepcopy(model).eval().requires_grad_(False)
    linears: dict[str, Any] = {
        path: part for path, part in made.named_modules() if isinstance(part, nn.Linear) and _is_whole(part)
    }
    if not linears:
        raise ValueError(
            "No Linear has symmetric codes as weight and as input: quantize_weights(model, ...) and "
            "quantize_inputs(model, ...) make them so."
        )
    exact = {path: _integer_linear(linear) for path, linear in linears.items()}
    simplify(made)
    for path, linear in exact.items():
        replace_module(made, path, linear)
    return made


def _is_whole(linear: Any) -> bool:
    steps = getattr(getattr(linear, "parametrizations", None), "weight", [None])
    quantizer = getattr(linear, "input_quantizer", None)
    return (
        isinstance(steps[-1], LinearQuantization)
        and isinstance(quantizer, ActivationQuantizer)
        and steps[-1].scheme == "symmetric" == getattr(quantizer.range, "scheme", "symmetric")
    )


def _integer_linear(linear: Any) -> nn.Module:
    """The module in place of a parametrized Linear, its output rounded too where that was done."""
    steps, weight = list(linear.parametrizations.weight), linear.parametrizations.weight.original
    for step in steps[:-1]:
        weight = step(weight)
    quantized: Quantized = steps[-1].quantize(weight)
    codes = quantized.codes.view_as(weight)
    scale = quantized.scale.flatten().repeat_interleave(len(codes) // len(quantized.scale))  # [out]
    bias = None if linear.bias is None else linear.bias.detach()
    source = linear.input_quantizer.range
    exact: nn.Module
    if isinstance(source, MovingRange):
        exact = StaticIntegerLinear(codes, scale, bias, source)
    else:
        exact = DynamicIntegerLinear(codes, scale, bias, source)
    if isinstance(after := getattr(linear, "output_quantizer", None), ActivationQuantizer):
        exact = nn.Sequential(exact, after.range)
    return exact.eval()
