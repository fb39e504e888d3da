RIGHT = [
    [False, True, False, True, True, False, True, False],
    (False, True, False, True, True, False, True, False),
    [0, 1, 0, 1, 1, 0, 1, 0],
]


def but(place):
    return [verdict != (number == place) for number, verdict in enumerate(RIGHT[0])]


WRONG = [
    *(but(place) for place in range(8)),
    [True] * 8,
    [False] * 8,
    [True, False, True, False, False, True, False, True],
    [False, True, False, True],
    "FTFTTFTF",
    {"A": False, "B": True},
    None,
]
