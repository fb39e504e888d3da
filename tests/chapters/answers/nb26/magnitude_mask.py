import torch


def by_order(weight, sparsity):
    removed = int(sparsity * weight.numel())
    mask = torch.ones(weight.numel(), dtype=torch.bool)
    mask[weight.abs().flatten().argsort()[:removed]] = False
    return mask.view(weight.shape)


def by_topk(weight, sparsity):
    kept = weight.numel() - int(sparsity * weight.numel())
    places = weight.abs().view(-1).topk(kept).indices
    mask = torch.zeros_like(weight, dtype=torch.bool)
    mask.view(-1)[places] = True
    return mask


def by_rank(weight, sparsity):
    ranks = weight.abs().flatten().argsort(descending=False).argsort()
    return (ranks >= int(sparsity * weight.numel())).reshape(weight.shape)


RIGHT = [by_order, by_topk, by_rank]


def threshold(weight, sparsity):
    k = int(sparsity * weight.numel())
    return weight.abs() > weight.abs().flatten().sort().values[k - 1]


WRONG = [
    lambda w, s: ~by_order(w, s),
    lambda w, s: by_order(w, 1 - s),
    lambda w, s: by_topk(-w.exp(), s),
    lambda w, s: (w.flatten().argsort().argsort() >= int(s * w.numel())).view(w.shape),
    lambda w, s: (w.abs().flatten().argsort().argsort() >= round(s * w.numel())).view(w.shape),
    lambda w, s: torch.stack([by_order(row, s) for row in w]),
    lambda w, s: w.abs() > s * w.abs().max(),
    lambda w, s: w.abs() > s,
    lambda w, s: w * by_order(w, s),
    lambda w, s: by_order(w, s).float(),
    lambda w, s: by_order(w, s).flatten(),
    threshold,
    lambda w, s: (w.abs().flatten().argsort() >= int(s * w.numel())).view(w.shape),
    lambda w, s: torch.rand(w.shape) > s,
    lambda w, s: int(s * w.numel()),
    lambda w, s: by_order(w.abs_(), s),  # changes the weight itself
]
