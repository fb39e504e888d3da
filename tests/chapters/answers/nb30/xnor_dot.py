import numpy as np
import torch


def shifted(a, b, count):
    bits = ((a ^ b)[:, None] >> torch.arange(8, dtype=torch.uint8) & 1).flatten()[:count]
    return count - 2 * int(bits.sum())


def signs(packed, count):
    bits = [(byte >> place) & 1 for byte in packed.tolist() for place in range(8)]
    return [2 * bit - 1 for bit in bits[:count]]


def by_signs(a, b, count):
    return sum(x * y for x, y in zip(signs(a, count), signs(b, count), strict=True))


def by_strings(a, b, count):
    differ = 0
    for number, (x, y) in enumerate(zip(a.tolist(), b.tolist(), strict=True)):
        left = min(8, count - 8 * number)
        differ += bin((x ^ y) & (2**left - 1)).count("1")
    return count - 2 * differ


def by_numpy(a, b, count):
    equal = ~(a.numpy() ^ b.numpy())
    bits = np.unpackbits(equal, bitorder="little")[:count]
    return int(2 * bits.sum(dtype=np.int64) - count)


RIGHT = [shifted, by_signs, by_strings, by_numpy]


def overflowing(a, b, count):
    bits = ((a ^ b)[:, None] >> torch.arange(8, dtype=torch.uint8) & 1).flatten()[:count]
    return count - 2 * int(bits.sum(dtype=torch.uint8))


def from_above(a, b, count):
    bits = np.unpackbits((a ^ b).numpy())[:count]
    return count - 2 * int(bits.sum(dtype=np.int64))


def bits(x):
    return ((x[:, None] >> torch.arange(8)) & 1).flatten()


WRONG = [
    overflowing,
    from_above,
    lambda a, b, count: 8 * len(a) - 2 * sum(bin(byte).count("1") for byte in (a ^ b).tolist()),
    lambda a, b, count: (count + shifted(a, b, count)) // 2,
    lambda a, b, count: (count - shifted(a, b, count)) // 2,
    lambda a, b, count: -shifted(a, b, count),
    lambda a, b, count: sum(bin(byte).count("1") for byte in (a & b).tolist()),
    lambda a, b, count: count - 2 * int((a != b).sum()),
    lambda a, b, count: int((a.long() * b.long()).sum()),
    lambda a, b, count: shifted(a, b, count) / count,
    lambda a, b, count: torch.tensor([shifted(a, b, count)]),
    lambda a, b, count: shifted(a, a, count),
    lambda a, b, count: count - 2 * sum(bin(byte).count("1") for byte in (a ^ b)[: count // 8].tolist()),
    lambda a, b, count: int(((2 * bits(a).byte() - 1) * (2 * bits(b).byte() - 1))[:count].sum()),
    lambda a, b, count: count - 2 * int((((a ^ b) >> torch.arange(8)[:, None]) & 1).flatten()[:count].sum()),
    lambda a, b, count: int((bits(a) != bits(b))[:count].sum()) - count,
    lambda a, b, count: count - 2 * bin(int(a[0]) ^ int(b[0])).count("1"),
]
