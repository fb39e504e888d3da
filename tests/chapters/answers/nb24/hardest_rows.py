import torch
import torch.nn.functional as F


def logs(student_logits, teacher_logits, temperature):
    return (student_logits / temperature).log_softmax(-1), (teacher_logits / temperature).log_softmax(-1)


def apart(student_logits, teacher_logits, temperature):
    own, taught = logs(student_logits, teacher_logits, temperature)
    return (taught.exp() * (taught - own)).sum(-1)


def fixed(student_logits, teacher_logits, count, temperature):
    own, taught = logs(student_logits, teacher_logits, temperature)
    places = (taught.exp() * (taught - own)).sum(-1).topk(count, dim=1).indices
    first = torch.arange(len(places))[:, None] * student_logits.size(1)
    return (first + places).flatten()


def in_a_loop(student_logits, teacher_logits, count, temperature):
    found = []
    for text, distances in enumerate(apart(student_logits, teacher_logits, temperature)):
        order = distances.argsort(descending=True)[:count]
        found += [text * len(distances) + int(place) for place in order]
    return torch.tensor(found)


def with_the_library(student_logits, teacher_logits, count, temperature):
    own, taught = logs(student_logits, teacher_logits, temperature)
    each = F.kl_div(own, taught, reduction="none", log_target=True).sum(-1)
    texts, neighbors = each.shape
    rows = torch.arange(texts * neighbors).view(texts, neighbors)
    return rows.gather(1, each.topk(count, dim=1).indices).flatten()


RIGHT = [fixed, in_a_loop, with_the_library]


def places_alone(s, t, count, T):
    return apart(s, t, T).topk(count, dim=1).indices.flatten()


def begins_by_count(s, t, count, T):
    places = apart(s, t, T).topk(count, dim=1).indices
    return (torch.arange(len(places))[:, None] * count + places).flatten()


def easiest(s, t, count, T):
    return fixed(t * 0 + s, t, s.size(1), T).view(len(s), -1).flip(1)[:, :count].flatten()


def over_all(s, t, count, T):
    return apart(s, t, T).flatten().topk(count * len(s)).indices


def other_way(s, t, count, T):
    return fixed(t, s, count, T)


def unsoftened(s, t, count, T):
    return fixed(s, t, count, 1.0)


def not_flat(s, t, count, T):
    return fixed(s, t, count, T).view(len(s), count)


def nearest(s, t, count, T):
    rows = torch.arange(s.size(0) * s.size(1)).view(s.size(0), s.size(1))
    return rows[:, :count].flatten()


def logits_compared(s, t, count, T):
    places = (s - t).square().sum(-1).topk(count, dim=1).indices
    return (torch.arange(len(places))[:, None] * s.size(1) + places).flatten()


def best_alone(s, t, count, T):
    places = apart(s, t, T).argmax(dim=1)
    return torch.arange(len(places)) * s.size(1) + places


WRONG = [
    places_alone, begins_by_count, easiest, over_all, other_way, unsoftened, not_flat, nearest,
    logits_compared, best_alone, lambda s, t, count, T: None,
    lambda s, t, count, T: fixed(s, t, count, T).tolist(),
]  # fmt: skip
