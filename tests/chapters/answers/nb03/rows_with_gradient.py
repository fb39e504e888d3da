import torch

RIGHT = [10, 10.0, torch.tensor(10)]
WRONG = [
    11,
    12,
    13,
    9,
    0,
    1,
    2,
    5,
    6,
    30_522,
    30_512,
    384,
    3840,
    128,
    8,
    "ten",
    [10],
]
