import torch


def shares(hits):
    return hits.double().mean(dim=0)


def with_max(choosing, scoring):
    best = torch.sum(choosing, dim=0).argmax().item()
    return best, shares(scoring)[best].item()


def counted(choosing, scoring):
    counts = [int(choosing[:, m].sum()) for m in range(choosing.shape[1])]
    best = counts.index(max(counts))
    return best, int(scoring[:, best].sum()) / len(scoring)


RIGHT = [
    with_max,
    counted,
    lambda choosing, scoring: [
        int(shares(choosing).argmax()),
        float(shares(scoring)[shares(choosing).argmax()]),
    ],
]


def chosen(choose, score):
    """An answer that chooses on one thing and scores on another."""
    return lambda choosing, scoring: (
        int(shares(choose(choosing, scoring)).argmax()),
        float(shares(score(choosing, scoring))[shares(choose(choosing, scoring)).argmax()]),
    )


def first(choosing, scoring):
    return choosing


def second(choosing, scoring):
    return scoring


def both(choosing, scoring):
    return torch.cat([choosing, scoring])


WRONG = [
    *(chosen(second, second), chosen(both, second), chosen(first, first), chosen(first, both)),
    *(chosen(second, first), chosen(both, both)),
    lambda choosing, scoring: (
        int(shares(choosing).argmin()),
        float(shares(scoring)[shares(choosing).argmin()]),
    ),
    lambda choosing, scoring: (int(shares(choosing).argmax()), float(shares(scoring).max())),
    lambda choosing, scoring: (int(shares(choosing).argmax()), float(shares(scoring).mean())),
    lambda choosing, scoring: (int(shares(choosing).argmax()), float(shares(choosing).max())),
    lambda choosing, scoring: (
        float(shares(scoring)[shares(choosing).argmax()]),
        int(shares(choosing).argmax()),
    ),
    lambda choosing, scoring: float(shares(scoring)[shares(choosing).argmax()]),
    lambda choosing, scoring: int(shares(choosing).argmax()),
    lambda choosing, scoring: (
        int(shares(choosing).argmax()),
        int(scoring[:, shares(choosing).argmax()].sum()),
    ),
    lambda choosing, scoring: (int(choosing.float().argmax()), 0.5),
    lambda choosing, scoring: (
        int(choosing.double().mean(dim=1).argmax()),
        float(shares(scoring)[choosing.double().mean(dim=1).argmax() % scoring.shape[1]]),
    ),
    lambda choosing, scoring: (
        int(shares(choosing).argmax()) + 1,
        float(shares(scoring)[shares(choosing).argmax()]),
    ),
]
