import math
from collections import Counter


def grams(tokens, n):
    return [tuple(tokens[i : i + n]) for i in range(len(tokens) - n + 1)]


def by_counters(hypotheses, references):
    product = 1.0
    for n in range(1, 5):
        right = total = 0
        for ours, theirs in zip(hypotheses, references, strict=True):
            counted = Counter(grams(ours, n)) & Counter(grams(theirs, n))
            right += counted.total()
            total += len(grams(ours, n))
        if right == 0:
            return 0
        product *= right / total
    c, r = sum(map(len, hypotheses)), sum(map(len, references))
    return 100 * min(1, math.exp(1 - r / c)) * product**0.25


def by_logs(hypotheses, references):
    logs = []
    for n in range(1, 5):
        right = total = 0
        for ours, theirs in zip(hypotheses, references, strict=True):
            left = grams(theirs, n)
            for gram in grams(ours, n):
                total += 1
                if gram in left:
                    left.remove(gram)
                    right += 1
        if right == 0:
            return 0.0
        logs.append(math.log(right) - math.log(total))
    c = sum(len(one) for one in hypotheses)
    r = sum(len(one) for one in references)
    penalty = 1 - r / c if c < r else 0
    return 100 * math.exp(penalty + sum(logs) / 4)


def varied(hypotheses, references, *, orders=(1, 2, 3, 4), clip=True, penalty="shorter", mean="geometric",
           factor=100, smooth=0, lower=False, by="ours"):  # fmt: skip
    if lower:
        hypotheses = [[w.lower() for w in one] for one in hypotheses]
        references = [[w.lower() for w in one] for one in references]
    precisions = []
    for n in orders:
        right = total = 0
        for ours, theirs in zip(hypotheses, references, strict=True):
            mine, its = Counter(grams(ours, n)), Counter(grams(theirs, n))
            right += sum(min(c, its[g]) if clip else c * (g in its) for g, c in mine.items())
            total += len(grams(ours if by == "ours" else theirs, n))
        precisions.append((right + smooth) / (total + smooth) if total + smooth else 0)
    c, r = sum(map(len, hypotheses)), sum(map(len, references))
    down = 1.0
    if penalty == "shorter" and 0 < c < r:
        down = math.exp(1 - r / c)
    if penalty == "always" and c:
        down = math.exp(1 - r / c)
    if penalty == "ratio" and r:
        down = min(1, c / r)
    if penalty == "turned" and 0 < c < r:
        down = math.exp(1 - c / r)
    if mean == "geometric":
        score = math.prod(precisions) ** (1 / len(precisions))
    elif mean == "arithmetic":
        score = sum(precisions) / len(precisions)
    else:
        score = math.prod(precisions)
    return factor * down * score


def of_sentences(hypotheses, references):
    each = [by_counters([h], [r]) if h else 0 for h, r in zip(hypotheses, references, strict=True)]
    return sum(each) / len(each)


def pooled(hypotheses, references):
    return by_counters([[w for one in hypotheses for w in one]], [[w for one in references for w in one]])


RIGHT = [by_counters, by_logs, varied]
WRONG = [
    of_sentences,
    pooled,
    lambda h, r: varied(h, r, clip=False),
    lambda h, r: varied(h, r, penalty="none"),
    lambda h, r: varied(h, r, penalty="always"),
    lambda h, r: varied(h, r, penalty="ratio"),
    lambda h, r: varied(h, r, penalty="turned"),
    lambda h, r: varied(h, r, mean="arithmetic"),
    lambda h, r: varied(h, r, mean="product"),
    lambda h, r: varied(h, r, factor=1),
    lambda h, r: varied(h, r, smooth=1),
    lambda h, r: varied(h, r, lower=True),
    lambda h, r: varied(h, r, by="theirs"),
    lambda h, r: varied(h, r, orders=(1, 2, 3)),
    lambda h, r: varied(h, r, orders=(1,)),
    lambda h, r: varied(h, r, orders=(4,)),
    lambda h, r: 100 * sum(a == b for a, b in zip(h, r, strict=True)) / len(h),
    lambda h, r: varied(r, h),
]
