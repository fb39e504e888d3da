import math

import torch
import torch.nn.functional as F


def written_out(states, source, query, key, value, heads, mask):
    b, t, d = states.shape
    s = source.size(1)
    k = d // heads
    q = query(states).reshape(b, t, heads, k).permute(0, 2, 1, 3)
    kk = key(source).reshape(b, s, heads, k).permute(0, 2, 1, 3)
    v = value(source).reshape(b, s, heads, k).permute(0, 2, 1, 3)
    scores = q @ kk.transpose(-1, -2) / k**0.5
    if mask is not None:
        scores = scores.masked_fill(~mask[:, None, None], float("-inf"))
    weights = scores.softmax(-1)
    return (weights @ v).permute(0, 2, 1, 3).reshape(b, t, d), weights


def head_by_head(states, source, query, key, value, heads, mask):
    size = states.size(-1) // heads
    q, k, v = query(states), key(source), value(source)
    outputs, all_weights = [], []
    for head in range(heads):
        part = slice(head * size, (head + 1) * size)
        scores = torch.bmm(q[..., part], k[..., part].transpose(1, 2)) / math.sqrt(size)
        if mask is not None:
            scores = scores.masked_fill(~mask.unsqueeze(1), -torch.inf)
        weights = F.softmax(scores, dim=-1)
        outputs.append(weights @ v[..., part])
        all_weights.append(weights)
    return torch.cat(outputs, dim=-1), torch.stack(all_weights, dim=1)


def einsum(states, source, query, key, value, heads, mask):
    q = query(states).unflatten(-1, (heads, -1))
    k = key(source).unflatten(-1, (heads, -1))
    v = value(source).unflatten(-1, (heads, -1))
    scores = torch.einsum("bthk,bshk->bhts", q, k) * q.size(-1) ** -0.5
    if mask is not None:
        scores = torch.where(mask[:, None, None, :], scores, -torch.inf)
    weights = torch.softmax(scores, 3)
    return torch.einsum("bhts,bshk->bthk", weights, v).flatten(2), weights


def varied(states, source, query, key, value, heads, mask, *, scale=None, dim=-1, asks=None, shows=None,
           handed=None, masking="before", side="right", turned=False):  # fmt: skip
    asks = states if asks is None else asks
    shows = source if shows is None else shows
    handed = source if handed is None else handed
    b, t, d = states.shape
    k = d // heads

    def cut(x):
        if turned:
            return x.view(b, x.size(1), k, heads).permute(0, 3, 1, 2)
        return x.view(b, x.size(1), heads, k).transpose(1, 2)

    q, kk, v = cut(query(asks)), cut(key(shows)), cut(value(handed))
    scores = q @ kk.transpose(-1, -2) * (k**-0.5 if scale is None else scale)
    if mask is not None and masking == "before":
        scores = scores.masked_fill(~mask[:, None, None], -torch.inf)
    if mask is not None and masking == "inverted":
        scores = scores.masked_fill(mask[:, None, None], -1e9)
    if mask is not None and masking == "times":
        scores = scores * mask[:, None, None]
    weights = scores.softmax(dim)
    if mask is not None and masking == "after":
        weights = weights * mask[:, None, None]
    out = weights @ v
    out = out.reshape(b, t, d) if side == "glued" else out.transpose(1, 2).reshape(b, t, d)
    return out, weights


def self_attention(states, source, query, key, value, heads, mask):
    return varied(states, source, query, key, value, heads, None, shows=states, handed=states)


RIGHT = [written_out, head_by_head, einsum]
WRONG = [
    lambda *a: varied(*a, scale=1.0),
    lambda *a: varied(*a, scale=a[0].size(-1) ** -0.5),
    lambda *a: varied(*a, scale=1 / (a[0].size(-1) // a[5])),
    lambda *a: varied(*a, dim=-2),
    lambda *a: varied(*a, masking="none"),
    lambda *a: varied(*a, masking="after"),
    lambda *a: varied(*a, masking="inverted"),
    lambda *a: varied(*a, masking="times"),
    lambda *a: varied(*a, side="glued"),
    lambda *a: varied(*a, turned=True),
    self_attention,
    lambda *a: written_out(a[1], a[0], *a[2:6], None),
    lambda *a: written_out(*a)[0],
    lambda *a: (written_out(*a)[0], written_out(*a)[1].mean(1)),
    lambda *a: (written_out(*a)[0] + a[0], written_out(*a)[1]),
    lambda *a: written_out(*a[:5], 1, a[6]),
    lambda *a: written_out(*a)[::-1],
    lambda *a: tuple(one.detach() for one in written_out(*a)),
]
