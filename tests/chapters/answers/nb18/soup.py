import torch


def by_name(models, shares):
    mixed = {}
    for name in models[0]:
        total = torch.zeros_like(models[0][name])
        for model, share in zip(models, shares, strict=True):
            total += share * model[name]
        mixed[name] = total
    return mixed


def stacked(models, shares):
    weights = torch.tensor(shares)
    return {
        name: torch.tensordot(weights, torch.stack([model[name] for model in models]), dims=1)
        for name in models[0]
    }


def by_model(models, shares):
    mixed = {name: shares[0] * tensor for name, tensor in models[0].items()}
    for model, share in zip(models[1:], shares[1:], strict=True):
        for name in mixed:
            mixed[name] = mixed[name] + share * model[name]
    return mixed


RIGHT = [by_name, stacked, by_model]


def into_the_first(models, shares):
    for name in models[0]:
        models[0][name] *= shares[0]
        for model, share in zip(models[1:], shares[1:], strict=True):
            models[0][name] += share * model[name]
    return models[0]


WRONG = [
    lambda models, shares: {name: sum(m[name] for m in models) / len(models) for name in models[0]},
    lambda models, shares: {name: sum(m[name] for m in models) for name in models[0]},
    lambda models, shares: {
        name: sum(s * m[name] for m, s in zip(models, shares, strict=True)) / len(models)
        for name in models[0]
    },
    lambda models, shares: {
        name: shares[0] * models[0][name] + shares[1] * models[1][name] for name in models[0]
    },
    lambda models, shares: by_name(models, shares[::-1]),
    lambda models, shares: models[0],
    lambda models, shares: None,
    lambda models, shares: {name: -tensor for name, tensor in by_name(models, shares).items()},
    lambda models, shares: list(by_name(models, shares).values()),
    into_the_first,
]
