import math
from collections import Counter

import numpy as np
import torch


def by_counter(codes):
    counts = Counter(codes.flatten().tolist())
    return sum(count * math.log2(codes.numel() / count) for count in counts.values())


def by_unique(codes):
    counts = torch.unique(codes, return_counts=True)[1].float()
    shares = counts / counts.sum()
    return codes.numel() * -(shares * shares.log2()).sum()


def by_numpy(codes):
    _, counts = np.unique(codes.numpy(), return_counts=True)
    shares = counts / counts.sum()
    return float(codes.numel() * np.sum(shares * np.log2(1 / shares)))


def in_nats_then_bits(codes):
    counts = codes.flatten().unique(return_counts=True)[1].double()
    return (
        torch.distributions.Categorical(counts / counts.sum()).entropy() * len(codes.flatten()) / math.log(2)
    )


def code_by_code(codes):
    flat = codes.flatten().long()
    total = torch.tensor(0.0)
    for code in flat:
        total += torch.log2(len(flat) / (flat == code).sum())
    return total


RIGHT = [by_counter, by_unique, by_numpy, in_nats_then_bits, code_by_code]


def shares_of(codes):
    counts = codes.flatten().unique(return_counts=True)[1].double()
    return counts / counts.sum()


def with_bincount(codes):
    counts = torch.bincount(codes.flatten().long() - codes.min().long()).double()
    shares = counts / counts.sum()
    return -codes.numel() * (shares * shares.log2()).sum()


WRONG = [
    lambda codes: -(shares_of(codes) * shares_of(codes).log2()).sum(),  # of one code
    lambda codes: -codes.numel() * (shares_of(codes) * shares_of(codes).log()).sum(),  # nats
    lambda codes: -codes.numel() * (shares_of(codes) * shares_of(codes).log2()).sum() / 8,  # bytes
    lambda codes: -codes.numel() * (shares_of(codes) * shares_of(codes).log10()).sum(),
    lambda codes: codes.numel() * (shares_of(codes) * shares_of(codes).log2()).sum(),  # below 0
    lambda codes: codes.numel() * math.log2(codes.unique().numel()),  # as if all were equally frequent
    lambda codes: codes.numel() * math.ceil(math.log2(codes.unique().numel())),
    lambda codes: math.ceil(-codes.numel() * (shares_of(codes) * shares_of(codes).log2()).sum()),
    lambda codes: -codes.unique().numel() * (shares_of(codes) * shares_of(codes).log2()).sum(),
    lambda codes: -codes.numel() * shares_of(codes).log2().sum(),  # shares forgotten
    lambda codes: -codes.numel() * (shares_of(codes) * shares_of(codes).log2()).mean(),
    lambda codes: -len(codes) * (shares_of(codes) * shares_of(codes).log2()).sum(),  # rows of a matrix
    with_bincount,  # 0 times the logarithm of 0
    lambda codes: codes.numel() * math.log2(int(codes.max()) - int(codes.min()) + 1),
    lambda codes: codes.numel() * codes.element_size() * 8,
    lambda codes: None,
]
