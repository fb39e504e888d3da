from torch.nn.functional import cosine_similarity, normalize


def by_library(question, vectors, threshold):
    cosines = cosine_similarity(vectors, question[None], dim=1)
    best = cosines.argmax().item()
    return best if cosines[best] >= threshold else None


def by_units(question, vectors, threshold):
    cosines = normalize(vectors, dim=1) @ normalize(question, dim=0)
    if cosines.max() < threshold:
        return None
    return int(cosines.argmax())


def in_a_loop(question, vectors, threshold):
    best, place = -2.0, None
    for number, vector in enumerate(vectors):
        cosine = (vector @ question / (vector.norm() * question.norm())).item()
        if cosine > best:
            best, place = cosine, number
    return place if best >= threshold else None


RIGHT = [by_library, by_units, in_a_loop]


def draft(question, vectors, threshold):
    scores = vectors @ question
    best = int(scores.argmax())
    if scores[best] < threshold:
        return None
    return best


def question_only(question, vectors, threshold):
    scores = vectors @ (question / question.norm())
    best = int(scores.argmax())
    return best if scores[best] >= threshold else None


def vectors_only(question, vectors, threshold):
    scores = normalize(vectors, dim=1) @ question
    best = int(scores.argmax())
    return best if scores[best] >= threshold else None


def place_by_product(question, vectors, threshold):
    best = int((vectors @ question).argmax())
    cosine = cosine_similarity(vectors[best], question, dim=0)
    return best if cosine >= threshold else None


def never_refuses(question, vectors, threshold):
    return int(cosine_similarity(vectors, question[None], dim=1).argmax())


def strictly(question, vectors, threshold):
    cosines = cosine_similarity(vectors, question[None], dim=1)
    best = int(cosines.argmax())
    return best if cosines[best] > threshold else None


def first_above(question, vectors, threshold):
    cosines = cosine_similarity(vectors, question[None], dim=1)
    above = (cosines >= threshold).nonzero().flatten()
    return int(above[0]) if len(above) else None


def wrong_axis(question, vectors, threshold):
    scores = normalize(vectors, dim=0) @ normalize(question, dim=0)
    best = int(scores.argmax())
    return best if scores[best] >= threshold else None


def the_cosine(question, vectors, threshold):
    cosines = cosine_similarity(vectors, question[None], dim=1)
    return cosines.max().item() if cosines.max() >= threshold else None


def by_distance(question, vectors, threshold):
    best = int((vectors - question).norm(dim=1).argmin())
    cosine = cosine_similarity(vectors[best], question, dim=0)
    return best if cosine >= threshold else None


def minus_one(question, vectors, threshold):
    cosines = cosine_similarity(vectors, question[None], dim=1)
    best = int(cosines.argmax())
    return best if cosines[best] >= threshold else -1


def the_other_way(question, vectors, threshold):
    cosines = cosine_similarity(vectors, question[None], dim=1)
    best = int(cosines.argmax())
    return None if cosines[best] >= threshold else best


def one_length(question, vectors, threshold):
    cosines = (vectors / vectors.norm()) @ (question / question.norm())
    best = int(cosines.argmax())
    return best if cosines[best] >= threshold else None


def size_alone(question, vectors, threshold):
    cosines = cosine_similarity(vectors, question[None], dim=1).abs()
    best = int(cosines.argmax())
    return best if cosines[best] >= threshold else None


WRONG = [
    draft,
    question_only,
    vectors_only,
    place_by_product,
    never_refuses,
    strictly,
    first_above,
    wrong_axis,
    the_cosine,
    by_distance,
    minus_one,
    the_other_way,
    one_length,
    size_alone,
]
