import torch


def subtracted(score, weight, gradient):
    return score - weight * gradient


def changed(score, weight, gradient):
    change_of_loss = gradient * (0.0 - weight)
    return score + change_of_loss


def by_torch(score, weight, gradient):
    return torch.addcmul(score, gradient, weight, value=-1)


RIGHT = [subtracted, changed, by_torch]


def in_place(score, weight, gradient):
    score -= gradient * weight
    return score


WRONG = [
    lambda s, w, g: s + g * w,
    lambda s, w, g: s + (g * w).abs(),
    lambda s, w, g: s - (g * w).abs(),
    lambda s, w, g: (s - g * w).abs(),
    lambda s, w, g: s + g.abs() * w.abs(),
    lambda s, w, g: s - g * w.abs(),
    lambda s, w, g: -g * w,
    lambda s, w, g: g * w,
    lambda s, w, g: s - g,
    lambda s, w, g: s - w,
    lambda s, w, g: s - g * w.sign(),
    lambda s, w, g: s - (g @ w),
    lambda s, w, g: s - (g * w).sum(),
    lambda s, w, g: s - (g + w),
    lambda s, w, g: w - g,
    lambda s, w, g: s - g * w * s,
    lambda s, w, g: s - (g * w) ** 2,
    lambda s, w, g: s,
    lambda s, w, g: float((s - g * w).sum()),
    in_place,
]
