import torch


def diagonals(weights, *offsets):
    return sum(weights.diagonal(offset, -2, -1).sum(-1) for offset in offsets)


def with_tril(weights):
    return weights.tril(1).triu(-1).sum((-2, -1)) / weights.size(-1)


def by_loops(weights):
    length = weights.shape[-1]
    total = weights.new_zeros(weights.shape[:-2])
    for i in range(length):
        total = total + weights[..., i, max(0, i - 1) : i + 2].sum(-1)
    return total / length


RIGHT = [with_tril, by_loops, lambda weights: diagonals(weights, -1, 0, 1) / weights.shape[-1]]
WRONG = [
    lambda weights: diagonals(weights, 0) / weights.size(-1),
    lambda weights: diagonals(weights, -1, 1) / weights.size(-1),
    lambda weights: diagonals(weights, -2, -1, 0, 1, 2) / weights.size(-1),
    lambda weights: diagonals(weights, -1, 0, 1),
    lambda weights: diagonals(weights, -1, 0, 1) / 3,
    lambda weights: diagonals(weights, -1, 0, 1) / (3 * weights.size(-1)),
    lambda weights: weights.tril(1).triu(-1).sum(-1),
    lambda weights: weights.tril(1).triu(-1).sum() / weights.size(-1),
    lambda weights: weights.tril(1).triu(-1).sum(-1).mean(),
    lambda weights: diagonals(weights, -1, 0, 1) / weights.size(0),
    lambda weights: 1 - with_tril(weights),
    lambda weights: weights.tril(1).sum((-2, -1)) / weights.size(-1),
    lambda weights: torch.stack(
        [weights[..., i, i - 1 : i + 2].sum(-1) for i in range(len(weights))], -1
    ).mean(-1),
    lambda weights: weights[..., 1:-1, :].tril(2).triu().sum((-2, -1)) / (weights.size(-1) - 2),
]
