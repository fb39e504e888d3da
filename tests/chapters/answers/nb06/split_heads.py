import torch


def slice_by_slice(hidden, num_heads):
    size = hidden.shape[2] // num_heads
    heads = hidden.new_empty(hidden.shape[0], num_heads, hidden.shape[1], size)
    for h in range(num_heads):
        heads[:, h] = hidden[..., h * size : (h + 1) * size]
    return heads


RIGHT = [
    slice_by_slice,
    lambda hidden, num_heads: torch.stack(hidden.chunk(num_heads, dim=-1), dim=1),
    lambda hidden, num_heads: hidden.unflatten(-1, (num_heads, -1)).permute(0, 2, 1, 3),
    lambda hidden, num_heads: hidden.reshape(*hidden.shape[:2], num_heads, -1).swapaxes(1, 2).contiguous(),
]


def size(hidden, num_heads):
    return hidden.shape[-1] // num_heads


def straight(x, n):
    return x.view(x.size(0), n, x.size(1), size(x, n))


def left_behind(x, n):
    return x.view(x.size(0), x.size(1), n, size(x, n))


def every_nth(x, n):
    return x.view(x.size(0), x.size(1), size(x, n), n).permute(0, 3, 1, 2)


def sizes_mixed(x, n):
    return x.view(x.size(0), x.size(1), size(x, n), n).transpose(1, 2)


def last_two(x, n):
    return x.view(x.size(0), x.size(1), n, size(x, n)).transpose(-1, -2)


def key_turned(x, n):
    return x.view(x.size(0), x.size(1), n, size(x, n)).permute(0, 2, 3, 1)


def in_front(x, n):
    return torch.stack(x.chunk(n, -1))


def a_list(x, n):
    return list(x.chunk(n, -1))


def in_the_batch(x, n):
    return torch.cat(x.chunk(n, -1))


def hidden_size_kept(x, n):
    return x.view(x.size(0), x.size(1), n, x.size(2)).transpose(1, 2)


def true_division(x, n):
    return x.view(x.size(0), x.size(1), n, x.size(2) / n).transpose(1, 2)


def two_heads(x, n):
    return x.view(x.size(0), x.size(1), 2, -1).transpose(1, 2)


def tokens_cut(x, n):
    return torch.stack(x.chunk(n, 1), 1)


def turned_then_viewed(x, n):
    return x.transpose(1, 2).reshape(x.size(0), n, x.size(1), size(x, n))


def turned_then_right_shape(x, n):
    return x.transpose(1, 2).reshape(x.size(0), n, size(x, n), x.size(1))


def detached(x, n):
    return torch.stack(x.detach().chunk(n, -1), 1)


def nothing(x, n):
    x.view(x.size(0), x.size(1), n, -1).transpose(1, 2)


def unbatched(x, n):
    return x.view(x.size(1), n, -1).transpose(0, 1)


def heads_backwards(x, n):
    return torch.stack(x.chunk(n, -1)[::-1], 1)


WRONG = [
    *(straight, left_behind, every_nth, sizes_mixed, last_two, key_turned, in_front, a_list, in_the_batch),
    *(hidden_size_kept, true_division, two_heads, tokens_cut, turned_then_viewed, turned_then_right_shape),
    *(detached, nothing, unbatched, heads_backwards),
]
