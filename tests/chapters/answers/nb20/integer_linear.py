import torch
import torch.nn.functional as F


def in_one_line(x_codes, x_scale, x_zero, weight_codes, weight_scales, bias):
    return (x_codes.int() - x_zero) @ weight_codes.int().T * (x_scale * weight_scales) + bias


def zero_point_ahead(x_codes, x_scale, x_zero, weight_codes, weight_scales, bias):
    sums = x_codes.int() @ weight_codes.int().T - x_zero * weight_codes.int().sum(dim=1)
    return x_scale * weight_scales * sums.float() + bias


def in_64_bits(x_codes, x_scale, x_zero, weight_codes, weight_scales, bias):
    sums = torch.einsum("ni,oi->no", x_codes.long() - x_zero, weight_codes.long())
    return sums.to(torch.float32) * weight_scales[None, :] * x_scale + bias[None, :]


def in_float64(x_codes, x_scale, x_zero, weight_codes, weight_scales, bias):
    sums = F.linear(x_codes.double() - x_zero, weight_codes.double())
    return (x_scale * weight_scales.double() * sums + bias).float()


def row_by_row(x_codes, x_scale, x_zero, weight_codes, weight_scales, bias):
    outputs = []
    for codes, scale, b in zip(weight_codes, weight_scales, bias, strict=True):
        sums = ((x_codes.int() - x_zero) * codes.int()).sum(dim=1)
        outputs.append(x_scale * scale * sums + b)
    return torch.stack(outputs, dim=1)


RIGHT = [in_one_line, zero_point_ahead, in_64_bits, in_float64, row_by_row]


def scaled(sums, x_scale, weight_scales, bias):
    return x_scale * weight_scales * sums + bias


def no_zero(x, s, z, w, scales, b):
    return scaled(x.int() @ w.int().T, s, scales, b)


def zero_in_weights(x, s, z, w, scales, b):
    return scaled(x.int() @ (w.int() - z).T, s, scales, b)


def wraps(x, s, z, w, scales, b):
    return scaled((x - z).int() @ w.int().T, s, scales, b)


def wrong_axis(x, s, z, w, scales, b):
    return s * scales[:, None] * ((x.int() - z) @ w.int().T) + b


def bias_first(x, s, z, w, scales, b):
    return s * scales * ((x.int() - z) @ w.int().T + b)


def floats(x, s, z, w, scales, b):
    return F.linear(s * (x.float() - z), scales[:, None] * w.float(), b)


def half_the_zero(x, s, z, w, scales, b):
    return scaled(x.int() @ w.int().T - z, s, scales, b)


WRONG = [
    no_zero,
    zero_in_weights,
    wraps,
    wrong_axis,
    bias_first,
    floats,
    half_the_zero,
    lambda x, s, z, w, scales, b: in_one_line(x, s, -z, w, scales, b),
    lambda x, s, z, w, scales, b: in_one_line(x, s, z, w, scales, 0 * b),
    lambda x, s, z, w, scales, b: in_one_line(x, s, z, w, scales, torch.round(b)),
    lambda x, s, z, w, scales, b: in_one_line(x, 1.0, z, w, scales, b),
    lambda x, s, z, w, scales, b: in_one_line(x, s, z, w, torch.ones_like(scales), b),
    lambda x, s, z, w, scales, b: in_one_line(x, s, z, w, scales, b).double(),
    lambda x, s, z, w, scales, b: torch.round(in_one_line(x, s, z, w, scales, b)).to(torch.int8),
    lambda x, s, z, w, scales, b: (x.int() - z) @ w.int().T,
    lambda x, s, z, w, scales, b: in_one_line(x, s, z, w, scales, b).T,
    lambda x, s, z, w, scales, b: x @ w.T,
    lambda x, s, z, w, scales, b: None,
]
