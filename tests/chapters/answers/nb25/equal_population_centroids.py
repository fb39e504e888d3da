import torch


def viewed(values, bits):
    return values.sort().values.view(2**bits, -1).mean(dim=1)


def cut(values, bits):
    ordered, _ = torch.sort(values)
    size = len(values) // 2**bits
    return torch.stack([ordered[i * size : (i + 1) * size].mean() for i in range(2**bits)])


def chunked(values, bits):
    parts = torch.sort(values)[0].chunk(2**bits)
    return torch.tensor([part.sum() / len(part) for part in parts])


RIGHT = [viewed, cut, chunked]


WRONG = [
    lambda values, bits: values.view(2**bits, -1).mean(dim=1),
    lambda values, bits: values.sort().values.view(-1, 2**bits).mean(dim=0),
    lambda values, bits: values.sort().values.view(2**bits, -1).mean(dim=0),
    lambda values, bits: values.sort().values.view(2**bits, -1).median(dim=1).values,
    lambda values, bits: values.sort().values.view(2**bits, -1).sum(dim=1),
    lambda values, bits: values.sort(descending=True).values.view(2**bits, -1).mean(dim=1),
    lambda values, bits: values.sort().values.view(2**bits, -1)[:, 0],
    lambda values, bits: torch.linspace(values.min(), values.max(), 2**bits),
    lambda values, bits: values.abs().sort().values.view(2**bits, -1).mean(dim=1),
    lambda values, bits: values[values.abs().argsort()].view(2**bits, -1).mean(dim=1),
    lambda values, bits: torch.stack([part.mean() for part in values.sort().values.chunk(bits)]),
    lambda values, bits: values.sort().values,
    lambda values, bits: values.mean(),
    lambda values, bits: None,
]
