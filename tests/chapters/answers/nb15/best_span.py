import torch


def two_loops(start_logits, end_logits, max_length):
    best, span = -float("inf"), None
    for start in range(len(start_logits)):
        for end in range(start, min(start + max_length, len(end_logits))):
            score = start_logits[start] + end_logits[end]
            if score > best:
                best, span = score, (start, end)
    return span


def by_length(start_logits, end_logits, max_length):
    T = len(start_logits)
    found = []
    for length in range(1, min(max_length, T) + 1):
        scores = start_logits[: T - length + 1] + end_logits[length - 1 :]
        at = int(scores.argmax())
        found.append((float(scores[at]), at, at + length - 1))
    return max(found)[1:]


def probabilities(start_logits, end_logits, max_length):
    pairs = start_logits.softmax(0).unsqueeze(1) * end_logits.softmax(0).unsqueeze(0)
    pairs = pairs.triu().tril(max_length - 1)
    place = pairs.argmax()
    return place // len(start_logits), place % len(start_logits)


RIGHT = [two_loops, by_length, probabilities]


def loops(score=lambda s, e: s + e, first=lambda start: start, last=lambda start, n: start + n, worst=-1e9):
    def best_span(start_logits, end_logits, max_length):
        best, span = worst, (0, 0)
        for start in range(len(start_logits)):
            for end in range(first(start), min(last(start, max_length), len(end_logits))):
                now = score(start_logits[start], end_logits[end])
                if now > best:
                    best, span = now, (start, end)
        return span

    return best_span


def draft(start_logits, end_logits, max_length):
    return int(start_logits.argmax()), int(end_logits.argmax())


def swapped_if_needed(start_logits, end_logits, max_length):
    start, end = draft(start_logits, end_logits, max_length)
    return (start, end) if start <= end else (end, start)


def clipped(start_logits, end_logits, max_length):
    start, end = draft(start_logits, end_logits, max_length)
    return start, max(start, min(end, start + max_length - 1))


def forgets_the_offset(start_logits, end_logits, max_length):
    start = int(start_logits.argmax())
    return start, int(end_logits[start : start + max_length].argmax())


WRONG = [
    draft,
    swapped_if_needed,
    clipped,
    forgets_the_offset,
    loops(last=lambda start, n: 10**6),
    loops(last=lambda start, n: start + n + 1),
    loops(last=lambda start, n: start + n - 1),
    loops(first=lambda start: start + 1, last=lambda start, n: start + n + 1),
    loops(score=lambda s, e: s * e),
    loops(score=lambda s, e: max(s, e)),
    loops(worst=0.0),
    loops(first=lambda start: 0),
    lambda start_logits, end_logits, max_length: two_loops(end_logits, start_logits, max_length),
    lambda start_logits, end_logits, max_length: int(torch.argmax(start_logits + end_logits)),
    lambda start_logits, end_logits, max_length: (int((start_logits + end_logits).argmax()),) * 2,
    lambda start_logits, end_logits, max_length: None,
]
