FLOPS = 2 * 9 * 384 * 1536
NUMBERS = 384 * 1536 + 9 * 384 + 9 * 1536

RIGHT = [FLOPS / (4 * NUMBERS), FLOPS / (4 * (NUMBERS + 1536)), 4.36, 4.37, 4.4]
WRONG = [
    *(FLOPS / NUMBERS, FLOPS / 2 / (4 * NUMBERS), 4 * NUMBERS / FLOPS, 18.0, 9.0),
    *(FLOPS / (4 * 384 * 1536), 153.6, 0.5, 118.4, 2.2, 17.4, -4.4, "4.4 or so", None),
]
