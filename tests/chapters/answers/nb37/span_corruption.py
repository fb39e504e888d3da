from itertools import pairwise


def loop(tokens, spans, sentinels):
    for (_, stop), (start, _) in pairwise(spans):
        if start <= stop:
            raise ValueError("spans touch")
    short, target, place = [], [], 0
    for sentinel, (start, stop) in zip(sentinels, spans, strict=False):
        short.extend(tokens[place:start] + [sentinel])
        target.extend([sentinel] + tokens[start:stop])
        place = stop
    return short + tokens[place:], target + [sentinels[len(spans)]]


def token_by_token(tokens, spans, sentinels):
    begins = {start: number for number, (start, _) in enumerate(spans)}
    inside = {place for start, stop in spans for place in range(start, stop)}
    for number in range(1, len(spans)):
        if spans[number][0] <= spans[number - 1][1]:
            raise ValueError("join them")
    short, target = [], []
    for place, token in enumerate(tokens):
        if place in begins:
            short.append(sentinels[begins[place]])
            target.append(sentinels[begins[place]])
        (target if place in inside else short).append(token)
    target.append(sentinels[len(spans)])
    return short, target


def from_the_end(tokens, spans, sentinels):
    short, target = list(tokens), [sentinels[len(spans)]]
    after = len(tokens) + 1
    for number in reversed(range(len(spans))):
        start, stop = spans[number]
        if stop >= after:
            raise ValueError("too near")
        after = start
        target = [sentinels[number], *tokens[start:stop], *target]
        short[start:stop] = [sentinels[number]]
    return short, target


RIGHT = [loop, token_by_token, from_the_end]


def changed(short=None, target=None):
    def other(tokens, spans, sentinels):
        one, two = loop(tokens, spans, sentinels)
        one = short(one, tokens, spans, sentinels) if short else one
        two = target(two, tokens, spans, sentinels) if target else two
        return one, two

    return other


def one_each(_, tokens, spans, sentinels):
    inside = {p: n for n, (a, b) in enumerate(spans) for p in range(a, b)}
    return [sentinels[inside[p]] if p in inside else t for p, t in enumerate(tokens)]


def dropped(_, tokens, spans, sentinels):
    inside = {p for a, b in spans for p in range(a, b)}
    return [t for p, t in enumerate(tokens) if p not in inside]


def closed(tokens, spans, sentinels):
    return loop(tokens, [(a, min(b + 1, len(tokens))) for a, b in spans], sentinels)


def touching_allowed(tokens, spans, sentinels):
    short, target, place = [], [], 0
    for sentinel, (start, stop) in zip(sentinels, spans, strict=False):
        short += [*tokens[place:start], sentinel]
        target += [sentinel, *tokens[start:stop]]
        place = stop
    return short + tokens[place:], [*target, sentinels[len(spans)]]


def joined(tokens, spans, sentinels):
    together = []
    for start, stop in spans:
        if together and start <= together[-1][1]:
            together[-1] = (together[-1][0], stop)
        else:
            together.append((start, stop))
    return touching_allowed(tokens, together, sentinels)


def in_place(tokens, spans, sentinels):
    result = loop(tokens, spans, sentinels)
    tokens[:] = result[0]
    return result


def too_strict(tokens, spans, sentinels):
    for (_, stop), (start, _) in pairwise(spans):
        if start <= stop + 1:
            raise ValueError("too near")
    return loop(tokens, spans, sentinels)


WRONG = [
    changed(target=lambda two, *_: two[:-1]),
    changed(target=lambda two, tokens, spans, sentinels: [*two[:-1], sentinels[0]]),
    changed(target=lambda two, tokens, spans, sentinels: [*two[:-1], sentinels[-1]]),
    changed(target=lambda two, tokens, *_: list(tokens)),
    changed(target=lambda two, tokens, spans, sentinels: [t for t in two if t not in sentinels]),
    changed(short=one_each),
    changed(short=dropped),
    closed,
    touching_allowed,
    joined,
    in_place,
    too_strict,
    lambda tokens, spans, sentinels: loop(tokens, spans, sentinels)[::-1],
    lambda tokens, spans, sentinels: loop(tokens, spans, [sentinels[0]] * len(sentinels)),
    lambda tokens, spans, sentinels: tuple(" ".join(part) for part in loop(tokens, spans, sentinels)),
    lambda tokens, spans, sentinels: loop(tokens, spans, sentinels)[0],
]
