import torch


def loops(order):
    n = len(order)
    content = torch.zeros(n, n, dtype=torch.bool)
    query = torch.zeros(n, n, dtype=torch.bool)
    seen = []
    for place in order.tolist():
        query[place, seen] = True
        seen.append(place)
        content[place, seen] = True
    return content, query


def by_argsort(order):
    rank = order.argsort()
    return rank.unsqueeze(1) >= rank, rank.unsqueeze(1) > rank


def by_tril(order):
    n = len(order)
    inside = torch.ones(n, n).tril().bool()
    rank = torch.argsort(order)
    content = inside[rank][:, rank]
    return content, content & ~torch.eye(n, dtype=torch.bool)


RIGHT = [loops, by_argsort, by_tril]

WRONG = [
    lambda order: (order[:, None] >= order, order[:, None] > order),
    lambda order: by_argsort(order)[::-1],
    lambda order: (by_argsort(order)[0], by_argsort(order)[0]),
    lambda order: (by_argsort(order)[1], by_argsort(order)[1]),
    lambda order: tuple(mask.T for mask in by_argsort(order)),
    lambda order: tuple(~mask for mask in by_argsort(order)),
    lambda order: (
        torch.ones(len(order), len(order)).tril().bool(),
        torch.ones(len(order), len(order)).tril(-1).bool(),
    ),
    lambda order: by_argsort(order)[0],
    lambda order: tuple(mask.float() for mask in by_argsort(order)),
    lambda order: (
        torch.ones(len(order), len(order)).tril().bool()[order][:, order],
        torch.ones(len(order), len(order)).tril(-1).bool()[order][:, order],
    ),
    lambda order: (
        torch.ones(len(order), len(order)).tril().bool()[order],
        torch.ones(len(order), len(order)).tril(-1).bool()[order],
    ),
    lambda order: (by_argsort(order)[0], ~torch.eye(len(order), dtype=torch.bool)),
]
