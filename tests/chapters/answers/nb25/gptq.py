import torch


def nearest(old, scale, most):
    return torch.clamp(torch.round(old / scale), -most, most) * scale


def by_outer(weight, shares, scale, most=3):
    weight = weight.clone()
    for column in range(len(shares)):
        old = weight[:, column : column + 1].clone()
        new = nearest(old, scale, most)
        weight[:, column : column + 1] = new
        weight[:, column + 1 :] += torch.outer((old - new)[:, 0], shares[column, column + 1 :])
    return weight


def at_once(weight, shares, scale, most=3):
    weight = weight.clone()
    for column in range(len(shares)):
        old = weight[:, [column]]
        new = nearest(old, scale, most)
        weight = weight + (old - new) * shares[column]
        weight[:, [column]] = new
    return weight


def draft(new_of, change_of):
    def gptq(weight, shares, scale, most=3):
        weight = weight.clone()
        for column in range(len(shares)):
            rest = slice(column + 1, None)
            old = weight[:, [column]]
            new = new_of(old, scale, most)
            change = change_of(old, new, shares, column, rest)
            weight[:, [column]] = new
            weight[:, rest] += change
        return weight

    return gptq


RIGHT = [by_outer, at_once, draft(nearest, lambda o, n, s, c, r: o * s[c, r] - n * s[c, r])]
WRONG = [
    draft(nearest, lambda o, n, s, c, r: (n - o) * s[c, r]),
    draft(nearest, lambda o, n, s, c, r: (o - n) * s[r, c]),
    draft(nearest, lambda o, n, s, c, r: 0),
    draft(nearest, lambda o, n, s, c, r: o - n),
    draft(nearest, lambda o, n, s, c, r: n * s[c, r]),
    draft(nearest, lambda o, n, s, c, r: o * s[c, r]),
    draft(nearest, lambda o, n, s, c, r: (o - n) * s[c]),
    draft(lambda o, s, m: (o / s).round() * s, lambda o, n, s, c, r: (o - n) * s[c, r]),
    draft(lambda o, s, m: (o / s).round().clamp(-m, m), lambda o, n, s, c, r: (o - n) * s[c, r]),
    draft(lambda o, s, m: o, lambda o, n, s, c, r: (o - n) * s[c, r]),
    draft(lambda o, s, m: (o / s).floor().clamp(-m, m) * s, lambda o, n, s, c, r: (o - n) * s[c, r]),
    lambda weight, shares, scale, most=3: None,
]
