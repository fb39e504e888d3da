import torch


def joined(vectors, rotations):
    products = vectors @ rotations
    return torch.cat([products, -products], dim=-1).argmax(dim=-1)


def round_by_round(vectors, rotations):
    rounds = []
    for matrix in rotations:
        turned = vectors.matmul(matrix)
        rounds.append(torch.cat((turned, turned.neg()), 1).max(1).indices)
    return torch.stack(rounds)


def of_unit_length(vectors, rotations):
    lengths = vectors.norm(dim=-1, keepdim=True).clamp(min=1e-12)
    sides = torch.cat([rotations, -rotations], dim=2)
    return torch.einsum("tk,rkb->rtb", vectors / lengths, sides).argmax(-1)


RIGHT = [joined, round_by_round, of_unit_length]


def both(vectors, rotations):
    products = vectors @ rotations
    return torch.cat([products, -products], dim=-1)


WRONG = [
    lambda v, r: (v @ r).argmax(-1),
    lambda v, r: (v @ r).abs().argmax(-1),
    lambda v, r: both(v, -r).argmax(-1),
    lambda v, r: both(v, r).argmin(-1),
    lambda v, r: torch.stack([v @ r, -(v @ r)], -1).flatten(-2).argmax(-1),
    lambda v, r: both(v, r).argmax(-1) + 2 * r.shape[2] * torch.arange(r.shape[0])[:, None],
    lambda v, r: both(v, r).amax(-1),
    lambda v, r: both(v, r).argmax(1),
    lambda v, r: both(v, r).argmax(-1).T,
    lambda v, r: both(v, r)[0].argmax(-1),
    lambda v, r: both(v, r.sum(0)).argmax(-1),
    lambda v, r: ((v @ r > 0) * 2 ** torch.arange(r.shape[2])).sum(-1),
    lambda v, r: both(v, r).argmax(-1) + 1,
    lambda v, r: both(v, r).softmax(-1),
    lambda v, r: both(v, r).argmax(-1).tolist(),
    lambda v, r: both(v, r).argmax(),
]
