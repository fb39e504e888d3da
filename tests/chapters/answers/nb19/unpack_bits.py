import numpy as np
import torch


def with_numpy(packed, bits, count):
    stream = np.unpackbits(packed.numpy(), bitorder="little")[: count * bits].reshape(count, bits)
    return torch.from_numpy(np.packbits(stream, axis=1, bitorder="little")[:, 0].copy())


def one_large_number(packed, bits, count):
    number = int.from_bytes(bytes(packed.tolist()), "little")
    return torch.tensor([number >> (bits * i) & (2**bits - 1) for i in range(count)], dtype=torch.uint8)


def bit_by_bit(packed, bits, count):
    codes = torch.zeros(count, dtype=torch.uint8)
    for i in range(count):
        for j in range(bits):
            s = i * bits + j
            codes[i] += (int(packed[s // 8]) >> s % 8 & 1) * 2**j
    return codes


RIGHT = [with_numpy, one_large_number, bit_by_bit]


def big_bytes(packed, bits, count):
    stream = np.unpackbits(packed.numpy())[: count * bits].reshape(count, bits)
    return torch.from_numpy(np.packbits(stream, axis=1, bitorder="little")[:, 0].copy())


def all_there_is(packed, bits, count):
    return bit_by_bit(packed, bits, len(packed) * 8 // bits)


def big_number(packed, bits, count):
    number = int.from_bytes(bytes(packed.tolist()), "big")
    return torch.tensor([number >> (bits * i) & (2**bits - 1) for i in range(count)], dtype=torch.uint8)


def whole_codes(packed, bits, count):
    fit = 8 // bits
    found = [int(byte) >> bits * place & 2**bits - 1 for byte in packed for place in range(fit)]
    return torch.tensor(found[:count], dtype=torch.uint8)


def ones(packed, bits, count):
    stream = np.unpackbits(packed.numpy(), bitorder="little")[: count * bits].reshape(count, bits)
    return torch.from_numpy(stream.sum(axis=1).astype(np.uint8))


def columns_first(packed, bits, count):
    stream = np.unpackbits(packed.numpy(), bitorder="little")[: count * bits].reshape(bits, count).T
    return torch.from_numpy(np.packbits(stream, axis=1, bitorder="little")[:, 0].copy())


WRONG = [
    big_bytes,
    all_there_is,
    big_number,
    whole_codes,
    ones,
    columns_first,
    lambda packed, bits, count: packed,
    lambda packed, bits, count: packed[:count],
    lambda packed, bits, count: bit_by_bit(packed, bits, count).float(),
    lambda packed, bits, count: None,
]
