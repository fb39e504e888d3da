import torch


def least_squares(way, one, other):
    plane = torch.stack([one, other], dim=1)
    return torch.linalg.lstsq(plane, way[:, None]).solution[:, 0]


def pseudo_inverse(way, one, other):
    return torch.linalg.pinv(torch.stack([one, other], dim=1)) @ way


def by_hand(way, one, other):
    p, q, r = one @ one, one @ other, other @ other
    x, y = way @ one, way @ other
    return torch.stack([x * r - y * q, y * p - x * q]) / (p * r - q * q)


def straightened(way, one, other):
    rest = other - (other @ one) / (one @ one) * one
    return torch.stack([way @ one / (one @ one), way @ rest / (rest @ rest)])


def in_python(way, one, other):
    return torch.tensor([float(way @ one) / float(one @ one), float(way @ other) / float(other @ other)])


RIGHT = [least_squares, pseudo_inverse, by_hand]
WRONG = [
    lambda way, one, other: torch.stack([way @ one / (one @ one), way @ other / (other @ other)]),
    lambda way, one, other: torch.stack([way @ one, way @ other]),
    lambda way, one, other: torch.stack([way @ one / one.norm(), way @ other / other.norm()]),
    lambda way, one, other: least_squares(way, one, other).flip(0),
    lambda way, one, other: -least_squares(way, one, other),
    lambda way, one, other: (
        torch.stack([one, other]) @ torch.stack([one, other]).mT @ torch.stack([way @ one, way @ other])
    ),
    straightened,
    in_python,
    lambda way, one, other: torch.mv(torch.stack([one, other]), way),
    lambda way, one, other: one,
]
