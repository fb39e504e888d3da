import math

import torch


def in_loops(length, hidden_size):
    table = torch.zeros(length, hidden_size)
    for position in range(length):
        for i in range(hidden_size // 2):
            angle = position / 10_000 ** (2 * i / hidden_size)
            table[position, 2 * i] = math.sin(angle)
            table[position, 2 * i + 1] = math.cos(angle)
    return table


def with_exp(length, hidden_size):
    position = torch.arange(length).float()[:, None]
    speed = torch.exp(torch.arange(0, hidden_size, 2) * (-math.log(10_000.0) / hidden_size))
    table = torch.zeros(length, hidden_size)
    table[:, 0::2] = torch.sin(position * speed)
    table[:, 1::2] = torch.cos(position * speed)
    return table


def with_stack(length, hidden_size):
    i = torch.arange(hidden_size // 2)
    angle = torch.outer(torch.arange(length).float(), 10_000.0 ** (-2 * i / hidden_size))
    return torch.stack([angle.sin(), angle.cos()], dim=2).reshape(length, hidden_size)


def with_a_phase(length, hidden_size):
    odd = torch.arange(hidden_size) % 2
    power = torch.pow(10_000.0, (torch.arange(hidden_size) - odd) / hidden_size)
    return torch.sin(torch.arange(length)[:, None] / power + odd * math.pi / 2)


RIGHT = [in_loops, with_exp, with_stack, with_a_phase]


def angles(length, hidden_size):
    return torch.arange(length)[:, None] / 10_000 ** (torch.arange(0, hidden_size, 2) / hidden_size)


def in_turn(even, odd):
    return torch.stack([even, odd], -1).flatten(1)


def halves(length, hidden_size):
    angle = angles(length, hidden_size)
    return torch.cat([angle.sin(), angle.cos()], 1)


def swapped(length, hidden_size):
    angle = angles(length, hidden_size)
    return in_turn(angle.cos(), angle.sin())


def from_one(length, hidden_size):
    angle = angles(length + 1, hidden_size)[1:]
    return in_turn(angle.sin(), angle.cos())


def half_exponent(length, hidden_size):
    angle = torch.arange(length)[:, None] / 10_000 ** (torch.arange(hidden_size // 2) / hidden_size)
    return in_turn(angle.sin(), angle.cos())


def own_angles(length, hidden_size):
    table = torch.arange(length)[:, None] / 10_000 ** (torch.arange(hidden_size) / hidden_size)
    table[:, 0::2] = table[:, 0::2].sin()
    table[:, 1::2] = table[:, 1::2].cos()
    return table


def undivided(length, hidden_size):
    angle = torch.arange(length)[:, None] / 10_000.0 ** torch.arange(0, hidden_size, 2)
    return in_turn(angle.sin(), angle.cos())


def without_minus(length, hidden_size):
    speed = torch.exp(torch.arange(0, hidden_size, 2) * math.log(10_000.0) / hidden_size)
    angle = torch.arange(length)[:, None] * speed
    return in_turn(angle.sin(), angle.cos())


def times(length, hidden_size):
    angle = torch.arange(length)[:, None] * 10_000 ** (torch.arange(0, hidden_size, 2) / hidden_size)
    return in_turn(angle.sin(), angle.cos())


def by_length(length, hidden_size):
    angle = torch.arange(length)[:, None] / 10_000 ** (torch.arange(0, hidden_size, 2) / length)
    return in_turn(angle.sin(), angle.cos())


def sines(length, hidden_size):
    angle = angles(length, hidden_size)
    return in_turn(angle.sin(), angle.sin())


def only_angles(length, hidden_size):
    angle = angles(length, hidden_size)
    return in_turn(angle, angle)


def only_sines(length, hidden_size):
    return angles(length, hidden_size).sin()


def on_its_side(length, hidden_size):
    return with_exp(length, hidden_size).T


def in_degrees(length, hidden_size):
    angle = angles(length, hidden_size) * math.pi / 180
    return in_turn(angle.sin(), angle.cos())


def of_math(length, hidden_size):
    angle = angles(length, hidden_size)
    return in_turn(math.sin(angle), math.cos(angle))


def backwards(length, hidden_size):
    angle = angles(length, hidden_size).flip(1)
    return in_turn(angle.sin(), angle.cos())


def as_lists(length, hidden_size):
    return in_loops(length, hidden_size).tolist()


def in_double(length, hidden_size):
    return in_loops(length, hidden_size).double()


def odd_left_empty(length, hidden_size):
    table = torch.zeros(length, hidden_size)
    table[:, 0::2] = angles(length, hidden_size).sin()
    return table


WRONG = [
    *(halves, swapped, from_one, half_exponent, own_angles, undivided, without_minus, times, by_length),
    *(sines, only_angles, only_sines, on_its_side, in_degrees, of_math, backwards, as_lists, in_double),
    odd_left_empty,
]
