def largest_before(first, second, cut):
    child = list(first[:cut] + second[cut:])
    for place in range(1, len(child)):
        if child[place] <= max(child[:place]):
            child[place] = 0
    return tuple(child)


def with_a_running_largest(first, second, cut):
    child, largest = [], 0
    for layer in (*first[:cut], *second[cut:]):
        child.append(layer if layer > largest else 0)
        largest = max(largest, layer)
    return tuple(child)


def in_one_expression(first, second, cut):
    child = first[:cut] + second[cut:]
    return tuple(
        layer if all(layer > before for before in child[:place]) else 0 for place, layer in enumerate(child)
    )


RIGHT = [largest_before, with_a_running_largest, in_one_expression]


def neighbor(first, second, cut):
    child = list(first[:cut] + second[cut:])
    for place in range(1, len(child)):
        if child[place] <= child[place - 1]:
            child[place] = 0
    return tuple(child)


def strictly_smaller(first, second, cut):
    child = list(first[:cut] + second[cut:])
    for place in range(1, len(child)):
        if child[place] < max(child[:place]):
            child[place] = 0
    return tuple(child)


def last_taught(first, second, cut):
    joined = list(first[:cut] + second[cut:])
    child = list(joined)
    for place in range(1, len(child)):
        taught = [layer for layer in joined[:place] if layer > 0]
        if taught and child[place] <= taught[-1]:
            child[place] = 0
    return tuple(child)


def lifted(first, second, cut):
    child = list(first[:cut] + second[cut:])
    for place in range(1, len(child)):
        child[place] = max(child[place], child[place - 1])
    return tuple(child)


def backwards(first, second, cut):
    child = list(first[:cut] + second[cut:])
    smallest = 10**6
    for place in range(len(child) - 1, -1, -1):
        if child[place] and child[place] >= smallest:
            child[place] = 0
        elif child[place]:
            smallest = child[place]
    return tuple(child)


WRONG = [
    neighbor,
    strictly_smaller,
    last_taught,
    lifted,
    backwards,
    lambda first, second, cut: first[:cut] + second[cut:],
    lambda first, second, cut: second[:cut] + first[cut:],
    lambda first, second, cut: tuple(sorted(first[:cut] + second[cut:])),
    lambda first, second, cut: largest_before(second, first, cut),
    lambda first, second, cut: tuple(layer for layer in largest_before(first, second, cut) if layer),
    lambda first, second, cut: largest_before(first, second, cut + 1),
    lambda first, second, cut: largest_before(first, first, cut),
    lambda first, second, cut: None,
]
