import torch


def two_products(x, codes, scale):
    return scale * (x @ (codes == 1).to(x.dtype).T - x @ (codes == -1).to(x.dtype).T)


def one_product(x, codes, scale):
    return scale * (x @ codes.to(x.dtype).T)


def loop(x, codes, scale):
    out = x.new_zeros(len(x), len(codes))
    for number, row in enumerate(codes):
        out[:, number] = x[:, row == 1].sum(dim=1) - x[:, row == -1].sum(dim=1)
    return out * scale


def masked(x, codes, scale):
    parts = torch.where(codes > 0, x[:, None], 0) - torch.where(codes < 0, x[:, None], 0)
    return scale * parts.sum(dim=-1)


RIGHT = [two_products, one_product, loop, masked]


def means(x, codes, scale):
    return scale * torch.stack([x[:, row == 1].mean(1) - x[:, row == -1].mean(1) for row in codes], dim=1)


WRONG = [
    lambda x, c, s: -two_products(x, c, s),
    lambda x, c, s: s * (x @ c.abs().to(x.dtype).T),
    lambda x, c, s: s * (x @ (c == 1).to(x.dtype).T),
    lambda x, c, s: s * (x @ (c >= 0).to(x.dtype).T - x @ (c == -1).to(x.dtype).T),
    lambda x, c, s: s * (x @ (c == 1).to(x.dtype).T - x @ (c <= 0).to(x.dtype).T),
    lambda x, c, s: x @ c.to(x.dtype).T,
    lambda x, c, s: s * (x @ c.to(x.dtype)),
    lambda x, c, s: two_products(x, c, s).T,
    lambda x, c, s: s * (x.long() @ c.long().T).to(x.dtype),
    lambda x, c, s: s * (x.to(torch.int8) @ c.T).to(x.dtype),
    lambda x, c, s: two_products(x, c, s) + s,
    lambda x, c, s: two_products(x, c, s).sum(dim=1),
    lambda x, c, s: two_products(x, c, s).double(),
    lambda x, c, s: two_products(x.mul_(s), c, 1.0),
    means,
    lambda x, c, s: s * torch.stack([x[:, row == 1].sum() - x[:, row == -1].sum() for row in c]),
    lambda x, c, s: s * x @ (c == 1).to(x.dtype).T - x @ (c == -1).to(x.dtype).T,
    lambda x, c, s: s * torch.stack([x[row == 1].sum(0) - x[row == -1].sum(0) for row in c], dim=1),
    lambda x, c, s: two_products(x, c, 1 / s),
    lambda x, c, s: s * (x @ c.T),
    lambda x, c, s: s * (x[:, c == 1].sum(1) - x[:, c == -1].sum(1)),
    lambda x, c, s: two_products(x, c, s**2),
    lambda x, c, s: two_products(x, c, 1.0) + s,
    lambda x, c, s: s * (x @ c.float().T),
]
