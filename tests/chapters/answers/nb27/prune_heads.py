import copy

import torch
from torch import nn

from lib.bert.surgery import select_features


def with_new_layers(layer, heads):
    new = copy.deepcopy(layer)
    att = new.attention.self
    n = att.num_heads
    k = att.query.weight.shape[0] // n
    keep = torch.ones(n, dtype=torch.bool)
    keep[list(heads)] = False
    rows = keep.repeat_interleave(k)
    for name in ("query", "key", "value"):
        old = getattr(att, name)
        fresh = nn.Linear(old.in_features, int(rows.sum()))
        fresh.weight.data, fresh.bias.data = old.weight.data[rows], old.bias.data[rows]
        setattr(att, name, fresh)
    dense = new.attention.output.dense
    mixing = nn.Linear(int(rows.sum()), dense.out_features)
    mixing.weight.data, mixing.bias.data = dense.weight.data[:, rows], dense.bias.data
    new.attention.output.dense = mixing
    att.num_heads = int(keep.sum())
    return new


def by_views(layer, heads):
    new = copy.deepcopy(layer)
    att = new.attention.self
    kept = [h for h in range(att.num_heads) if h not in heads]
    with torch.no_grad():
        for part in (att.query, att.key, att.value):
            weight = part.weight.view(att.num_heads, -1, part.in_features)[kept]
            part.weight = nn.Parameter(weight.flatten(0, 1))
            part.bias = nn.Parameter(part.bias.view(att.num_heads, -1)[kept].flatten())
            part.out_features = len(part.bias)
        dense = new.attention.output.dense
        columns = dense.weight.view(dense.out_features, att.num_heads, -1)[:, kept]
        dense.weight = nn.Parameter(columns.flatten(1))
        dense.in_features = dense.weight.size(1)
    att.num_heads = len(kept)
    return new


def one_by_one(layer, heads):
    new = copy.deepcopy(layer)
    att = new.attention.self
    size = att.query.out_features // att.num_heads
    for head in sorted(heads, reverse=True):
        lo, hi = head * size, (head + 1) * size
        for part in (att.query, att.key, att.value):
            part.weight = nn.Parameter(torch.cat([part.weight.data[:lo], part.weight.data[hi:]]))
            part.bias = nn.Parameter(torch.cat([part.bias.data[:lo], part.bias.data[hi:]]))
        dense = new.attention.output.dense
        dense.weight = nn.Parameter(torch.cat([dense.weight.data[:, :lo], dense.weight.data[:, hi:]], 1))
        att.num_heads -= 1
    return new


def in_another_order(layer, heads):
    """The heads that stay, the last one first: the statement does not say in which order they stand."""
    new = copy.deepcopy(layer)
    att, dense = new.attention.self, new.attention.output.dense
    size = att.query.out_features // att.num_heads
    stay = [head for head in reversed(range(att.num_heads)) if head not in heads]
    places = [place for head in stay for place in range(head * size, (head + 1) * size)]
    for part in (att.query, att.key, att.value):
        part.weight, part.bias = nn.Parameter(part.weight[places]), nn.Parameter(part.bias[places])
    dense.weight = nn.Parameter(dense.weight[:, places])
    att.num_heads = len(stay)
    return new


RIGHT = [with_new_layers, by_views, one_by_one, in_another_order]


def version(copied=True, gone=None, columns=True, parts=("query", "key", "value"), counted=True):
    def prune(layer, heads):
        new = copy.deepcopy(layer) if copied else layer
        att = new.attention.self
        size = att.query.weight.shape[0] // att.num_heads
        removed = heads if gone is None else gone(heads, att.num_heads)
        kept = [h for h in range(att.num_heads) if h not in removed]
        rows = [h * size + i for h in kept for i in range(size)]
        for name in parts:
            part = getattr(att, name)
            part.weight = nn.Parameter(part.weight.data[rows])
            part.bias = nn.Parameter(part.bias.data[rows])
        dense = new.attention.output.dense
        if columns:
            dense.weight = nn.Parameter(dense.weight.data[:, rows])
        if counted:
            att.num_heads = len(kept)
        return new

    return prune


def scaled(layer, heads):
    new = version()(layer, heads)
    new.attention.output.dense.weight.data *= layer.attention.self.num_heads / new.attention.self.num_heads
    return new


def no_bias(layer, heads):
    new = version()(layer, heads)
    new.attention.output.dense.bias.data.zero_()
    return new


def of_these_features(features):
    """A layer of which only these features of heads stay, of old heads, a head's size and those that stay."""

    def prune(layer, heads):
        new = copy.deepcopy(layer)
        att = new.attention.self
        count, size = att.num_heads, att.query.out_features // att.num_heads
        kept = [h for h in range(count) if h not in heads]
        for part in (att.query, att.key, att.value):
            select_features(part, features(count, size, kept), 0)
        select_features(new.attention.output.dense, features(count, size, kept), 1)
        att.num_heads = len(kept)
        return new

    return prune


def in_sequence(layer, heads):
    for head in heads:
        layer = with_new_layers(layer, [head])
    return copy.deepcopy(layer)


WRONG = [
    version(copied=False),
    version(columns=False),
    version(counted=False),
    version(gone=lambda heads, count: [h for h in range(count) if h not in heads] if heads else []),
    version(gone=lambda heads, count: [(h - 1) % count for h in heads]),
    version(parts=("query", "key")),
    version(parts=("value",)),
    scaled,
    no_bias,
    lambda layer, heads: layer,
    lambda layer, heads: None,
    lambda layer, heads: version()(layer, heads).attention.self.query.weight,
    of_these_features(lambda count, size, kept: [k * count + h for h in kept for k in range(size)]),
    of_these_features(lambda count, size, kept: kept),
    of_these_features(lambda count, size, kept: [h * 32 + k for h in kept for k in range(32)]),
    of_these_features(lambda count, size, kept: list(range((count - len(kept)) * size, count * size))),
    in_sequence,
]
