import copy

import torch
from torch import nn


def rows_of(layer, kept):
    att = layer.attention.self
    size = att.query.weight.shape[0] // att.num_heads
    return [head * size + feature for head in kept for feature in range(size)]


def with_new_layers(layer, kept):
    att = layer.attention.self
    rows = rows_of(layer, kept)
    for name in ("query", "key", "value"):
        old = getattr(att, name)
        fresh = nn.Linear(old.in_features, len(rows))
        fresh.weight.data, fresh.bias.data = old.weight.data[rows], old.bias.data[rows]
        setattr(att, name, fresh)
    dense = layer.attention.output.dense
    mixing = nn.Linear(len(rows), dense.out_features)
    mixing.weight.data, mixing.bias.data = dense.weight.data[:, rows], dense.bias.data
    layer.attention.output.dense = mixing
    att.num_heads = len(kept)


def by_views(layer, kept):
    att = layer.attention.self
    with torch.no_grad():
        for part in (att.query, att.key, att.value):
            weight = part.weight.view(att.num_heads, -1, part.in_features)[kept]
            part.weight = nn.Parameter(weight.flatten(0, 1))
            part.bias = nn.Parameter(part.bias.view(att.num_heads, -1)[kept].flatten())
            part.out_features = len(part.bias)
        dense = layer.attention.output.dense
        columns = dense.weight.view(dense.out_features, att.num_heads, -1)[:, kept]
        dense.weight = nn.Parameter(columns.flatten(1))
        dense.in_features = dense.weight.size(1)
    att.num_heads = len(kept)
    return layer


def by_slices(layer, kept):
    att, output = layer.attention.self, layer.attention.output.dense
    size = att.query.out_features // att.num_heads
    slices = [slice(head * size, (head + 1) * size) for head in kept]
    for part in (att.query, att.key, att.value):
        part.weight.data = torch.cat([part.weight.data[one] for one in slices])
        part.bias.data = torch.cat([part.bias.data[one] for one in slices])
    output.weight.data = torch.cat([output.weight.data[:, one] for one in slices], dim=1)
    att.num_heads = len(slices)


RIGHT = [with_new_layers, by_views, by_slices]


def version(stay=None, columns=True, parts=("query", "key", "value"), biases=True, counted=True):
    def keep(layer, kept):
        att, dense = layer.attention.self, layer.attention.output.dense
        kept = kept if stay is None else stay(kept, att.num_heads)
        rows = rows_of(layer, kept)
        for name in parts:
            part = getattr(att, name)
            part.weight.data = part.weight.data[rows]
            if biases:
                part.bias.data = part.bias.data[rows]
        if columns:
            dense.weight.data = dense.weight.data[:, rows]
        if counted:
            att.num_heads = len(kept)

    return keep


def scaled(layer, kept):
    before = layer.attention.self.num_heads
    version()(layer, kept)
    layer.attention.output.dense.weight.data *= before / len(kept)


def no_bias(layer, kept):
    version()(layer, kept)
    layer.attention.output.dense.bias.data.zero_()


def of_these_features(features):
    """Of which only these features of heads stay, of old heads, a head's size and those that stay."""

    def keep(layer, kept):
        att, dense = layer.attention.self, layer.attention.output.dense
        rows = features(att.num_heads, att.query.out_features // att.num_heads, kept)
        for part in (att.query, att.key, att.value):
            part.weight.data, part.bias.data = part.weight.data[rows], part.bias.data[rows]
        dense.weight.data = dense.weight.data[:, rows]
        att.num_heads = len(kept)

    return keep


def copied(layer, kept):
    new = copy.deepcopy(layer)
    version()(new, kept)
    return new


def at_zero(layer, kept):
    rows = rows_of(layer, kept)
    others = [row for row in range(layer.attention.self.query.out_features) if row not in rows]
    layer.attention.output.dense.weight.data[:, others] = 0


WRONG = [
    version(columns=False),
    version(counted=False),
    version(stay=lambda kept, count: [head for head in range(count) if head not in kept] or kept),
    version(stay=lambda kept, count: [(head - 1) % count for head in kept]),
    version(stay=lambda kept, count: sorted(kept)),
    version(parts=("query", "key")),
    version(parts=("value",)),
    version(biases=False),
    scaled,
    no_bias,
    copied,
    at_zero,
    lambda layer, kept: None,
    of_these_features(lambda count, size, kept: [k * count + h for h in kept for k in range(size)]),
    of_these_features(lambda count, size, kept: kept),
    of_these_features(lambda count, size, kept: list(range(len(kept) * size))),
]
