import torch
import torch.nn.functional as F


def masked(query, key, value, window):
    places = torch.arange(query.shape[2])
    mask = (places[:, None] - places).abs() <= window
    return F.scaled_dot_product_attention(query, key, value, mask)


def block_by_block(query, key, value, window):
    length = query.shape[2]
    found = []
    for start in range(0, length, window):
        low, high = max(0, start - window), min(length, start + 2 * window)
        rows, columns = torch.arange(start, start + window), torch.arange(low, high)
        mask = (rows[:, None] - columns).abs() <= window
        scores = query[:, :, start : start + window] @ key[:, :, low:high].mT / query.shape[3] ** 0.5
        weights = scores.masked_fill(~mask, -torch.inf).softmax(-1)
        found.append(weights @ value[:, :, low:high])
    return torch.cat(found, dim=2)


def token_by_token(query, key, value, window):
    rows = []
    for t in range(query.shape[2]):
        near = slice(max(0, t - window), t + window + 1)
        scores = (query[:, :, t : t + 1] * key[:, :, near]).sum(-1) / query.shape[-1] ** 0.5
        rows.append((scores.softmax(-1)[..., None] * value[:, :, near]).sum(2))
    return torch.stack(rows, 2)


RIGHT = [masked, block_by_block, token_by_token]


def attended(query, key, value, mask, scale=None):
    return F.scaled_dot_product_attention(query, key, value, mask, scale=scale)


def distances(query):
    places = torch.arange(query.shape[2])
    return places[:, None] - places


def own_block_alone(query, key, value, window):
    blocks = torch.arange(query.shape[2]) // window
    return attended(query, key, value, blocks[:, None] == blocks)


def all_three_blocks(query, key, value, window):
    blocks = torch.arange(query.shape[2]) // window
    return attended(query, key, value, (blocks[:, None] - blocks).abs() <= 1)


def strictly_inside(query, key, value, window):
    return attended(query, key, value, distances(query).abs() < max(window, 1))


def backwards_only(query, key, value, window):
    away = distances(query)
    return attended(query, key, value, (away <= window) & (away >= 0))


def forwards_only(query, key, value, window):
    away = -distances(query)
    return attended(query, key, value, (away <= window) & (away >= 0))


def before_and_own(query, key, value, window):
    blocks = torch.arange(query.shape[2]) // window
    away = blocks[:, None] - blocks
    near = distances(query).abs() <= window
    return attended(query, key, value, near & (away >= 0) & (away <= 1))


def no_scale(query, key, value, window):
    return attended(query, key, value, distances(query).abs() <= window, scale=1.0)


def zeros_are_seen(query, key, value, window):
    pad = (0, 0, window, window)
    places = torch.arange(query.shape[2])
    seen = torch.arange(-window, query.shape[2] + window)
    mask = (places[:, None] - seen).abs() <= window
    return attended(query, F.pad(key, pad), F.pad(value, pad), mask)


def wraps_round(query, key, value, window):
    length = query.shape[2]
    away = distances(query).abs()
    return attended(query, key, value, torch.minimum(away, length - away) <= window)


def full(query, key, value, window):
    return attended(query, key, value, None)


def half(query, key, value, window):
    return attended(query, key, value, distances(query).abs() <= window // 2)


def heads_merged(query, key, value, window):
    return masked(query, key, value, window).transpose(1, 2).flatten(2)


WRONG = [
    own_block_alone,
    all_three_blocks,
    strictly_inside,
    backwards_only,
    forwards_only,
    before_and_own,
    no_scale,
    zeros_are_seen,
    wraps_round,
    full,
    half,
    heads_merged,
]
