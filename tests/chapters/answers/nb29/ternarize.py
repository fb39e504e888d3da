import torch


def masked(weight):
    size = weight.abs()
    kept = size > 0.7 * size.mean()
    scale = size[kept].mean() if kept.any() else 0.0
    return torch.where(kept, weight.sign(), torch.zeros_like(weight)).to(torch.int8), scale


def two_sides(weight):
    threshold = 0.7 * weight.abs().sum() / weight.numel()
    codes = (weight > threshold).to(torch.int8) - (weight < -threshold).to(torch.int8)
    count = codes.abs().sum().item()
    return codes, (weight * codes).sum().item() / count if count else 0


def by_norm(weight):
    mean = weight.norm(p=1) / weight.numel()
    codes = weight.sign() * (weight.abs() > 0.7 * mean)
    return codes.char(), (codes * weight).sum() / codes.abs().sum().clamp(min=1)


RIGHT = [masked, two_sides, by_norm]


def rows(weight):
    size = weight.abs()
    kept = size > 0.7 * size.mean(dim=1, keepdim=True)
    scale = (size * kept).sum(dim=1, keepdim=True) / kept.sum(dim=1, keepdim=True).clamp(min=1)
    return (weight.sign() * kept).to(torch.int8), scale


def with_threshold(threshold):
    def answer(weight):
        size = weight.abs()
        kept = size > threshold(weight)
        return (weight.sign() * kept).to(torch.int8), (size * kept).sum() / kept.sum().clamp(min=1)

    return answer


def not_strict(weight):
    size = weight.abs()
    kept = size >= 0.7 * size.mean()
    return (weight.sign() * kept).to(torch.int8), (size * kept).sum() / kept.sum().clamp(min=1)


WRONG = [
    rows,
    with_threshold(lambda w: 0.7 * w.mean()),
    with_threshold(lambda w: 0.7 * w.abs().max()),
    with_threshold(lambda w: w.abs().mean()),
    with_threshold(lambda w: 0.5 * w.abs().max()),
    not_strict,
    lambda w: (masked(w)[0], w.abs().mean()),
    lambda w: (masked(w)[0], w.abs().max()),
    lambda w: (masked(w)[0], (w.abs() * masked(w)[0].abs()).mean()),
    lambda w: (masked(w)[0], w[masked(w)[0] != 0].abs().mean()),
    lambda w: (masked(w)[0], (w * (masked(w)[0] != 0)).sum() / (masked(w)[0] != 0).sum().clamp(min=1)),
    lambda w: (masked(w)[0].float(), masked(w)[1]),
    lambda w: masked(w)[0] * masked(w)[1],
    lambda w: (masked(w)[0].abs(), masked(w)[1]),
    lambda w: masked(w)[::-1],
    lambda w: masked(w.abs_()),
]
