import torch
import torch.nn.functional as F


def padded_left(x, weight):
    k = weight.size(2)
    return F.conv1d(F.pad(x.mT, (k - 1, 0)), weight).mT


def by_loops(x, weight):
    k = weight.shape[2]
    out = x.new_zeros(x.shape[0], x.shape[1], weight.shape[0])
    for t in range(x.shape[1]):
        for i in range(k):
            source = t - (k - 1) + i
            if source >= 0:
                out[:, t] = out[:, t] + x[:, source] @ weight[:, :, i].T
    return out


def shifted_copies(x, weight):
    k, length = weight.shape[-1], x.shape[1]
    zeros = x.new_zeros(x.shape[0], k - 1, x.shape[2])
    padded = torch.cat([zeros, x], dim=1)
    return sum(padded[:, i : i + length] @ weight[:, :, i].T for i in range(k))


def cut_off(x, weight):
    k = weight.shape[-1]
    out = F.conv1d(x.transpose(1, 2), weight, padding=k - 1)
    return out[..., : x.shape[1]].transpose(1, 2)


def unfolded(x, weight):
    k = weight.shape[-1]
    windows = F.pad(x, (0, 0, k - 1, 0)).unfold(1, k, 1)  # [B, T, D, k]
    return torch.einsum("btdi,edi->bte", windows, weight)


RIGHT = [padded_left, by_loops, shifted_copies, cut_off, unfolded]


def draft(x, weight):
    k = weight.shape[-1]
    return F.conv1d(x.transpose(1, 2), weight, padding=k // 2).transpose(1, 2)


def same(x, weight):
    return F.conv1d(x.transpose(1, 2), weight, padding="same").transpose(1, 2)


def padded_right(x, weight):
    k = weight.shape[-1]
    return F.conv1d(F.pad(x.transpose(1, 2), (0, k - 1)), weight).transpose(1, 2)


def one_too_far(x, weight):
    k = weight.shape[-1]
    return F.conv1d(F.pad(x.transpose(1, 2), (k, 0)), weight)[..., :-1].transpose(1, 2)


def not_cut(x, weight):
    k = weight.shape[-1]
    return F.conv1d(x.transpose(1, 2), weight, padding=k - 1).transpose(1, 2)


def last_cut(x, weight):
    k = weight.shape[-1]
    return F.conv1d(x.transpose(1, 2), weight, padding=k - 1)[..., k - 1 :].transpose(1, 2)


def turned_round(x, weight):
    return padded_left(x, weight.flip(-1))


def no_padding(x, weight):
    return F.conv1d(x.transpose(1, 2), weight).transpose(1, 2)


def not_transposed_back(x, weight):
    k = weight.shape[-1]
    return F.conv1d(F.pad(x.transpose(1, 2), (k - 1, 0)), weight)


def never_transposed(x, weight):
    k = weight.shape[-1]
    return F.conv1d(F.pad(x, (k - 1, 0)), weight)


def last_alone(x, weight):
    return x @ weight[..., -1].T


def repeats_the_first(x, weight):
    k = weight.shape[-1]
    first = x[:, :1].expand(-1, k - 1, -1)
    return F.conv1d(torch.cat([first, x], 1).transpose(1, 2), weight).transpose(1, 2)


def wraps_round(x, weight):
    k = weight.shape[-1]
    out = x @ weight[..., -1].T
    for back in range(1, k):
        out = out + x.roll(back, dims=1) @ weight[..., k - 1 - back].T
    return out


def averaged(x, weight):
    return padded_left(x, weight) / weight.shape[-1]


def padded_by_half(x, weight):
    k = weight.shape[-1]
    left = k // 2
    return F.conv1d(F.pad(x.transpose(1, 2), (left, k - 1 - left)), weight).transpose(1, 2)


WRONG = [
    draft,
    same,
    padded_right,
    one_too_far,
    not_cut,
    last_cut,
    turned_round,
    no_padding,
    not_transposed_back,
    never_transposed,
    last_alone,
    repeats_the_first,
    wraps_round,
    averaged,
    padded_by_half,
]
