"""What the exercises on codes with one scale share: how the two are returned."""

from typing import Any

import torch
from torch import Tensor

from lib.exercises.compare import is_number
from lib.exercises.spec import Unfit


def codes_and_scale(answer: Any, codes_name: str = "codes") -> tuple[Tensor, Tensor]:
    """Codes as they are, and the scale as a tensor of float64; Unfit where that is not what is returned."""
    pair = answer if isinstance(answer, tuple | list) else ()
    if len(pair) != 2 or not isinstance(pair[0], Tensor):
        raise Unfit(f"It should return a tensor of {codes_name} and a scale: return {codes_name}, scale")
    codes, scale = pair
    if is_number(scale):
        scale = torch.tensor(float(scale))
    if not isinstance(scale, Tensor):
        raise Unfit("The scale should be one number, or a tensor of one number without dimensions.")
    return codes, scale.detach().double()
