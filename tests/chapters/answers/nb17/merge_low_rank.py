import torch


def in_one_line(weight, a, b, alpha):
    return weight + alpha / a.shape[0] * (b @ a)


def step_by_step(weight, a, b, alpha):
    rank = b.size(1)
    scale = alpha / rank
    update = torch.matmul(b, a)
    return weight + scale * update


def columns_times_rows(weight, a, b, alpha):
    merged = weight.clone()
    for column, row in zip(b.T, a, strict=True):
        merged += alpha / len(a) * torch.outer(column, row)
    return merged


def in_one_call(weight, a, b, alpha):
    return torch.addmm(weight, b, a, alpha=alpha / a.size(0))


RIGHT = [in_one_line, step_by_step, columns_times_rows, in_one_call]


def in_place(weight, a, b, alpha):
    weight += alpha / len(a) * b @ a
    return weight


WRONG = [
    lambda weight, a, b, alpha: weight + b @ a,
    lambda weight, a, b, alpha: weight + alpha * b @ a,
    lambda weight, a, b, alpha: weight + b @ a / len(a),
    lambda weight, a, b, alpha: weight + alpha / len(b) * b @ a,
    lambda weight, a, b, alpha: weight + alpha / a.shape[1] * b @ a,
    lambda weight, a, b, alpha: weight + alpha / len(a) * a @ b,
    lambda weight, a, b, alpha: weight + (alpha / len(a) * b @ a).T,
    lambda weight, a, b, alpha: alpha / len(a) * b @ a,
    lambda weight, a, b, alpha: alpha / len(a) * (weight + b @ a),
    lambda weight, a, b, alpha: weight - alpha / len(a) * b @ a,
    lambda weight, a, b, alpha: weight + len(a) / alpha * b @ a,
    lambda weight, a, b, alpha: weight @ (alpha / len(a) * b @ a).T,
    lambda weight, a, b, alpha: (weight + alpha / len(a) * b @ a).detach(),
    lambda weight, a, b, alpha: weight + alpha // len(a) * b @ a,
    in_place,
    lambda weight, a, b, alpha: weight,
    lambda weight, a, b, alpha: None,
]
