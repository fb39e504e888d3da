"""What the exercises of notebook 20 ask for, written out in PyTorch, one step a line.

`lib.compression.quantizers` has the same for every other use, with its arguments looked at first.
"""

import torch


def fake_quantize(x: torch.Tensor, scale: torch.Tensor | float, bits: int) -> torch.Tensor:
    """x rounded to scale * code, with a gradient of 1, and of 0 where x was clipped."""
    largest_code = 2 ** (bits - 1) - 1
    edge = largest_code * scale
    kept = x.clamp(-edge, edge)  # beyond the edge no gradient reaches x
    rounded = scale * torch.round(kept / scale)
    return kept + (rounded - kept).detach()  # the value of rounded, the gradient of kept


def quantize_asymmetric(x: torch.Tensor, bits: int) -> tuple[torch.Tensor, torch.Tensor, torch.Tensor]:
    """Codes from 0 to 2^bits - 1 (uint8), scale and zero point of each row, whose range holds 0.0."""
    most = 2**bits - 1
    lowest = x.amin(dim=1, keepdim=True).clamp(max=0)
    highest = x.amax(dim=1, keepdim=True).clamp(min=0)
    scale = (highest - lowest) / most
    zero_point = torch.round(-lowest / scale)
    codes = torch.round(x / scale + zero_point).clamp(0, most)
    return codes.to(torch.uint8), scale, zero_point
