import math

import torch
import torch.nn.functional as F


def relation(values, num_heads):
    texts, tokens, width = values.shape
    heads = values.view(texts, tokens, num_heads, width // num_heads).transpose(1, 2)
    return heads @ heads.mT / math.sqrt(width // num_heads)


def by_kl_div(student_values, teacher_values, num_heads):
    student = relation(student_values, num_heads).log_softmax(-1)
    teacher = relation(teacher_values, num_heads).softmax(-1)
    return F.kl_div(student, teacher, reduction="none").sum(-1).mean()


def by_hand(student_values, teacher_values, num_heads):
    own = relation(student_values, num_heads).softmax(-1)
    taught = relation(teacher_values.detach(), num_heads).softmax(-1)
    return (taught * (taught.log() - own.log())).sum(dim=-1).mean()


def by_einsum(student_values, teacher_values, num_heads):
    found = []
    for values in (student_values, teacher_values):
        heads = values.unflatten(-1, (num_heads, -1))  # [B, T, H, K]
        products = torch.einsum("bihk,bjhk->bhij", heads, heads) * heads.shape[-1] ** -0.5
        found.append(F.log_softmax(products, dim=-1).flatten(0, 2))
    return F.kl_div(found[0], found[1], reduction="batchmean", log_target=True)


def head_by_head(student_values, teacher_values, num_heads):
    total = 0
    for own, taught in zip(
        student_values.chunk(num_heads, dim=-1), teacher_values.chunk(num_heads, dim=-1), strict=True
    ):
        p = torch.softmax(taught @ taught.mT / taught.shape[-1] ** 0.5, dim=-1)
        q = torch.softmax(own @ own.mT / own.shape[-1] ** 0.5, dim=-1)
        total = total + (p * (p / q).log()).sum(-1).mean()
    return total / num_heads


def down_the_columns(student_values, teacher_values, num_heads):
    """V Vᵀ is symmetric, so its columns are its rows, and the sum over both is the same."""
    p = relation(teacher_values, num_heads).softmax(-2)
    q = relation(student_values, num_heads).softmax(-2)
    return (p * (p / q).log()).sum(-1).mean()


RIGHT = [by_kl_div, by_hand, by_einsum, head_by_head, down_the_columns]


def kl(p, q):
    return (p * (p.log() - q.log())).sum(-1).mean()


def changed(of_values=None, compare=kl):
    def answer(student_values, teacher_values, num_heads):
        made = of_values or relation
        student, teacher = made(student_values, num_heads), made(teacher_values, num_heads)
        return compare(teacher.softmax(-1), student.softmax(-1))

    return answer


def unscaled(values, num_heads):
    return relation(values, num_heads) * math.sqrt(values.shape[-1] // num_heads)


def over_width(values, num_heads):
    return unscaled(values, num_heads) / math.sqrt(values.shape[-1])


def one_head(values, num_heads):
    return (values @ values.mT / math.sqrt(values.shape[-1]))[:, None]


def mixed(values, num_heads):
    heads = values.reshape(values.shape[0], num_heads, values.shape[1], -1)
    return heads @ heads.mT / math.sqrt(heads.shape[-1])


def of_features(values, num_heads):
    heads = values.view(*values.shape[:2], num_heads, -1).transpose(1, 2)
    return heads.mT @ heads / math.sqrt(heads.shape[-1])


def batchmean(student_values, teacher_values, num_heads):
    student, teacher = relation(student_values, num_heads), relation(teacher_values, num_heads)
    return F.kl_div(student.log_softmax(-1), teacher.softmax(-1), reduction="batchmean")


WRONG = [
    changed(compare=lambda teacher, student: kl(student, teacher)),
    changed(unscaled),
    changed(over_width),
    changed(one_head),
    changed(mixed),
    changed(of_features),
    changed(compare=lambda teacher, student: (teacher - student).square().sum(-1).mean()),
    changed(compare=lambda teacher, student: (teacher - student).square().mean()),
    changed(compare=lambda teacher, student: -(teacher * student.log()).sum(-1).mean()),
    batchmean,
    lambda student_values, teacher_values, num_heads: by_hand(teacher_values, student_values, num_heads),
    lambda student_values, teacher_values, num_heads: (student_values - teacher_values).square().mean(),
    lambda student_values, teacher_values, num_heads: -by_hand(student_values, teacher_values, num_heads),
    lambda student_values, teacher_values, num_heads: by_hand(
        student_values.detach(), teacher_values, num_heads
    ),
    lambda student_values, teacher_values, num_heads: 0.0,
    lambda student_values, teacher_values, num_heads: None,
]
