import torch


def by_products(student, teachers):
    weights = (teachers * student[:, None]).sum(-1).softmax(-1)
    return weights, (weights[..., None] * teachers).sum(1)


def by_einsum(student, teachers):
    weights = torch.softmax(torch.einsum("bd,bnd->bn", student, teachers), dim=1)
    return weights, torch.einsum("bn,bnd->bd", weights, teachers)


def by_matmul(student, teachers):
    weights = (teachers @ student.unsqueeze(-1)).squeeze(-1).softmax(-1)  # [B, N]
    return weights, (weights.unsqueeze(1) @ teachers).squeeze(1)


def text_by_text(student, teachers):
    weights = torch.stack(
        [torch.softmax(keys @ query, dim=0) for query, keys in zip(student, teachers, strict=True)]
    )
    return weights, torch.stack([share @ keys for share, keys in zip(weights, teachers, strict=True)])


RIGHT = [by_products, by_einsum, by_matmul, text_by_text]


def scores_of(student, teachers):
    return torch.einsum("bd,bnd->bn", student, teachers)


def made(weights_of, mix=None):
    def answer(student, teachers):
        weights = weights_of(student, teachers)
        mixture = torch.einsum("bn,bnd->bd", weights, teachers) if mix is None else mix(weights, teachers)
        return weights, mixture

    return answer


def right_weights(student, teachers):
    return scores_of(student, teachers).softmax(-1)


def hardest(student, teachers):
    scores = scores_of(student, teachers)
    return torch.nn.functional.one_hot(scores.argmax(-1), scores.size(-1)).to(student.dtype)


WRONG = [
    made(lambda student, teachers: (scores_of(student, teachers) / student.size(-1) ** 0.5).softmax(-1)),
    made(lambda student, teachers: (scores_of(student, teachers) / student.size(-1)).softmax(-1)),
    made(lambda student, teachers: scores_of(student, teachers).softmax(0)),
    made(scores_of),
    made(lambda student, teachers: (-scores_of(student, teachers)).softmax(-1)),
    made(lambda student, teachers: torch.cdist(student[:, None], teachers).squeeze(1).softmax(-1)),
    made(hardest),
    made(right_weights, lambda weights, teachers: teachers.mean(1)),
    made(right_weights, lambda weights, teachers: (weights[..., None] * teachers).mean(1)),
    made(right_weights, lambda weights, teachers: weights[..., None] * teachers),
    lambda student, teachers: by_products(student, teachers)[::-1],
    lambda student, teachers: by_products(student, teachers)[1],
    lambda student, teachers: by_products(student.detach(), teachers.detach()),
    lambda student, teachers: None,
]
