import numpy as np
import torch


def roots(weight, rank):
    u, s, vh = torch.linalg.svd(weight, full_matrices=False)
    return u[:, :rank] * s[:rank].sqrt(), s[:rank].sqrt()[:, None] * vh[:rank]


def values_left(weight, rank):
    u, s, vh = torch.linalg.svd(weight)
    return u[:, :rank] @ torch.diag(s[:rank]), vh[:rank, :]


def values_right(weight, rank):
    u, s, v = torch.svd(weight)
    return u[:, :rank], (v[:, :rank] * s[:rank]).T


def by_projection(weight, rank):
    _, directions = torch.linalg.eigh(weight.double() @ weight.double().T)
    basis = directions[:, -rank:].to(weight.dtype)
    return basis, basis.T @ weight


def as_a_list(weight, rank):
    return [*roots(weight, rank)]


RIGHT = [roots, values_left, values_right, by_projection, as_a_list]


def svd(weight):
    return torch.linalg.svd(weight, full_matrices=False)


def smallest(weight, rank):
    u, s, vh = svd(weight)
    return u[:, -rank:] * s[-rank:], vh[-rank:]


def no_values(weight, rank):
    u, _, vh = svd(weight)
    return u[:, :rank], vh[:rank]


def values_twice(weight, rank):
    u, s, vh = svd(weight)
    return u[:, :rank] * s[:rank], s[:rank, None] * vh[:rank]


def one_root(weight, rank):
    u, s, vh = svd(weight)
    return u[:, :rank] * s[:rank].sqrt(), vh[:rank]


def not_transposed(weight, rank):
    u, s, v = torch.svd(weight)
    return u[:, :rank] * s[:rank], v[:rank]


def turned(weight, rank):
    left, right = roots(weight, rank)
    return right, left


def everything(weight, rank):
    u, s, vh = svd(weight)
    return u * s, vh


def product(weight, rank):
    left, right = roots(weight, rank)
    return left @ right


def three(weight, rank):
    u, s, vh = svd(weight)
    return u[:, :rank], s[:rank], vh[:rank]


def first_columns(weight, rank):
    return weight[:, :rank], torch.eye(weight.size(1), dtype=weight.dtype)[:rank]


def rows_for_columns(weight, rank):
    u, s, vh = svd(weight)
    return u[:rank] * s, vh


def values_along_rows(weight, rank):
    u, s, vh = svd(weight)
    return u[:, :rank], vh[:rank] * s[0]


def rank_one_less(weight, rank):
    left, right = roots(weight, rank)
    left[:, -1] = 0
    return left, right


def values_along_columns(weight, rank):
    u, s, vh = svd(weight)
    return u[:, :rank], s[:rank] * vh[:rank]


def one_more(weight, rank):
    u, s, vh = svd(weight)
    return u[:, : rank + 1] * s[: rank + 1], vh[: rank + 1]


def in_numpy(weight, rank):
    u, s, vh = np.linalg.svd(weight.numpy(), full_matrices=False)
    return u[:, :rank] * s[:rank], vh[:rank]


def root_of_one(weight, rank):
    u, s, vh = svd(weight)
    return u[:, :rank] * s[:rank].sqrt(), s[:rank, None] * vh[:rank]


def of_the_transpose(weight, rank):
    u, s, vh = svd(weight.T)
    return u[:, :rank] * s[:rank], vh[:rank]


def divided(weight, rank):
    u, s, vh = svd(weight)
    return u[:, :rank] / s[:rank], vh[:rank]


def by_qr(weight, rank):
    q, r = torch.linalg.qr(weight)
    return q[:, :rank], r[:rank]


def all_values(weight, rank):
    u, s, vh = svd(weight)
    return u[:, :rank] @ torch.diag(s), vh[:rank]


WRONG = [
    smallest,
    no_values,
    values_twice,
    one_root,
    not_transposed,
    turned,
    everything,
    product,
    three,
    first_columns,
    rows_for_columns,
    values_along_rows,
    rank_one_less,
    lambda weight, rank: tuple(part.double() for part in roots(weight.float(), rank)),
    lambda weight, rank: None,
    values_along_columns,
    one_more,
    in_numpy,
    root_of_one,
    of_the_transpose,
    divided,
    by_qr,
    all_values,
]
