def one_after_the_other(y1, y2, f, g):
    x2 = y2 - g(y1)
    x1 = y1 - f(x2)
    return x1, x2


def as_sums(y1, y2, f, g):
    x2 = -g(y1) + y2
    return y1 + -1.0 * f(x2), x2


def by_torch(y1, y2, f, g):
    second = y2.sub(g(y1))
    return y1.sub(f(second)), second


RIGHT = [one_after_the_other, as_sums, by_torch]


def draft(y1, y2, f, g):
    x1 = y1 - f(y2)
    x2 = y2 - g(x1)
    return x1, x2


def only_f_wrong(y1, y2, f, g):
    return y1 - f(y2), y2 - g(y1)


def forward(y1, y2, f, g):
    x1 = y1 + f(y2)
    return x1, y2 + g(x1)


def swapped(y1, y2, f, g):
    x2 = y2 - f(y1)
    return y1 - g(x2), x2


def turned(y1, y2, f, g):
    x2 = y2 - g(y1)
    return x2, y1 - f(x2)


def added(y1, y2, f, g):
    x2 = y2 + g(y1)
    return y1 + f(x2), x2


def half_added(y1, y2, f, g):
    x2 = y2 - g(y1)
    return y1 + f(x2), x2


def g_of_y2(y1, y2, f, g):
    x2 = y2 - g(y2)
    return y1 - f(x2), x2


def f_of_y1(y1, y2, f, g):
    return y1 - f(y1), y2 - g(y1)


def negative(y1, y2, f, g):
    x2 = g(y1) - y2
    return f(x2) - y1, x2


def one_only(y1, y2, f, g):
    return y1 - f(y2 - g(y1))


def the_outputs(y1, y2, f, g):
    return y1, y2


WRONG = [
    draft, only_f_wrong, forward, swapped, turned, added, half_added, g_of_y2, f_of_y1, negative, one_only,
    the_outputs,
]  # fmt: skip
