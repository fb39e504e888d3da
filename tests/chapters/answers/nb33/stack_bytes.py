import torch


def in_one_line(layers, share, bits, word_bits, pieces):
    return (bits * (layers * share * 1_769_472 + 147_456) + word_bits * pieces * 384) / 8


def part_by_part(layers, share, bits, word_bits, pieces):
    matrices = [384 * 384] * 4 + [384 * 1536] * 2
    total = 384 * 384 * bits / 8
    for _ in range(layers):
        for size in matrices:
            total += share * size * bits / 8
    return total + pieces * 384 * word_bits / 8


def by_torch(layers, share, bits, word_bits, pieces):
    weights = torch.tensor([layers * share * (4 * 384**2 + 2 * 384 * 1536) + 384**2, pieces * 384.0])
    return (weights.double() @ torch.tensor([bits, word_bits]).double()) / 8


RIGHT = [in_one_line, part_by_part, by_torch]

LAYER, POOLER = 1_769_472, 147_456

WRONG = [
    lambda layers, share, bits, words, pieces: 8 * in_one_line(layers, share, bits, words, pieces),
    lambda layers, share, bits, words, pieces: in_one_line(1, share, bits, words, pieces),
    lambda layers, share, bits, words, pieces: (bits * layers * share * LAYER + words * pieces * 384) / 8,
    lambda layers, share, bits, words, pieces: (
        (bits * layers * (share * LAYER + POOLER) + words * pieces * 384) / 8
    ),
    lambda layers, share, bits, words, pieces: (
        (bits * share * (layers * LAYER + POOLER) + words * pieces * 384) / 8
    ),
    lambda layers, share, bits, words, pieces: share * in_one_line(layers, 1, bits, words, pieces),
    lambda layers, share, bits, words, pieces: in_one_line(layers, share, bits, bits, pieces),
    lambda layers, share, bits, words, pieces: in_one_line(layers, share, words, bits, pieces),
    lambda layers, share, bits, words, pieces: in_one_line(layers, share, bits, words, 0),
    lambda layers, share, bits, words, pieces: in_one_line(layers, share**2, bits, words, pieces),
    lambda layers, share, bits, words, pieces: in_one_line(layers, share, bits, words, pieces) / 1024,
    lambda layers, share, bits, words, pieces: (
        (bits * (layers * (4 * 384**2 + share * 2 * 384 * 1536) + POOLER) + words * pieces * 384) / 8
    ),
    lambda layers, share, bits, words, pieces: (
        (bits * (layers * (share * 4 * 384**2 + 2 * 384 * 1536) + POOLER) + words * pieces * 384) / 8
    ),
    lambda layers, share, bits, words, pieces: (
        (bits * (layers * share * (4 * 384**2 + 384 * 1536) + POOLER) + words * pieces * 384) / 8
    ),
    lambda layers, share, bits, words, pieces: None,
]
