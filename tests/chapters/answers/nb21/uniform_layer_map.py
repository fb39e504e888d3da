def by_steps(student_layers, teacher_layers):
    return list(range(0, teacher_layers + 1, teacher_layers // student_layers))


def by_division(student_layers, teacher_layers):
    return [layer * teacher_layers // student_layers for layer in range(student_layers + 1)]


def in_a_loop(student_layers, teacher_layers):
    found = [0]
    for _ in range(student_layers):
        found.append(found[-1] + teacher_layers // student_layers)
    return found


RIGHT = [by_steps, by_division, in_a_loop]
WRONG = [
    lambda m, n: [n // m * layer for layer in range(1, m + 1)],
    lambda m, n: [n // m * layer for layer in range(m)],
    lambda m, n: [n // m * layer for layer in range(1, m)],
    lambda m, n: [n // m * layer - 1 for layer in range(m + 1)],
    lambda m, n: list(range(m + 1)),
    lambda m, n: list(range(n - m, n + 1)),
    lambda m, n: [n // m * layer for layer in range(m, -1, -1)],
    lambda m, n: [m * layer for layer in range(m + 1)],
    lambda m, n: [round(layer * (n - 1) / max(m - 1, 1)) for layer in range(m)],
    lambda m, n: list(range(n + 1)),
    lambda m, n: [layer * n / m for layer in range(m + 1)],
    lambda m, n: [layer // (n // m) for layer in range(n + 1)],
    lambda m, n: [],
    lambda m, n: None,
    lambda m, n: [n // m * layer for layer in range(1, m + 2)],
    lambda m, n: [n // (m + 1) * layer for layer in range(m + 1)],
    lambda m, n: [0] + [n // m] * m,
    lambda m, n: [(layer, n // m * layer) for layer in range(m + 1)],
]
