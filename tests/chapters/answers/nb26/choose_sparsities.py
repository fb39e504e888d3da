import itertools
import math
from itertools import product


def loop(scan, sizes, kept):
    names, total = list(scan), sum(sizes.values())
    best, top = None, -1
    for choice in product(*[scan[name] for name in names]):
        stays = sum((1 - s) * sizes[name] for name, (s, _) in zip(names, choice, strict=True))
        if stays <= kept * total:
            score = sum(a for _, a in choice)
            if score > top:
                best, top = choice, score
    return {name: s for name, (s, _) in zip(names, best, strict=True)}


def one_expression(scan, sizes, kept):
    fits = [
        c
        for c in itertools.product(*scan.values())
        if sum(sizes[n] * (1 - s) for n, (s, _) in zip(scan, c, strict=True)) / sum(sizes.values()) <= kept
    ]
    best = max(fits, key=lambda c: sum(a for _, a in c))
    return dict(zip(scan, [s for s, _ in best], strict=True))


def recursive(scan, sizes, kept):
    limit = kept * sum(sizes.values())

    def go(names, room):
        if not names:
            return 0.0, {}
        found = None
        for s, a in scan[names[0]]:
            stays = (1 - s) * sizes[names[0]]
            if stays <= room + 1e-9:
                rest = go(names[1:], room - stays)
                if rest is not None and (found is None or a + rest[0] > found[0]):
                    found = a + rest[0], {names[0]: s, **rest[1]}
        return found

    return go(list(scan), limit)[1]


def last_of_equals(scan, sizes, kept):
    best, top = {}, 0
    for choice in product(*(sorted(curve, reverse=True) for curve in scan.values())):
        chosen = dict(zip(scan, choice, strict=True))
        pruned = sum(s * sizes[name] for name, (s, _) in chosen.items())
        score = sum(a for _, a in chosen.values()) / len(chosen)
        if pruned >= (1 - kept) * sum(sizes.values()) - 1e-6 and score >= top:
            best, top = {name: s for name, (s, _) in chosen.items()}, score
    return best


RIGHT = [loop, one_expression, recursive, last_of_equals]


def wrong(left=None, fits=None, score=None, pick=None):
    """`loop` with one part of it exchanged."""
    left = left or (lambda chosen, sizes: sum((1 - s) * sizes[n] for n, (s, _) in chosen.items()))
    fits = fits or (lambda stays, kept, sizes: stays <= kept * sum(sizes.values()))
    score = score or (lambda chosen, sizes: sum(a for _, a in chosen.values()))

    def answer(scan, sizes, kept):
        found = []
        for choice in product(*scan.values()):
            chosen = dict(zip(scan, choice, strict=True))
            if fits(left(chosen, sizes), kept, sizes):
                found.append((score(chosen, sizes), chosen))
        if not found:
            found = [(0, dict(zip(scan, [curve[-1] for curve in scan.values()], strict=True)))]
        best = (pick or (lambda every: max(every, key=lambda one: one[0])))(found)[1]
        return {name: s for name, (s, _) in best.items()}

    return answer


def uniform(scan, sizes, kept):
    best, top = None, -1
    for level in sorted({s for curve in scan.values() for s, _ in curve}):
        if all(any(s == level for s, _ in curve) for curve in scan.values()) and 1 - level <= kept:
            score = sum(dict(curve)[level] for curve in scan.values())
            if score > top:
                best, top = level, score
    return dict.fromkeys(scan, best)


def greedy(scan, sizes, kept):
    curves = {name: sorted(curve) for name, curve in scan.items()}
    at = dict.fromkeys(scan, 0)
    while sum((1 - curves[n][at[n]][0]) * sizes[n] for n in scan) > kept * sum(sizes.values()):
        free = [n for n in scan if at[n] + 1 < len(curves[n])]
        at[min(free, key=lambda n: curves[n][at[n]][1] - curves[n][at[n] + 1][1])] += 1
    return {n: curves[n][at[n]][0] for n in scan}


def by_position(scan, sizes, kept):
    best, top = None, -1
    for choice in product(*scan.values()):
        stays = sum((1 - s) * size for (s, _), size in zip(choice, sizes.values(), strict=True))
        score = sum(a for _, a in choice)
        if stays <= kept * sum(sizes.values()) and score > top:
            best, top = choice, score
    return {name: s for name, (s, _) in zip(scan, best, strict=True)}


WRONG = [
    wrong(left=lambda chosen, sizes: sum(s * sizes[n] for n, (s, _) in chosen.items())),
    wrong(fits=lambda stays, kept, sizes: stays <= (1 - kept) * sum(sizes.values())),
    uniform,
    greedy,
    by_position,
    wrong(left=lambda c, sizes: sum(1 - s for s, _ in c.values()) / len(c) * sum(sizes.values())),
    wrong(fits=lambda stays, kept, sizes: stays < kept * sum(sizes.values())),
    wrong(score=lambda chosen, sizes: sum(a * sizes[n] for n, (_, a) in chosen.items())),
    wrong(score=lambda chosen, sizes: min(a for _, a in chosen.values())),
    wrong(fits=lambda stays, kept, sizes: True),
    wrong(pick=lambda found: found[0]),
    wrong(score=lambda chosen, sizes: -sum((1 - s) * sizes[n] for n, (s, _) in chosen.items())),
    lambda scan, sizes, kept: {name: max(curve)[0] for name, curve in scan.items()},
    lambda scan, sizes, kept: list(loop(scan, sizes, kept).values()),
    lambda scan, sizes, kept: dict.fromkeys(scan, kept),
    wrong(score=lambda chosen, sizes: math.prod(a for _, a in chosen.values())),
]
