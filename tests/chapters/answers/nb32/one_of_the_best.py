import math

RIGHT = [
    1 - 70 / 100 * 69 / 99 * 68 / 98,
    1 - math.comb(70, 3) / math.comb(100, 3),
    1 - math.comb(97, 30) / math.comb(100, 30),
    0.66,
    0.661,
    1 - 0.7**3,
]
WRONG = [
    0.3,
    0.9,
    0.343,
    0.34,
    0.339,
    0.027,
    0.025,
    0.51,
    0.512,
    66,
    0,
    1,
    0.5,
    "two in three",
    None,
]
