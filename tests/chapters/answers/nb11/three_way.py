def with_choice(first, second, other, rng):
    label = rng.choice(3)
    pairs = [(first, second), (second, first), (first, other(len(second)))]
    return *pairs[label], int(label)


def with_thirds(first, second, other, rng):
    draw = rng.random()
    if draw < 1 / 3:
        return first, second, 0
    if draw < 2 / 3:
        return second, first, 1
    return first, other(len(second)), 2


def as_a_list(first, second, other, rng):
    number = int(rng.integers(0, 3))
    if number == 2:
        return [first, other(len(second)), 2]
    return [second, first, 1] if number else [first, second, 0]


RIGHT = [with_choice, with_thirds, as_a_list]


def chosen(zero, one, two, shares=(1 / 3, 1 / 3, 1 / 3)):
    """An answer that draws among three."""

    def answer(first, second, other, rng):
        return (zero, one, two)[rng.choice(3, p=shares)](first, second, other)

    return answer


def follows(a, b, other):
    return a, b, 0


def turned(a, b, other):
    return b, a, 1


def elsewhere(a, b, other):
    return a, other(len(b)), 2


def two_coins(first, second, other, rng):
    if rng.random() < 0.5:
        return first, second, 0
    return (second, first, 1) if rng.random() < 0.5 else (first, other(len(second)), 2)


def up_to_one(first, second, other, rng):
    label = rng.integers(2)
    return (first, second, 0) if label == 0 else (second, first, 1)


def two_things(first, second, other, rng):
    return first, second


def reversed_sentences(first, second, other, rng):
    label = int(rng.integers(3))
    if label == 1:
        return first[::-1], second[::-1], 1
    return (first, second, 0) if label == 0 else (first, other(len(second)), 2)


WRONG = [
    *(two_coins, up_to_one, two_things, reversed_sentences),
    chosen(lambda a, b, o: (a, b, 1), lambda a, b, o: (b, a, 0), elsewhere),
    chosen(follows, lambda a, b, o: (b, a, 2), lambda a, b, o: (a, o(len(b)), 1)),
    chosen(follows, lambda a, b, o: (a, b, 1), elsewhere),
    chosen(follows, turned, lambda a, b, o: (o(len(a)), o(len(b)), 2)),
    chosen(follows, turned, lambda a, b, o: (o(len(a)), b, 2)),
    chosen(follows, turned, lambda a, b, o: (o(len(b)), a, 2)),
    chosen(follows, turned, lambda a, b, o: (a, o(len(a)), 2)),
    chosen(follows, turned, lambda a, b, o: (a, o(1), 2)),
    chosen(follows, turned, lambda a, b, o: (a, o(0), 2)),
    chosen(follows, turned, elsewhere, (0.5, 0.25, 0.25)),
    chosen(follows, turned, elsewhere, (0.3, 0.3, 0.4)),
    chosen(follows, turned, elsewhere, (0.6, 0.2, 0.2)),
    chosen(lambda a, b, o: (a, b, 1), lambda a, b, o: (b, a, 2), lambda a, b, o: (a, o(len(b)), 3)),
    chosen(follows, turned, lambda a, b, o: (a, o, 2)),
]
