import torch
from torch.nn.functional import cosine_similarity, normalize


def by_matrix(vectors, k):
    units = normalize(vectors, dim=1)
    sums = (units @ units.T).sum(0)
    return sorted(sums.argsort(descending=True)[:k].tolist())


def by_library(vectors, k):
    cosines = cosine_similarity(vectors[:, None], vectors[None], dim=2)
    order = cosines.sum(dim=1).sort(descending=True).indices
    return sorted(int(place) for place in order[:k])


def with_the_sum(vectors, k):
    units = vectors / vectors.norm(dim=1, keepdim=True)
    scores = units @ units.sum(dim=0)
    return torch.topk(scores, min(k, len(scores))).indices.sort().values.tolist()


def in_a_loop(vectors, k):
    units = [vector / vector.norm() for vector in vectors]
    sums = [sum((one @ other).item() for other in units) for one in units]
    order = sorted(range(len(units)), key=lambda place: -sums[place])
    return sorted(order[:k])


def without_itself(vectors, k):  # every vector has the cosine 1 with itself, so the order stays
    units = normalize(vectors, dim=1)
    cosines = units @ units.T
    cosines.fill_diagonal_(0)
    best = cosines.sum(1).topk(min(k, len(vectors))).indices
    return sorted(best.tolist())


RIGHT = [by_matrix, by_library, with_the_sum, in_a_loop, without_itself]


def unsorted(vectors, k):
    units = normalize(vectors, dim=1)
    return (units @ units.T).sum(0).topk(min(k, len(units))).indices.tolist()


def too_many(vectors, k):
    units = normalize(vectors, dim=1)
    return sorted((units @ units.T).sum(0).topk(k).indices.tolist())


def products(vectors, k):
    sums = (vectors @ vectors.T).sum(0)
    return sorted(sums.topk(min(k, len(sums))).indices.tolist())


def near_the_mean(vectors, k):
    scores = cosine_similarity(vectors, vectors.mean(dim=0, keepdim=True), dim=1)
    return sorted(scores.topk(min(k, len(scores))).indices.tolist())


def by_distance(vectors, k):
    distances = (vectors - vectors.mean(dim=0)).norm(dim=1)
    return sorted((-distances).topk(min(k, len(distances))).indices.tolist())


def the_first(vectors, k):
    return list(range(min(k, len(vectors))))


def least(vectors, k):
    units = normalize(vectors, dim=1)
    sums = (units @ units.T).sum(0)
    return sorted((-sums).topk(min(k, len(sums))).indices.tolist())


def the_longest(vectors, k):
    return sorted(vectors.norm(dim=1).topk(min(k, len(vectors))).indices.tolist())


def wrong_axis(vectors, k):
    units = normalize(vectors, dim=0)
    sums = (units @ units.T).sum(0)
    return sorted(sums.topk(min(k, len(sums))).indices.tolist())


def by_maximum(vectors, k):
    units = normalize(vectors, dim=1)
    cosines = (units @ units.T).fill_diagonal_(-1)
    return sorted(cosines.max(1).values.topk(min(k, len(units))).indices.tolist())


def from_one(vectors, k):
    return [place + 1 for place in by_matrix(vectors, k)]


def the_sums(vectors, k):
    units = normalize(vectors, dim=1)
    return sorted((units @ units.T).sum(0).topk(min(k, len(units))).values.tolist())


def tensor(vectors, k):
    units = normalize(vectors, dim=1)
    return (units @ units.T).sum(0).topk(min(k, len(units))).indices.sort().values


def absolute(vectors, k):
    units = normalize(vectors, dim=1)
    return sorted((units @ units.T).abs().sum(0).topk(min(k, len(units))).indices.tolist())


def with_the_first(vectors, k):
    units = normalize(vectors, dim=1)
    return sorted((units @ units[0]).topk(min(k, len(units))).indices.tolist())


WRONG = [
    unsorted,
    too_many,
    products,
    near_the_mean,
    by_distance,
    the_first,
    least,
    the_longest,
    wrong_axis,
    by_maximum,
    from_one,
    the_sums,
    tensor,
    absolute,
    with_the_first,
]
