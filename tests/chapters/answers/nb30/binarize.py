import torch


def plain(weight):
    return torch.where(weight >= 0, 1, -1).to(torch.int8), weight.abs().mean()


def from_bits(weight):
    return (2 * (weight >= 0).to(torch.int8) - 1), weight.abs().sum().item() / weight.numel()


def filled(weight):
    signs = torch.ones_like(weight, dtype=torch.int8)
    signs[weight < 0] = -1
    return signs, weight.norm(p=1) / weight.numel()


RIGHT = [plain, from_bits, filled]
WRONG = [
    lambda w: (w.sign().to(torch.int8), w.abs().mean()),
    lambda w: (torch.where(w > 0, 1, -1).to(torch.int8), w.abs().mean()),
    lambda w: (plain(w)[0], w.abs().mean(dim=1, keepdim=True)),
    lambda w: (plain(w)[0], w.abs().mean(dim=1)),
    lambda w: (plain(w)[0], w.mean()),
    lambda w: (plain(w)[0], w.abs().max()),
    lambda w: ((w >= 0).to(torch.int8), w.abs().mean()),
    lambda w: (-plain(w)[0], w.abs().mean()),
    lambda w: (plain(w)[0], w.square().mean().sqrt()),
    lambda w: (plain(w)[0], w.std()),
    lambda w: (plain(w)[0].float(), w.abs().mean()),
    lambda w: plain(w)[0] * plain(w)[1],
    lambda w: (plain(w)[0], w.abs().median()),
    lambda w: (plain(w)[0], w.abs().sum()),
]
