import torch


def masked(weight, importance, scale):
    kept = weight.abs() > scale / 2
    if (importance * kept).sum() == 0:
        new = 0.0
    else:
        new = (importance * weight.abs())[kept].sum() / importance[kept].sum()
    return (weight.sign() * kept).to(torch.int8), new


def by_codes(weight, importance, scale):
    codes = torch.where(weight.abs() * 2 > scale, weight.sign(), torch.zeros_like(weight))
    below = (importance * codes.abs()).sum().item()
    above = (importance * codes * weight).sum().item()
    return codes.to(torch.int8), above / below if below > 0 else 0


def by_rounding(weight, importance, scale):
    codes = (weight > scale / 2).char() - (weight < -scale / 2).char()
    total = (importance * codes.abs()).sum()
    return codes, torch.nan_to_num((importance * weight * codes).sum() / total, nan=0.0)


RIGHT = [masked, by_codes, by_rounding]


def step(kept, weighs=lambda w, i, k: i * k, below=None):
    def answer(weight, importance, scale):
        is_kept = kept(weight, importance, scale)
        weight_of = weighs(weight, importance, is_kept)
        total = weight_of.sum() if below is None else below(importance, is_kept)
        new = (weight_of * weight.abs()).sum() / torch.where(total > 0, total, torch.ones_like(total))
        return (weight.sign() * is_kept).to(torch.int8), new

    return answer


def half(weight, importance, scale):
    return weight.abs() > scale / 2


def added(amount):
    def answer(weight, importance, scale):
        kept = half(weight, importance, scale)
        new = (importance * kept * weight.abs()).sum() / ((importance * kept).sum() + amount)
        return (weight.sign() * kept).to(torch.int8), new

    return answer


def unguarded(weight, importance, scale):
    kept = half(weight, importance, scale)
    new = (importance * kept * weight.abs()).sum() / (importance * kept).sum()
    return (weight.sign() * kept).to(torch.int8), new


WRONG = [
    step(lambda w, i, s: w.abs() > s),
    step(lambda w, i, s: w.abs() >= s / 2),
    step(lambda w, i, s: i * w.abs() > s / 2),
    step(lambda w, i, s: w.abs() > 0.7 * w.abs().mean()),
    step(half, lambda w, i, k: k.to(w.dtype)),
    step(half, below=lambda i, k: i.sum()),
    step(half, below=lambda i, k: k.sum()),
    step(half, lambda w, i, k: i.square() * k),
    added(1e-8),
    added(1e-12),
    unguarded,
    lambda w, i, s: (masked(w, i, s)[0], s),
    lambda w, i, s: masked(w, i, s)[0] * masked(w, i, s)[1],
    lambda w, i, s: (masked(w, i, s)[0].float(), masked(w, i, s)[1]),
]
