import torch


def descent(scores, weight, gradient, learning_rate):
    return scores - learning_rate * (gradient * weight)


def movement(scores, weight, gradient, learning_rate):
    change = -learning_rate * gradient
    return scores + change * weight


def subtracted(scores, weight, gradient, learning_rate):
    return torch.sub(scores, weight * gradient, alpha=learning_rate)


RIGHT = [descent, movement, subtracted]
WRONG = [
    lambda s, w, g, r: s + r * g * w,
    lambda s, w, g, r: s - r * g,
    lambda s, w, g, r: w - r * g,
    lambda s, w, g, r: s - r * g * w.abs(),
    lambda s, w, g, r: s - r * g * w.sign(),
    lambda s, w, g, r: s - g * w,
    lambda s, w, g, r: -r * g * w,
    lambda s, w, g, r: s + r * (g * w).abs(),
    lambda s, w, g, r: s - r * g * (w != 0),
    lambda s, w, g, r: s - r * g * s,
    lambda s, w, g, r: s - r * (g * w).sum(),
    lambda s, w, g, r: s,
    lambda s, w, g, r: s - r * g * (w - r * g),
    lambda s, w, g, r: s - r * (g @ w),
    lambda s, w, g, r: s - r * g * w * (s > 0),
    lambda s, w, g, r: r * s - g * w,
    lambda s, w, g, r: s - r * (g + w),
    lambda s, w, g, r: s - r * g * w * s,
    lambda s, w, g, r: s + r**2 * g * w,
    lambda s, w, g, r: s * (1 - r) - r * g * w,
    lambda s, w, g, r: s - r * g.sign() * w,
]
