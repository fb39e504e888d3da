import torch
import torch.nn.functional as F


def by_conv(x, kernel):
    size = kernel.shape[1]
    weights = kernel.softmax(-1).unsqueeze(1)
    out = F.conv1d(x.transpose(1, 2), weights, padding=size // 2, groups=kernel.shape[0])
    return out.transpose(1, 2)


def by_shifts(x, kernel):
    weights = torch.softmax(kernel, dim=1)
    half = kernel.shape[1] // 2
    padded = F.pad(x, (0, 0, half, half))
    return sum(weights[:, k] * padded[:, k : k + x.shape[1]] for k in range(kernel.shape[1]))


def by_unfold(x, kernel):
    half = kernel.size(1) // 2
    windows = F.pad(x, (0, 0, half, half)).unfold(1, kernel.size(1), 1)  # [B, T, D, K]
    return (windows * kernel.softmax(1)).sum(-1)


def by_loops(x, kernel):
    length = x.shape[1]
    half = kernel.shape[1] // 2
    weights = torch.exp(kernel - kernel.amax(1, keepdim=True))
    weights = weights / weights.sum(1, keepdim=True)
    rows = []
    for t in range(length):
        total = torch.zeros_like(x[:, 0])
        for k in range(kernel.shape[1]):
            place = t + k - half
            if 0 <= place < length:
                total = total + weights[:, k] * x[:, place]
        rows.append(total)
    return torch.stack(rows, dim=1)


def module(x, kernel):
    conv = torch.nn.Conv1d(x.size(2), x.size(2), kernel.size(1), padding="same", groups=x.size(2), bias=False)
    weight = kernel.softmax(-1)[:, None]
    return torch.func.functional_call(conv, {"weight": weight}, (x.transpose(1, 2),)).transpose(1, 2)


RIGHT = [by_conv, by_shifts, by_unfold, by_loops, module]


def raw(x, kernel):
    return F.conv1d(x.transpose(1, 2), kernel[:, None], padding=kernel.size(1) // 2, groups=len(kernel)).mT


def over_channels(x, kernel):
    weights = kernel.softmax(0)[:, None]
    return F.conv1d(x.mT, weights, padding=kernel.size(1) // 2, groups=len(kernel)).mT


def along_features(x, kernel):
    # the kernel slides over D
    half = kernel.size(1) // 2
    windows = F.pad(x, (half, half)).unfold(2, kernel.size(1), 1)
    return (windows * kernel.softmax(1)).sum(-1)


def causal(x, kernel):
    size = kernel.size(1)
    padded = F.pad(x.mT, (size - 1, 0))
    return F.conv1d(padded, kernel.softmax(-1)[:, None], groups=len(kernel)).mT


def renormalized(x, kernel):
    return by_conv(x, kernel) / by_conv(torch.ones_like(x), kernel)


def all_channels_mixed(x, kernel):
    weights = kernel.softmax(-1)[:, None].expand(-1, len(kernel), -1)
    return F.conv1d(x.mT, weights, padding=kernel.size(1) // 2).mT


def exp_of_the_numbers(x, kernel):
    weights = kernel.exp() / kernel.exp().sum(1, keepdim=True)
    return F.conv1d(x.mT, weights[:, None], padding=kernel.size(1) // 2, groups=len(kernel)).mT


def in_place(x, kernel):
    kernel.sub_(kernel.max())
    return by_conv(x, kernel)


def shifted_copies(x, weights, before=None):
    size, length = weights.size(1), x.size(1)
    padded = F.pad(x, (0, 0, size, size))
    start = size - (size // 2 if before is None else before)
    return sum(weights[:, k] * padded[:, start + k : start + k + length] for k in range(size))


def three_places(x, kernel):
    weights, padded = kernel.softmax(-1), F.pad(x, (0, 0, 1, 1))
    return sum(weights[:, k] * padded[:, k : k + x.size(1)] for k in range(3))


def rolled(x, kernel):
    weights, half = kernel.softmax(-1), kernel.size(1) // 2
    return sum(weights[:, k] * x.roll(half - k, 1) for k in range(kernel.size(1)))


WRONG = [
    raw,
    lambda x, kernel: x + by_conv(x, kernel),
    over_channels,
    along_features,
    causal,
    lambda x, kernel: by_conv(x, kernel.flip(1)),
    renormalized,
    all_channels_mixed,
    lambda x, kernel: by_conv(x, kernel)[:, 1:-1],
    lambda x, kernel: by_conv(x, kernel).transpose(1, 2),
    lambda x, kernel: by_conv(x, kernel) / kernel.size(1),
    lambda x, kernel: by_conv(x, kernel[:1].expand_as(kernel)),
    lambda x, kernel: by_conv(x, torch.zeros_like(kernel)),
    lambda x, kernel: by_conv(x, kernel).relu(),
    lambda x, kernel: torch.roll(x, 1, 1) / 3 + x / 3 + torch.roll(x, -1, 1) / 3,
    in_place,
    lambda x, kernel: x,
    exp_of_the_numbers,
    lambda x, kernel: shifted_copies(x, kernel.softmax(-1), before=0),
    three_places,
    rolled,
    lambda x, kernel: shifted_copies(x, kernel / kernel.sum(1, keepdim=True)),
    lambda x, kernel: shifted_copies(x, kernel.flatten().softmax(0).view_as(kernel)),
    lambda x, kernel: shifted_copies(x, kernel.softmax(-1)[:, :1].expand_as(kernel)),
    lambda x, kernel: F.conv1d(x, kernel.softmax(-1)[:, None], padding=kernel.size(1) // 2, groups=x.size(2)),
    lambda x, kernel: shifted_copies(x, kernel.softmax(-1), before=kernel.size(1) // 2 + 1),
]
