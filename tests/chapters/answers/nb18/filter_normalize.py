import torch
import torch.nn.functional as F


def plain(direction, weight):
    if direction.ndim == 1:
        return torch.zeros_like(direction)
    lengths = direction.norm(dim=1, keepdim=True)
    return torch.where(lengths > 0, direction * weight.norm(dim=1, keepdim=True) / lengths, 0.0)


def by_normalize(direction, weight):
    if direction.dim() < 2:
        return direction * 0
    return F.normalize(direction, dim=1) * weight.norm(dim=1, keepdim=True)


def row_by_row(direction, weight):
    result = torch.zeros_like(direction)
    if weight.dim() > 1:
        for number, row in enumerate(direction):
            if row.norm() > 0:
                result[number] = row / row.norm() * weight[number].norm()
    return result


def nearly(direction, weight):
    if direction.dim() < 2:
        return torch.zeros_like(direction)
    return direction * (weight.norm(dim=1) / (direction.norm(dim=1) + 1e-10))[:, None]


RIGHT = [plain, by_normalize, row_by_row, nearly]


def scaled(factor, vector=torch.zeros_like):
    """An answer that treats vectors in one way and multiplies a matrix by a factor."""
    return lambda direction, weight: (
        vector(direction) if direction.dim() < 2 else direction * factor(direction, weight)
    )


def rows(tensor):
    return tensor.norm(dim=1, keepdim=True)


WRONG = [
    scaled(lambda direction, weight: rows(weight) / rows(direction)),
    lambda direction, weight: direction if direction.dim() < 2 else by_normalize(direction, weight),
    lambda direction, weight: direction * weight.norm() / direction.norm(),
    scaled(lambda direction, weight: weight.norm() / direction.norm()),
    scaled(lambda direction, weight: weight.norm(dim=0) / direction.norm(dim=0).clamp(min=1e-9)),
    scaled(lambda direction, weight: 1 / rows(direction).clamp(min=1e-9)),
    scaled(lambda direction, weight: rows(weight)),
    scaled(lambda direction, weight: (rows(weight) / rows(direction).clamp(min=1e-9)) ** 2),
    lambda direction, weight: weight,
    lambda direction, weight: None,
    lambda direction, weight: -by_normalize(direction, weight),
]
