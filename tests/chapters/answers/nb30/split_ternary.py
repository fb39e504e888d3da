import torch


def parts(weight):
    size = weight.abs()
    kept = size > 0.7 * size.mean()
    alpha = size[kept].mean()
    positive, negative = ~kept & (weight > 0), ~kept & (weight <= 0)
    b = (weight.numel() * alpha - size.sum()) / (2 * (~kept).sum())
    return kept, positive, negative, size[kept].sum(), size[positive].sum(), size[negative].sum(), b


def three_sets(weight):
    kept, positive, negative, s_i, s_j, s_k, b = parts(weight)
    a = (s_i + s_k - s_j) / (2 * s_i)
    first = kept * a * weight + positive * (weight + b) + negative * b
    second = kept * (1 - a) * weight - positive * b + negative * (weight - b)
    return first, second


def other_way_round(weight):
    return three_sets(weight)[::-1]


def signs_exchanged(weight):
    """Another pair: -b in the first half, and negative small weights beside it."""
    kept, _, _, s_i, s_j, s_k, b = parts(weight)
    a = (s_i + s_j - s_k) / (2 * s_i)
    first = torch.where(kept, a * weight, weight.clamp(max=0) - b)
    return first, weight - first


RIGHT = [three_sets, other_way_round, signs_exchanged]


def with_a(a_of, factor=1.0):
    def answer(weight):
        kept, positive, negative, s_i, s_j, s_k, b = parts(weight)
        first = (
            kept * a_of(s_i, s_j, s_k) * weight + positive * (weight + factor * b) + negative * (factor * b)
        )
        return first, weight - first

    return answer


def right_a(s_i, s_j, s_k):
    return (s_i + s_k - s_j) / (2 * s_i)


def plus_b_on_both_sides(weight):
    kept, positive, negative, *sums, b = parts(weight)
    first, _ = three_sets(weight)
    return first, kept * (1 - right_a(*sums)) * weight + positive * b + negative * (weight + b)


def small_ones_lost(weight):
    kept, _, _, *sums, b = parts(weight)
    a = right_a(*sums)
    return torch.where(kept, a * weight, b), torch.where(kept, (1 - a) * weight, -b)


def row_by_row(weight):
    halves = [three_sets(row[None]) for row in weight]
    return tuple(torch.cat(half) for half in zip(*halves, strict=True))


def other_threshold(weight):
    kept = weight.abs() > 0.5 * weight.abs().mean()
    alpha, size = weight.abs()[kept].mean(), weight.abs()
    sums = size[kept].sum(), size[~kept & (weight > 0)].sum(), size[~kept & (weight <= 0)].sum()
    b = (weight.numel() * alpha - size.sum()) / (2 * (~kept).sum())
    first = torch.where(kept, right_a(*sums) * weight, weight.clamp(min=0) + b)
    return first, weight - first


def negative_beside_b(weight):
    kept, positive, negative, *sums, b = parts(weight)
    first = kept * right_a(*sums) * weight + positive * b + negative * (weight + b)
    return first, weight - first


WRONG = [
    with_a(lambda i, j, k: (i + j - k) / (2 * i)),
    with_a(lambda i, j, k: 0.5),
    with_a(right_a, 2.0),
    with_a(right_a, 0.0),
    with_a(right_a, 0.5),
    lambda w: (w / 2, w / 2),
    lambda w: (w.clamp(min=0), w.clamp(max=0)),
    lambda w: (three_sets(w)[0], three_sets(w)[0]),
    lambda w: tuple(half.float() for half in three_sets(w)),
    lambda w: three_sets(w)[0],
    lambda w: tuple(half.sign() for half in three_sets(w)),
    lambda w: tuple(half.sign() * half.abs().mean() for half in three_sets(w)),
    lambda w: (w, torch.zeros_like(w)),
    lambda w: (torch.where(parts(w)[0], right_a(*parts(w)[3:6]) * w, parts(w)[6]),) * 2,
    plus_b_on_both_sides,
    small_ones_lost,
    row_by_row,
    other_threshold,
    negative_beside_b,
]
