import torch


def by_mask(merged, head, num_heads):
    size = merged.shape[-1] // num_heads
    place = torch.arange(merged.shape[-1])
    return merged * (place // size != head)


def by_parts(merged, head, num_heads):
    parts = list(merged.chunk(num_heads, dim=-1))
    parts[head] = torch.zeros_like(parts[head])
    return torch.cat(parts, dim=-1)


def by_view(merged, head, num_heads):
    heads = merged.unflatten(-1, (num_heads, -1)).clone()
    heads[:, :, head] = 0
    return heads.flatten(2)


RIGHT = [by_mask, by_parts, by_view]


def in_place(merged, head, num_heads):
    size = merged.size(-1) // num_heads
    merged[..., head * size : (head + 1) * size] = 0
    return merged


def one_feature(merged, head, num_heads):
    silenced = merged.clone()
    silenced[..., head] = 0
    return silenced


def counted_from_1(merged, head, num_heads):
    size = merged.size(-1) // num_heads
    silenced = merged.clone()
    silenced[..., (head - 1) * size : head * size] = 0
    return silenced


def num_heads_wide(merged, head, num_heads):
    silenced = merged.clone()
    silenced[..., head * num_heads : (head + 1) * num_heads] = 0
    return silenced


def to_the_end(merged, head, num_heads):
    size = merged.size(-1) // num_heads
    silenced = merged.clone()
    silenced[..., head * size :] = 0
    return silenced


def every_nth(merged, head, num_heads):
    silenced = merged.clone()
    silenced[..., head::num_heads] = 0
    return silenced


def only_this_head(merged, head, num_heads):
    size = merged.size(-1) // num_heads
    silenced = torch.zeros_like(merged)
    silenced[..., head * size : (head + 1) * size] = merged[..., head * size : (head + 1) * size]
    return silenced


def a_token(merged, head, num_heads):
    size = merged.size(-1) // num_heads
    silenced = merged.clone()
    silenced[:, head * size : (head + 1) * size] = 0
    return silenced


def shorter(merged, head, num_heads):
    size = merged.size(-1) // num_heads
    return torch.cat([merged[..., : head * size], merged[..., (head + 1) * size :]], dim=-1)


def true_division(merged, head, num_heads):
    size = merged.size(-1) / num_heads
    silenced = merged.clone()
    silenced[..., head * size : (head + 1) * size] = 0
    return silenced


def ones(merged, head, num_heads):
    size = merged.size(-1) // num_heads
    silenced = merged.clone()
    silenced[..., head * size : (head + 1) * size] = 1
    return silenced


def the_part_alone(merged, head, num_heads):
    size = merged.size(-1) // num_heads
    return merged[..., head * size : (head + 1) * size]


def nothing(merged, head, num_heads):
    size = merged.size(-1) // num_heads
    merged.clone()[..., head * size : (head + 1) * size] = 0


def detached(merged, head, num_heads):
    size = merged.size(-1) // num_heads
    silenced = merged.detach().clone()
    silenced[..., head * size : (head + 1) * size] = 0
    return silenced


def unchanged(merged, head, num_heads):
    return merged


WRONG = [
    *(in_place, one_feature, counted_from_1, num_heads_wide, to_the_end, every_nth, only_this_head, a_token),
    *(shorter, true_division, ones, the_part_alone, nothing, detached, unchanged),
]
