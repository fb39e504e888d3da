import math


def by_counting(rows, columns):
    rank = 0
    while (rank + 1) * (rows + columns) < rows * columns:
        rank += 1
    return rank


def in_one_line(rows, columns):
    return (rows * columns - 1) // (rows + columns)


def ceiling(rows, columns):
    return math.ceil(rows * columns / (rows + columns)) - 1


def best_of_all(rows, columns):
    return max(r for r in range(min(rows, columns) + 1) if r == 0 or r * (rows + columns) < rows * columns)


RIGHT = [by_counting, in_one_line, ceiling, best_of_all]
WRONG = [
    lambda rows, columns: rows * columns // (rows + columns),  # equal counts save nothing
    lambda rows, columns: rows * columns / (rows + columns),
    lambda rows, columns: round(rows * columns / (rows + columns)),
    lambda rows, columns: math.ceil(rows * columns / (rows + columns)),
    lambda rows, columns: min(rows, columns) // 2,
    lambda rows, columns: min(rows, columns),
    lambda rows, columns: (rows + columns) // 2,
    lambda rows, columns: max(1, (rows * columns - 1) // (rows + columns)),
    lambda rows, columns: (rows * columns - 1) // (rows * columns),
    lambda rows, columns: (rows * columns - 1) // (2 * max(rows, columns)),
    lambda rows, columns: (rows + columns) // (rows * columns),
    lambda rows, columns: min(rows, columns) - 1,
    lambda rows, columns: rows * columns // (rows + columns) - 1,
    lambda rows, columns: None,
]
