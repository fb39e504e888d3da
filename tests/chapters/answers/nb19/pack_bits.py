import numpy as np
import torch


def with_numpy(codes, bits):
    table = np.unpackbits(codes.numpy()[:, None], axis=1, bitorder="little")[:, :bits]
    return torch.from_numpy(np.packbits(table.reshape(-1), bitorder="little"))


def one_large_number(codes, bits):
    number = sum(int(code) << (bits * place) for place, code in enumerate(codes))
    count = (len(codes) * bits + 7) // 8
    return torch.tensor(list(number.to_bytes(count, "little")), dtype=torch.uint8)


def bit_by_bit(codes, bits):
    packed = torch.zeros((len(codes) * bits + 7) // 8, dtype=torch.uint8)
    for i in range(len(codes)):
        for j in range(bits):
            s = i * bits + j
            if int(codes[i]) >> j & 1:
                packed[s // 8] += 2 ** (s % 8)
    return packed


def in_int64(codes, bits):
    stream = (codes.long()[:, None] // 2 ** torch.arange(bits) % 2).reshape(-1)
    stream = torch.cat([stream, torch.zeros(-len(stream) % 8, dtype=torch.long)])
    return (stream.reshape(-1, 8) * 2 ** torch.arange(8)).sum(1).to(torch.uint8)


RIGHT = [with_numpy, one_large_number, bit_by_bit, in_int64]


def numpy_default(codes, bits):
    table = np.unpackbits(codes.numpy()[:, None], axis=1)[:, 8 - bits :]
    return torch.from_numpy(np.packbits(table.reshape(-1)))


def as_one_number_big(codes, bits):
    number = sum(int(code) << (bits * place) for place, code in enumerate(codes))
    return torch.tensor(list(number.to_bytes((len(codes) * bits + 7) // 8, "big")), dtype=torch.uint8)


def rounded_down(codes, bits):
    return bit_by_bit(codes, bits)[: len(codes) * bits // 8]


def two_a_byte(codes, bits):
    fit = 8 // bits
    packed = torch.zeros(-(-len(codes) // fit), dtype=torch.uint8)
    for i, code in enumerate(codes):
        packed[i // fit] += int(code) << (i % fit * bits)
    return packed


def columns_first(codes, bits):
    stream = (codes.long()[:, None] >> torch.arange(bits) & 1).T.reshape(-1)
    stream = torch.cat([stream, torch.zeros(-len(stream) % 8, dtype=torch.long)])
    return (stream.reshape(-1, 8) << torch.arange(8)).sum(1).to(torch.uint8)


WRONG = [
    numpy_default,
    as_one_number_big,
    rounded_down,
    two_a_byte,
    columns_first,
    lambda codes, bits: codes,
    lambda codes, bits: codes.clone(),
    lambda codes, bits: bit_by_bit(codes, bits).long(),
    lambda codes, bits: (codes[:, None] >> torch.arange(bits) & 1).flatten(),
    lambda codes, bits: None,
]
