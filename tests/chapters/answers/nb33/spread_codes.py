import math

import numpy as np
import torch


def in_four_steps(weight, bits, relative_step):
    squares = weight**2
    step = relative_step * torch.sqrt(squares.sum(dim=1, keepdim=True) / weight.shape[1])
    lowest = -(2 ** (bits - 1))
    return torch.clamp((weight / step).floor(), min=lowest, max=-lowest - 1), step


def row_by_row(weight, bits, relative_step):
    codes, steps = [], []
    for row in weight:
        step = relative_step * math.sqrt(sum(float(w) ** 2 for w in row) / len(row))
        ends = -(2 ** (bits - 1)), 2 ** (bits - 1) - 1
        codes.append([min(max(math.floor(w / step), ends[0]), ends[1]) for w in row.tolist()])
        steps.append([step])
    return torch.tensor(codes), torch.tensor(steps)


def in_numpy(weight, bits, relative_step):
    numbers = weight.numpy()
    step = relative_step * np.sqrt((numbers**2).mean(axis=1, keepdims=True))
    codes = np.clip(np.floor(numbers / step), -(2 ** (bits - 1)), 2 ** (bits - 1) - 1)
    return torch.from_numpy(codes).float(), torch.from_numpy(step).float()


def whole_numbers(weight, bits, relative_step):
    step = weight.norm(dim=1, keepdim=True) / weight.size(1) ** 0.5 * relative_step
    half = 1 << (bits - 1)
    return (weight / step).floor().int().clamp(-half, half - 1), step


RIGHT = [in_four_steps, row_by_row, in_numpy, whole_numbers]


def spread(weight):
    return weight.square().mean(dim=1, keepdim=True).sqrt()


def clipped(weight, step, bits):
    return torch.floor(weight / step).clamp(-(2 ** (bits - 1)), 2 ** (bits - 1) - 1), step


def by_the_largest(weight, bits, relative_step):
    return clipped(weight, relative_step * weight.abs().max(dim=1, keepdim=True).values, bits)


def of_the_matrix(weight, bits, relative_step):
    return clipped(weight, relative_step * weight.square().mean().sqrt().repeat(len(weight), 1), bits)


def deviation(weight, bits, relative_step):
    return clipped(weight, relative_step * weight.std(1, keepdim=True, unbiased=False), bits)


def no_root(weight, bits, relative_step):
    return clipped(weight, relative_step * weight.pow(2).mean(1, keepdim=True), bits)


def mean_size(weight, bits, relative_step):
    return clipped(weight, relative_step * weight.abs().mean(1, keepdim=True), bits)


def without_the_factor(weight, bits, relative_step):
    return clipped(weight, spread(weight), bits)


def to_the_nearest(weight, bits, relative_step):
    step = relative_step * spread(weight)
    return (weight / step).round().clamp(-(2 ** (bits - 1)), 2 ** (bits - 1) - 1), step


def cut_off(weight, bits, relative_step):
    step = relative_step * spread(weight)
    return (weight / step).trunc().clamp(-(2 ** (bits - 1)), 2 ** (bits - 1) - 1), step


def not_clipped(weight, bits, relative_step):
    step = relative_step * spread(weight)
    return (weight / step).floor(), step


def symmetric(weight, bits, relative_step):
    step = relative_step * spread(weight)
    most = 2 ** (bits - 1) - 1
    return (weight / step).floor().clamp(-most, most), step


def one_too_many(weight, bits, relative_step):
    step = relative_step * spread(weight)
    return (weight / step).floor().clamp(-(2 ** (bits - 1)), 2 ** (bits - 1)), step


def restored(weight, bits, relative_step):
    codes, step = in_four_steps(weight, bits, relative_step)
    return (codes + 0.5) * step, step


def turned(weight, bits, relative_step):
    codes, step = in_four_steps(weight, bits, relative_step)
    return step, codes


def from_zero(weight, bits, relative_step):
    codes, step = in_four_steps(weight, bits, relative_step)
    return codes + 2 ** (bits - 1), step


WRONG = [
    by_the_largest,
    of_the_matrix,
    deviation,
    no_root,
    mean_size,
    without_the_factor,
    to_the_nearest,
    cut_off,
    not_clipped,
    symmetric,
    one_too_many,
    restored,
    turned,
    from_zero,
    lambda weight, bits, relative_step: in_four_steps(weight, bits, relative_step)[0],
    lambda weight, bits, relative_step: None,
]
