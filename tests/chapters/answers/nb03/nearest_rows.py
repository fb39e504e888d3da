import torch.nn.functional as F


def built_in(vectors, vector, count):
    return F.cosine_similarity(vectors, vector[None], dim=1).topk(count)


def divided(vectors, vector, count):
    scores = vectors @ vector / (vectors.norm(dim=1) * vector.norm())
    rows = scores.argsort(descending=True)[:count]
    return scores[rows], rows


def by_hand(vectors, vector, count):
    lengths = (vectors**2).sum(1, keepdim=True).sqrt()
    scores = (vectors / lengths) @ (vector / vector.norm())
    values, rows = scores.sort(descending=True)
    return values[:count], rows[:count]


RIGHT = [built_in, divided, by_hand]


def cosines(vectors, vector):
    return F.cosine_similarity(vectors, vector[None])


def draft(vectors, vector, count):
    values, rows = (vectors @ vector).topk(count)
    return values, rows


def query_normalized(vectors, vector, count):
    return (vectors @ (vector / vector.norm())).topk(count)


def rows_normalized(vectors, vector, count):
    return (vectors / vectors.norm(dim=1, keepdim=True) @ vector).topk(count)


def columns(vectors, vector, count):
    return (F.normalize(vectors, dim=0) @ F.normalize(vector, dim=0)).topk(count)


def whole_norm(vectors, vector, count):
    return (vectors @ vector / vectors.norm() / vector.norm()).topk(count)


def least(vectors, vector, count):
    scores = cosines(vectors, vector)
    rows = scores.argsort()[:count]
    return scores[rows], rows


def upwards(vectors, vector, count):
    values, rows = cosines(vectors, vector).topk(count)
    return values.flip(0), rows.flip(0)


def other_order(vectors, vector, count):
    values, rows = cosines(vectors, vector).topk(count)
    return rows, values


def rows_alone(vectors, vector, count):
    return cosines(vectors, vector).topk(count).indices


def dot_products_of_the_nearest(vectors, vector, count):
    rows = cosines(vectors, vector).topk(count).indices
    return (vectors @ vector)[rows], rows


def euclid(vectors, vector, count):
    distances = (vectors - vector).norm(dim=1)
    values, rows = distances.topk(count, largest=False)
    return values, rows


def taxi(vectors, vector, count):
    return (F.normalize(vectors, p=1, dim=1) @ F.normalize(vector, p=1, dim=0)).topk(count)


def the_vectors(vectors, vector, count):
    values, rows = cosines(vectors, vector).topk(count)
    return values, vectors[rows]


def one_less(vectors, vector, count):
    values, rows = cosines(vectors, vector).topk(count + 1)
    return values[1:], rows[1:]


def as_lists(vectors, vector, count):
    values, rows = cosines(vectors, vector).topk(count)
    return values.tolist(), rows.tolist()


def angles(vectors, vector, count):
    values, rows = cosines(vectors, vector).topk(count)
    return values.acos(), rows


def magnitudes(vectors, vector, count):
    return cosines(vectors, vector).abs().topk(count)


def in_place(vectors, vector, count):
    vectors /= vectors.norm(dim=1, keepdim=True)
    vector /= vector.norm()
    return (vectors @ vector).topk(count)


WRONG = [
    *(draft, query_normalized, rows_normalized, columns, whole_norm, least, upwards, other_order),
    *(rows_alone, dot_products_of_the_nearest, euclid, taxi, the_vectors, one_less, as_lists, angles),
    *(magnitudes, in_place),
]
