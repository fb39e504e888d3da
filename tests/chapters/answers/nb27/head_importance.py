import torch


def in_one_line(context, gradient):
    return (context * gradient).sum(-1).abs().mean((0, 2))


def by_einsum(context, gradient):
    dots = torch.einsum("bhtk,bhtk->bht", context, gradient)
    return dots.abs().sum(dim=(0, 2)) / (context.size(0) * context.size(2))


def head_by_head(context, gradient):
    texts, heads, tokens, _ = context.shape
    worth = []
    for head in range(heads):
        total = 0.0
        for text in range(texts):
            for token in range(tokens):
                total += torch.dot(context[text, head, token], gradient[text, head, token]).abs()
        worth.append(total / (texts * tokens))
    return torch.stack(worth)


def flattened(context, gradient):
    dots = (context * gradient).sum(dim=3).abs()  # [B, H, T]
    return dots.transpose(0, 1).flatten(1).mean(dim=1)


RIGHT = [in_one_line, by_einsum, head_by_head, flattened]

WRONG = [
    lambda c, g: (c * g).abs().sum(-1).mean((0, 2)),
    lambda c, g: (c * g).sum(-1).mean((0, 2)).abs(),
    lambda c, g: (c * g).sum((2, 3)).abs().mean(0),
    lambda c, g: (c * g).sum(-1).mean((0, 2)),
    lambda c, g: (c * g).sum(-1).abs().sum((0, 2)),
    lambda c, g: (c * g).mean(-1).abs().mean((0, 2)),
    lambda c, g: (c * g).sum(-1).pow(2).mean((0, 2)),
    lambda c, g: g.abs().sum(-1).mean((0, 2)),
    lambda c, g: c.norm(dim=-1).mean((0, 2)),
    lambda c, g: (c * g).sum(-1).abs(),
    lambda c, g: (c * g).sum(-1).abs().mean((0, 1)),
    lambda c, g: (c + g).sum(-1).abs().mean((0, 2)),
    lambda c, g: None,
    lambda c, g: (c * g).sum(-1).abs().amax((0, 2)),
    lambda c, g: (c * g).sum(-1).relu().mean((0, 2)),
]
