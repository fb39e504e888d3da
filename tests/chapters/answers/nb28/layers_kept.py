import math


def by_floor(num_layers, depth):
    return [math.floor(i / depth) for i in range(round(num_layers * depth))]


def by_int(num_layers, depth):
    kept = []
    i = 0
    while i < depth * num_layers:
        kept.append(int(i / depth))
        i += 1
    return kept


def in_whole_numbers(num_layers, depth):
    count = round(depth * num_layers)
    return [i * num_layers // count for i in range(count)]


RIGHT = [by_floor, by_int, in_whole_numbers]
WRONG = [
    lambda n, depth: list(range(round(n * depth))),
    lambda n, depth: list(range(n - round(n * depth), n)),
    lambda n, depth: [math.floor(i / depth) + 1 for i in range(round(n * depth))],
    lambda n, depth: [math.floor(i / depth) - 1 for i in range(1, round(n * depth) + 1)],
    lambda n, depth: [round(i / depth) for i in range(round(n * depth))],
    lambda n, depth: [math.ceil(i / depth) for i in range(round(n * depth))],
    lambda n, depth: [math.floor(i / depth) for i in range(n)],
    lambda n, depth: [math.floor(i / depth) for i in range(round(n * depth) - 1)],
    lambda n, depth: [math.floor(i * depth) for i in range(round(n * depth))],
    lambda n, depth: [i / depth for i in range(round(n * depth))],
    lambda n, depth: [i // depth for i in range(round(n * depth))],
    lambda n, depth: [i for i in range(n) if i not in by_floor(n, depth)],
    lambda n, depth: round(n * depth),
    lambda n, depth: [],
    lambda n, depth: None,
]
