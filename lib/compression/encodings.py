"""How a tensor is stored: an encoding has a name, the parts that go into a file, and a way back.

A parametrization whose last step has a method `encode` says how its tensor is stored; the function that
decodes it is registered under the encoding's name:

    @decodes("linear")
    def decode(parts: dict[str, Tensor], *, bits: int, shape: list[int]) -> Tensor: ...

What comes back has to be what the parametrization computes, to the bit: then a model that was loaded answers
as the one that was saved (`lib.compression.packed`).
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any, Protocol, TypeVar, runtime_checkable

import torch
from torch import Tensor, nn

from lib.bert.alterations import parametrization


@dataclass(frozen=True)
class Encoded:
    """A tensor as a file holds it: parts by name, and what else is needed to decode them (JSON).

    Parts have shapes of their own; the tensor's stands in `info` where they do not say it.
    """

    encoding: str
    parts: dict[str, Tensor]
    info: dict[str, Any] = field(default_factory=dict)


@runtime_checkable
class Encodes(Protocol):
    """A parametrization that knows how what it computes of a tensor, of any shape, is stored."""

    def encode(self, tensor: Tensor) -> Encoded: ...


Decode = TypeVar("Decode", bound=Callable[..., Tensor])
_decoders: dict[str, Callable[..., Tensor]] = {}


def decodes(encoding: str) -> Callable[[Decode], Decode]:
    """Register `function(parts, **info)`, which gives the tensor back, under the name of an encoding."""

    def register(function: Decode) -> Decode:
        known = _decoders.get(encoding, function)
        if (known.__module__, known.__qualname__) != (function.__module__, function.__qualname__):
            raise ValueError(f"{known.__module__} has registered the encoding {encoding}: choose another.")
        _decoders[encoding] = function
        return function

    return register


def decode(encoded: Encoded) -> Tensor:
    """The tensor that was encoded, in its shape.

    ValueError if nothing decodes it, or if its parts do not fit together.
    """
    if encoded.encoding not in _decoders:
        raise ValueError(
            f"Nothing has registered the encoding {encoded.encoding!r}: import the module that does. Known "
            f"are {', '.join(sorted(_decoders))}."
        )
    try:
        return _decoders[encoded.encoding](encoded.parts, **encoded.info)
    except (KeyError, TypeError, RuntimeError) as error:  # a part, or a word of the info, is missing or wrong
        raise ValueError(f"It cannot be decoded as {encoded.encoding} ({error}).") from None


@decodes("float32")
def decode_float32(parts: dict[str, Tensor]) -> Tensor:
    """The "values", in their shape."""
    return parts["values"].to(torch.float32)


@decodes("float16")
def decode_float16(parts: dict[str, Tensor]) -> Tensor:
    """The "values", in their shape, in float32."""
    return parts["values"].to(torch.float16).to(torch.float32)


@parametrization
class HalfPrecision(nn.Module):
    """A tensor of any shape rounded to half precision: 11 bits of every number are kept, 16 are stored.

    It is computed with in its own type, so that nothing else changes; the gradient passes as it is.
    """

    def __init__(self, tensor: Tensor):
        super().__init__()

    def forward(self, tensor: Tensor) -> Tensor:
        return tensor.to(torch.float16).to(tensor.dtype)

    def encode(self, tensor: Tensor) -> Encoded:
        return Encoded("float16", {"values": tensor.detach().to(torch.float16)})
