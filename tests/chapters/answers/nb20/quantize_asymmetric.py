import torch


def stretched(x, bits):
    most = 2**bits - 1
    lowest = x.amin(dim=1, keepdim=True).clamp(max=0)
    highest = x.amax(dim=1, keepdim=True).clamp(min=0)
    scale = (highest - lowest) / most
    zero_point = torch.round(-lowest / scale)
    codes = torch.round(x / scale + zero_point).clamp(0, most)
    return codes.to(torch.uint8), scale, zero_point


def with_a_zero_beside(x, bits):
    most = 2**bits - 1
    wide = torch.cat([x, torch.zeros(len(x), 1)], dim=1)
    lowest, highest = wide.min(1, keepdim=True).values, wide.max(1, keepdim=True).values
    scale = (highest - lowest) / most
    zero_point = (-lowest / scale).round().to(torch.uint8)
    return ((x / scale).round() + zero_point).clamp(0, most).to(torch.uint8), scale, zero_point


def row_by_row(x, bits):
    parts = [stretched(row[None], bits) for row in x]
    return tuple(torch.cat(part) for part in zip(*parts, strict=True))


RIGHT = [stretched, with_a_zero_beside, row_by_row]


def version(low=True, high=True, zero=torch.round, most=lambda bits: 2**bits - 1, shift=True):
    def quantize(x, bits):
        lowest, highest = x.amin(dim=1, keepdim=True), x.amax(dim=1, keepdim=True)
        lowest = lowest.clamp(max=0) if low else lowest
        highest = highest.clamp(min=0) if high else highest
        scale = (highest - lowest) / most(bits)
        zero_point = zero(-lowest / scale)
        codes = torch.round(x / scale + (zero_point if shift else 0)).clamp(0, 2**bits - 1)
        return codes.to(torch.uint8), scale, zero_point

    return quantize


def the_draft(x, bits):
    most = 2**bits - 1
    lowest = x.amin(dim=1, keepdim=True)
    highest = x.amax(dim=1, keepdim=True)
    scale = (highest - lowest) / most
    zero_point = -lowest / scale
    codes = torch.round(x / scale + zero_point).clamp(0, most)
    return codes.to(torch.uint8), scale, zero_point


WRONG = [
    the_draft,
    version(low=False, high=False),
    version(zero=lambda z: z),
    version(low=False),
    version(zero=torch.floor),
    version(most=lambda bits: 2**bits),
    version(shift=False),
    version(zero=lambda z: torch.round(-z)),
    lambda x, bits: stretched(x, bits)[:2],
    lambda x, bits: stretched(x.reshape(1, -1), bits),
    lambda x, bits: (stretched(x, bits)[0].to(torch.int8), *stretched(x, bits)[1:]),
    lambda x, bits: None,
]
