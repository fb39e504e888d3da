def by_sweep(points):
    order = sorted(range(len(points)), key=lambda i: (points[i][0], -points[i][1]))
    front, best = [], float("-inf")
    for i in order:
        if points[i][1] > best:
            front.append(i)
            best = points[i][1]
    return front


def by_pairs(points):
    def beats(a, b):
        return a[0] <= b[0] and a[1] >= b[1] and (a[0] < b[0] or a[1] > b[1])

    front = [i for i, p in enumerate(points) if not any(beats(q, p) for q in points) and p not in points[:i]]
    return sorted(front, key=lambda i: points[i][0])


def by_removal(points):
    left = dict(enumerate(points))
    for i, (cost, accuracy) in enumerate(points):
        for j, (c, a) in enumerate(points):
            worse = c <= cost and a >= accuracy and (c, a) != (cost, accuracy)
            if worse or ((c, a) == (cost, accuracy) and j < i):
                left.pop(i, None)
    return [i for i, _ in sorted(left.items(), key=lambda one: one[1][0])]


RIGHT = [by_sweep, by_pairs, by_removal]


def equal_points_stay(points):
    return [
        i
        for i in sorted(range(len(points)), key=lambda i: points[i][0])
        if not any(c <= points[i][0] and a >= points[i][1] and (c, a) != tuple(points[i]) for c, a in points)
    ]


def equal_points_go(points):
    return [
        i
        for i in sorted(range(len(points)), key=lambda i: points[i][0])
        if not any(c <= points[i][0] and a >= points[i][1] for j, (c, a) in enumerate(points) if j != i)
    ]


def strict_in_both(points):
    return [
        i
        for i in sorted(range(len(points)), key=lambda i: points[i][0])
        if not any(c < points[i][0] and a > points[i][1] for c, a in points) and points[i] not in points[:i]
    ]


def last_of_equals(points):
    order = sorted(range(len(points)), key=lambda i: (points[i][0], -points[i][1], -i))
    front, best = [], float("-inf")
    for i in order:
        if points[i][1] > best:
            front.append(i)
            best = points[i][1]
    return front


def best_from_zero(points):
    order = sorted(range(len(points)), key=lambda i: (points[i][0], -points[i][1]))
    front, best = [], 0
    for i in order:
        if points[i][1] > best:
            front.append(i)
            best = points[i][1]
    return front


def unsorted_ties(points):
    order = sorted(range(len(points)), key=lambda i: points[i][0])
    front, best = [], float("-inf")
    for i in order:
        if points[i][1] > best:
            front.append(i)
            best = points[i][1]
    return front


def at_least_as_good(points):
    order = sorted(range(len(points)), key=lambda i: (points[i][0], -points[i][1]))
    front, best = [], float("-inf")
    for i in order:
        if points[i][1] >= best:
            front.append(i)
            best = points[i][1]
    return front


def worst(points):
    order = sorted(range(len(points)), key=lambda i: (points[i][0], points[i][1]))
    front, least = [], float("inf")
    for i in order:
        if points[i][1] < least:
            front.append(i)
            least = points[i][1]
    return front


def convex_hull(points):
    def turns_up(a, b, c):
        (ax, ay), (bx, by), (cx, cy) = (points[i] for i in (a, b, c))
        return (bx - ax) * (cy - ay) > (by - ay) * (cx - ax)

    hull = []
    for i in by_sweep(points):
        while len(hull) > 1 and turns_up(hull[-2], hull[-1], i):
            hull.pop()
        hull.append(i)
    return hull


WRONG = [
    equal_points_stay,
    equal_points_go,
    strict_in_both,
    last_of_equals,
    best_from_zero,
    unsorted_ties,
    at_least_as_good,
    worst,
    lambda points: [points[i] for i in by_sweep(points)],
    lambda points: [i + 1 for i in by_sweep(points)],
    lambda points: by_sweep(points)[::-1],
    lambda points: sorted(range(len(points)), key=lambda i: points[i][0]),
    lambda points: [max(range(len(points)), key=lambda i: points[i][1])],
    lambda points: max(range(len(points)), key=lambda i: points[i][1] / points[i][0]),
    lambda points: (points.sort(), by_sweep(points))[1],
    lambda points: set(by_sweep(points)),
    convex_hull,
]
