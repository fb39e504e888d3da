import torch


def detached_difference(x, scale, bits):
    most = 2 ** (bits - 1) - 1
    kept = torch.clamp(x, -most * scale, most * scale)
    rounded = scale * torch.clamp(torch.round(x / scale), -most, most)
    return kept + (rounded - kept).detach()


def masked(x, scale, bits):
    most = 2 ** (bits - 1) - 1
    inside = (x.abs() <= most * scale).float()
    value = scale * (x / scale).round().clamp(-most, most)
    return value.detach() + inside * (x - x.detach())


class Rounding(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x, scale, bits):
        most = 2 ** (bits - 1) - 1
        ctx.save_for_backward((x / scale).abs() <= most)
        return scale * torch.round(x / scale).clamp(-most, most)

    @staticmethod
    def backward(ctx, gradient):
        (inside,) = ctx.saved_tensors
        return gradient * inside, None, None


def with_a_function(x, scale, bits):
    return Rounding.apply(x, scale, bits)


RIGHT = [detached_difference, masked, with_a_function]


def rounded(x, scale, bits):
    most = 2 ** (bits - 1) - 1
    return scale * torch.round(x / scale).clamp(-most, most)


def through(value, like):
    return like + (value - like).detach()


def codes_of(x, scale, bits, by=torch.round):
    most = 2 ** (bits - 1) - 1
    kept = (x / scale).clamp(-most, most)
    return kept, by(kept)


def through_the_codes(x, scale, bits):
    kept, codes = codes_of(x, scale, bits)
    return kept + (scale * codes - kept).detach()


def corrected_where_not_clipped(x, scale, bits):
    kept, _ = codes_of(x, scale, bits)
    return scale * (kept + (torch.round(x / scale) - x / scale).detach())


def rounded_up(x, scale, bits):
    kept, codes = codes_of(x, scale, bits, torch.ceil)
    return scale * through(codes, kept)


def positive_alone(x, scale, bits):
    kept = (x / scale).clamp(0, 2 ** (bits - 1) - 1)
    return scale * through(torch.round(kept), kept)


def clipped_at(edge):
    def answer(x, scale, bits):
        kept = x.clamp(-edge(bits), edge(bits))
        return through(scale * torch.round(kept / scale), kept)

    return answer


WRONG = [
    lambda x, scale, bits: rounded(x, scale, bits).detach(),
    lambda x, scale, bits: through(rounded(x, scale, bits), x),
    lambda x, scale, bits: through(scale * torch.round(x / scale), x),
    lambda x, scale, bits: detached_difference(x, scale, bits) / scale,
    lambda x, scale, bits: through(rounded(x, scale, bits) / scale, x),
    lambda x, scale, bits: through(
        scale * torch.round(x / scale).clamp(-(2 ** (bits - 1)), 2 ** (bits - 1) - 1),
        x.clamp(-(2 ** (bits - 1)) * scale, (2 ** (bits - 1) - 1) * scale),
    ),
    lambda x, scale, bits: detached_difference(x, scale, bits + 1),
    lambda x, scale, bits: through(
        scale * torch.floor(x / scale).clamp(1 - 2 ** (bits - 1), 2 ** (bits - 1) - 1),
        detached_difference(x, scale, bits),
    ),
    lambda x, scale, bits: through(
        scale * torch.floor(x / scale + 0.5).clamp(1 - 2 ** (bits - 1), 2 ** (bits - 1) - 1),
        detached_difference(x, scale, bits),
    ),
    lambda x, scale, bits: x.clamp(-(2 ** (bits - 1) - 1) * scale, (2 ** (bits - 1) - 1) * scale),
    lambda x, scale, bits: x,
    lambda x, scale, bits: None,
    lambda x, scale, bits: detached_difference(x, scale, bits).sum(),
    lambda x, scale, bits: through(x, rounded(x, scale, bits)),
    lambda x, scale, bits: detached_difference(x.div_(scale), 1.0, bits) * scale,
    through_the_codes,
    corrected_where_not_clipped,
    rounded_up,
    positive_alone,
    clipped_at(lambda bits: 2 ** (bits - 1) - 1),
    clipped_at(lambda bits: 2.0 ** (bits - 1)),
    lambda x, scale, bits: detached_difference(x, 1 / scale, bits),
    lambda x, scale, bits: detached_difference(x, scale, bits) + scale / 4,
]
