def drawn_again(documents, own, size, rng):
    number = own
    while number == own:
        number = int(rng.integers(len(documents)))
    start = int(rng.integers(len(documents[number]) - size + 1))
    return documents[number][start : start + size]


def with_choice(documents, own, size, rng):
    number = rng.choice([n for n in range(len(documents)) if n != own])
    document = documents[number]
    start = rng.integers(0, len(document) - size, endpoint=True)
    return [document[start + n] for n in range(size)]


def around(documents, own, size, rng):
    number = (own + 1 + rng.integers(len(documents) - 1)) % len(documents)
    start = rng.integers(len(documents[number]) - size + 1)
    return tuple(documents[number][start : start + size])


RIGHT = [drawn_again, with_choice, around]


def another(documents, own, rng):
    return documents[rng.choice([n for n in range(len(documents)) if n != own])]


def any_document(documents, own, size, rng):
    document = documents[rng.integers(len(documents))]
    start = rng.integers(len(document) - size + 1)
    return document[start : start + size]


def one(documents, own, size, rng):
    document = another(documents, own, rng)
    return [document[rng.integers(len(document))]]


def draft(documents, own, size, rng):
    document = documents[rng.integers(len(documents))]
    return [document[rng.integers(len(document))]]


def beginnings(documents, own, size, rng):
    return another(documents, own, rng)[:size]


def picked(documents, own, size, rng):
    return list(rng.choice(another(documents, own, rng), size=size, replace=False))


def the_neighbor(documents, own, size, rng):
    number = int(rng.integers(len(documents)))
    if number == own:
        number = (own + 1) % len(documents)
    start = rng.integers(len(documents[number]) - size + 1)
    return documents[number][start : start + size]


def pressed(documents, own, size, rng):
    document = another(documents, own, rng)
    start = min(rng.integers(len(document)), len(document) - size)
    return document[start : start + size]


def one_more(documents, own, size, rng):
    document = another(documents, own, rng)
    start = rng.integers(len(document) - size + 1)
    return document[start : start + size + 1]


def glued(documents, own, size, rng):
    document = another(documents, own, rng)
    start = rng.integers(len(document) - size + 1)
    return " ".join(document[start : start + size])


def backwards(documents, own, size, rng):
    document = another(documents, own, rng)
    start = rng.integers(len(document) - size + 1)
    return document[start : start + size][::-1]


WRONG = [any_document, one, draft, beginnings, picked, the_neighbor, pressed, one_more, glued, backwards]
