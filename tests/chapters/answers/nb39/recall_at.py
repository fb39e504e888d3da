import torch


def by_count(scores, right, k):
    hits = 0
    for row, column in zip(scores, right.tolist(), strict=True):
        others = [value for place, value in enumerate(row.tolist()) if place != column]
        better = sum(value >= row[column].item() for value in others)
        hits += better < k
    return hits / len(right)


def by_gather(scores, right, k):
    own = scores.gather(1, right.unsqueeze(1))
    rank = (scores >= own).sum(1) - 1
    return (rank < k).double().mean().item()


def by_comparison(scores, right, k):
    own = scores[torch.arange(len(right)), right]
    beaten = (scores > own[:, None]).sum(1) + (scores == own[:, None]).sum(1)
    return float((beaten <= k).sum()) / scores.shape[0]


def as_tensor(scores, right, k):
    others = scores.clone()
    rows = torch.arange(len(right))
    others[rows, right] = -float("inf")
    return ((others >= scores[rows, right][:, None]).sum(dim=1) < k).float().mean()


RIGHT = [by_count, by_gather, by_comparison, as_tensor]


def by_topk(scores, right, k):
    best = scores.topk(min(k, scores.size(1)), dim=1).indices
    return (best == right[:, None]).any(dim=1).float().mean().item()


def by_topk_crashes(scores, right, k):
    best = scores.topk(k, dim=1).indices
    return (best == right[:, None]).any(dim=1).float().mean().item()


def strictly(scores, right, k):
    own = scores.gather(1, right[:, None])
    return ((scores > own).sum(dim=1) < k).float().mean().item()


def only_first(scores, right, k):
    return (scores.argmax(dim=1) == right).float().mean().item()


def one_less(scores, right, k):
    own = scores.gather(1, right[:, None])
    return ((scores >= own).sum(dim=1) < k).float().mean().item()


def one_more(scores, right, k):
    own = scores.gather(1, right[:, None])
    return ((scores >= own).sum(dim=1) - 1 <= k).float().mean().item()


def count(scores, right, k):
    own = scores.gather(1, right[:, None])
    return ((scores >= own).sum(dim=1) <= k).sum().item()


def percent(scores, right, k):
    own = scores.gather(1, right[:, None])
    return 100 * ((scores >= own).sum(dim=1) <= k).float().mean().item()


def lowest(scores, right, k):
    own = scores.gather(1, right[:, None])
    return ((scores <= own).sum(dim=1) <= k).float().mean().item()


def exactly_k(scores, right, k):
    own = scores.gather(1, right[:, None])
    return ((scores >= own).sum(dim=1) == k).float().mean().item()


def precision(scores, right, k):
    own = scores.gather(1, right[:, None])
    return ((scores >= own).sum(dim=1) <= k).float().mean().item() / k


def by_columns(scores, right, k):
    own = scores[torch.arange(len(right)), right]
    return ((own[:, None] <= scores.T).sum(dim=1) <= k).float().mean().item()


def reciprocal(scores, right, k):
    own = scores.gather(1, right[:, None])
    rank = (scores >= own).sum(dim=1).float()
    return (1 / rank).mean().item()


def each(scores, right, k):
    own = scores.gather(1, right[:, None])
    return (scores >= own).sum(dim=1) <= k


def same_place(scores, right, k):
    own = scores.diagonal()[:, None]
    return ((scores[: len(own)] >= own).sum(dim=1) <= k).float().mean().item()


WRONG = [
    by_topk,
    by_topk_crashes,
    strictly,
    only_first,
    one_less,
    one_more,
    count,
    percent,
    lowest,
    exactly_k,
    precision,
    by_columns,
    reciprocal,
    each,
    same_place,
]
