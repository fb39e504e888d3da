import torch


def in_two_lines(weight, bits):
    scale = weight.abs().amax(dim=1, keepdim=True) / (2 ** (bits - 1) - 1)
    scale[scale == 0] = 1.0
    return torch.round(weight / scale).to(torch.int8), scale


def row_by_row(weight, bits):
    codes, scales = [], []
    for row in weight:
        scale = row.abs().max() / (2 ** (bits - 1) - 1)
        codes.append((row / scale).round() if scale > 0 else torch.zeros_like(row))
        scales.append(scale)
    return torch.stack(codes).to(torch.int8), torch.stack(scales)[:, None]


def with_a_clamp(weight, bits):
    most = 2 ** (bits - 1) - 1
    lowest, highest = weight.min(1, keepdim=True)[0], weight.max(1, keepdim=True)[0]
    scale = torch.maximum(-lowest, highest) / most
    codes = torch.clamp(torch.round(weight / scale.clamp(min=1e-12)), -most, most)
    return codes.to(torch.int8), scale


RIGHT = [in_two_lines, row_by_row, with_a_clamp]


def largest(weight, bits, dim=1):
    return weight.abs().amax(dim=dim, keepdim=True) / (2 ** (bits - 1) - 1)


def with_scale(scale_of, dtype=torch.int8, rounding=torch.round):
    def quantize(weight, bits):
        scale = scale_of(weight, bits)
        return rounding(weight / scale.where(scale > 0, 1)).to(dtype), scale.where(scale > 0, 1)

    return quantize


WRONG = [
    with_scale(lambda w, bits: w.abs().max().expand(len(w), 1) / (2 ** (bits - 1) - 1)),
    with_scale(lambda w, bits: largest(w, bits, dim=0)),
    with_scale(lambda w, bits: w.abs().amax(1, keepdim=True) / 2 ** (bits - 1)),
    with_scale(lambda w, bits: w.abs().amax(1, keepdim=True) / (2**bits - 1)),
    with_scale(lambda w, bits: w.amax(1, keepdim=True) / (2 ** (bits - 1) - 1)),
    with_scale(lambda w, bits: (w.amax(1, keepdim=True) - w.amin(1, keepdim=True)) / (2 ** (bits - 1) - 1)),
    with_scale(largest, rounding=torch.floor),
    with_scale(largest, rounding=lambda x: x),
    with_scale(largest, rounding=lambda x: torch.ceil(x - 0.5)),
    with_scale(largest, dtype=torch.float32),
    lambda weight, bits: (
        torch.round(weight / largest(weight, bits)).to(torch.int8),
        largest(weight, bits)[:, 0],
    ),
    lambda weight, bits: with_scale(largest)(weight, bits)[::-1],
    lambda weight, bits: with_scale(largest)(weight, bits)[0],
    lambda weight, bits: (torch.round(weight).to(torch.int8), with_scale(largest)(weight, bits)[1]),
    lambda weight, bits: (
        torch.round(weight * with_scale(largest)(weight, bits)[1]).to(torch.int8),
        with_scale(largest)(weight, bits)[1],
    ),
    lambda weight, bits: None,
]
