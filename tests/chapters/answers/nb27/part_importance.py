import torch


def in_one_line(given, gradient, parts):
    texts, tokens, _ = given.shape
    return (given * gradient).view(texts, tokens, parts, -1).sum((1, 3)).abs().mean(0)


def by_einsum(given, gradient, parts):
    def cut(tensor):
        return tensor.unflatten(-1, (parts, -1))

    return torch.einsum("btpk,btpk->bp", cut(given), cut(gradient)).abs().mean(dim=0)


def part_by_part(given, gradient, parts):
    texts, _, features = given.shape
    size = features // parts
    worth = []
    for part in range(parts):
        some = slice(part * size, (part + 1) * size)
        total = 0.0
        for text in range(texts):
            total += (given[text, :, some] * gradient[text, :, some]).sum().abs()
        worth.append(total / texts)
    return torch.stack(worth)


def tokens_first(given, gradient, parts):
    by_feature = (given * gradient).sum(dim=1)
    return by_feature.view(len(given), parts, -1).sum(dim=-1).abs().sum(dim=0) / len(given)


RIGHT = [in_one_line, by_einsum, part_by_part, tokens_first]


def cut(tensor, parts):
    return tensor.unflatten(-1, (parts, -1))


WRONG = [
    lambda v, g, n: cut(v * g, n).abs().sum((1, 3)).mean(0),
    lambda v, g, n: cut(v * g, n).sum(3).abs().mean((0, 1)),
    lambda v, g, n: cut(v * g, n).sum(3).abs().sum(1).mean(0),
    lambda v, g, n: cut(v * g, n).sum((1, 3)).mean(0).abs(),
    lambda v, g, n: cut(v * g, n).sum((1, 3)).mean(0),
    lambda v, g, n: cut(v * g, n).sum((1, 3)).abs().sum(0),
    lambda v, g, n: cut(v * g, n).mean((1, 3)).abs().mean(0),
    lambda v, g, n: cut(v * g, n).sum((1, 3)).pow(2).mean(0),
    lambda v, g, n: cut(g, n).sum((1, 3)).abs().mean(0),
    lambda v, g, n: cut(v, n).sum((1, 3)).abs().mean(0),
    lambda v, g, n: cut(v * g, n).sum((1, 3)).abs(),
    lambda v, g, n: cut(v * g, n).sum((0, 3)).abs().mean(0),
    lambda v, g, n: cut(v + g, n).sum((1, 3)).abs().mean(0),
    lambda v, g, n: (v * g).unflatten(-1, (-1, n)).sum((1, 2)).abs().mean(0),
    lambda v, g, n: None,
    lambda v, g, n: cut(v * g, n).sum((1, 3)).abs().amax(0),
    lambda v, g, n: cut(v * g, n).sum((1, 3)).relu().mean(0),
]
