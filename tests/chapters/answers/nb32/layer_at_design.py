import math

import torch
from torch.nn import functional as F


def by_scores(layer, hidden, mask, heads, neurons):
    att, texts, tokens = layer.attention.self, hidden.size(0), hidden.size(1)
    size = att.query.weight.size(0) // att.num_heads

    def cut(part):
        made = hidden @ part.weight[: heads * size].T + part.bias[: heads * size]
        return made.view(texts, tokens, heads, size).permute(0, 2, 1, 3)

    query, key, value = cut(att.query), cut(att.key), cut(att.value)
    scores = query @ key.transpose(-1, -2) / math.sqrt(size)
    weights = scores.masked_fill(~mask, float("-inf")).softmax(-1)
    mixed = (weights @ value).permute(0, 2, 1, 3).reshape(texts, tokens, heads * size)
    out = layer.attention.output
    hidden = out.LayerNorm(mixed @ out.dense.weight[:, : heads * size].T + out.dense.bias + hidden)
    wide, narrow = layer.intermediate.dense, layer.output.dense
    inner = F.gelu(hidden @ wide.weight[:neurons].T + wide.bias[:neurons])
    return layer.output.LayerNorm(inner @ narrow.weight[:, :neurons].T + narrow.bias + hidden)


def head_by_head(layer, hidden, mask, heads, neurons):
    att = layer.attention.self
    size = len(att.key.weight) // att.num_heads
    found = []
    for head in range(heads):
        rows = slice(head * size, (head + 1) * size)
        parts = [
            F.linear(hidden, one.weight[rows], one.bias[rows]) for one in (att.query, att.key, att.value)
        ]
        found.append(F.scaled_dot_product_attention(*parts, attn_mask=mask[:, 0]))
    mixed = torch.cat(found, dim=-1)
    out = layer.attention.output
    middle = out.LayerNorm(hidden + F.linear(mixed, out.dense.weight[:, : mixed.size(-1)], out.dense.bias))
    wide, narrow = layer.intermediate.dense, layer.output.dense
    inner = F.gelu(F.linear(middle, wide.weight[:neurons], wide.bias[:neurons]))
    return layer.output.LayerNorm(middle + F.linear(inner, narrow.weight[:, :neurons], narrow.bias))


def by_zeros(layer, hidden, mask, heads, neurons):
    att = layer.attention.self
    size = att.query.out_features // att.num_heads
    shape = (*hidden.shape[:2], att.num_heads, size)
    parts = [one(hidden).view(shape).transpose(1, 2) for one in (att.query, att.key, att.value)]
    mixed = F.scaled_dot_product_attention(*parts, attn_mask=mask)
    off = torch.arange(att.num_heads) >= heads
    mixed = mixed.masked_fill(off[:, None, None], 0).transpose(1, 2).flatten(2)
    hidden = layer.attention.output(mixed, hidden)
    inner = layer.intermediate(hidden)
    inner = inner.masked_fill(torch.arange(inner.size(-1)) >= neurons, 0)
    return layer.output(inner, hidden)


RIGHT = [by_scores, head_by_head, by_zeros]


def version(
    size_by=None, last=False, all_heads=False, all_neurons=False, masked=True, turned=True, first_sum=True,
    last_sum=True, first_norm=True, last_norm=True, bend=F.gelu, output_bias=True, shape=None, scale=None,
    columns_last=False,
):  # fmt: skip
    def layer_at_design(layer, hidden, mask, heads, neurons):
        att = layer.attention.self
        if all_heads:
            heads = att.num_heads
        if all_neurons:
            neurons = layer.intermediate.dense.out_features
        size = att.query.out_features // (heads if size_by else att.num_heads)
        rows = heads * size
        kept = slice(-rows, None) if last else slice(rows)
        parts = []
        for one in (att.query, att.key, att.value):
            made = F.linear(hidden, one.weight[kept], one.bias[kept])
            parts.append(made.unflatten(2, (heads, size)).transpose(1, 2))
        mixed = F.scaled_dot_product_attention(*parts, attn_mask=mask if masked else None, scale=scale)
        mixed = mixed.transpose(1, 2).flatten(2) if turned else mixed.reshape(*hidden.shape[:2], rows)
        out = layer.attention.output
        kept = slice(-rows, None) if last or columns_last else slice(rows)
        update = F.linear(mixed, out.dense.weight[:, kept], out.dense.bias if output_bias else None)
        update = update + hidden if first_sum else update
        hidden = out.LayerNorm(update) if first_norm else update
        wide, narrow = layer.intermediate.dense, layer.output.dense
        inner = bend(F.linear(hidden, wide.weight[:neurons], wide.bias[:neurons]))
        update = F.linear(inner, narrow.weight[:, :neurons], narrow.bias)
        update = update + hidden if last_sum else update
        return layer.output.LayerNorm(update) if last_norm else update

    return layer_at_design


def the_layer(layer, hidden, mask, heads, neurons):
    return layer(hidden, mask)


def attention_alone(layer, hidden, mask, heads, neurons):
    return layer.attention(hidden, mask)


def no_return(layer, hidden, mask, heads, neurons):
    layer(hidden, mask)


WRONG = [
    version(size_by="kept"),
    version(last=True),
    version(columns_last=True),
    version(all_heads=True),
    version(all_neurons=True),
    version(masked=False),
    version(turned=False),
    version(first_sum=False),
    version(last_sum=False),
    version(first_norm=False),
    version(last_norm=False),
    version(bend=F.relu),
    version(bend=torch.tanh),
    version(output_bias=False),
    version(scale=1.0),
    the_layer,
    attention_alone,
    no_return,
]
