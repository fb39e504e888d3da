import torch

RIGHT = [
    lambda heads: heads.permute(0, 2, 1, 3).flatten(2),
    lambda heads: torch.cat(heads.unbind(1), dim=-1),
    lambda heads: torch.einsum("bhtk->bthk", heads).reshape(heads.shape[0], heads.shape[2], -1),
    lambda heads: heads.transpose(1, 2).contiguous().view(heads.shape[0], heads.shape[2], -1),
]


def not_turned(x):
    return x.reshape(x.size(0), x.size(2), -1)


def not_turned_view(x):
    return x.view(x.shape[0], x.shape[2], x.shape[1] * x.shape[3])


def not_glued(x):
    return x.permute(0, 2, 1, 3)


def not_contiguous(x):
    return x.transpose(1, 2).view(x.size(0), x.size(2), x.size(1) * x.size(3))


def one_feature_each(x):
    return x.permute(0, 2, 3, 1).reshape(x.size(0), x.size(2), -1)


def last_two(x):
    return x.transpose(-1, -2).reshape(x.size(0), x.size(2), -1)


def one_after_another(x):
    return torch.cat(x.unbind(1), dim=1)


def average(x):
    return x.mean(1)


def largest(x):
    return x.max(dim=1).values


def first_head(x):
    return x[:, 0]


def stacked(x):
    return torch.stack(x.unbind(1), dim=-1).flatten(2)


def turned_result(x):
    return x.transpose(1, 2).flatten(2).transpose(1, 2)


def batch_and_heads(x):
    return x.transpose(0, 1).reshape(x.size(0), x.size(2), -1)


def detached(x):
    return x.detach().transpose(1, 2).flatten(2)


def nothing(x):
    x.transpose(1, 2).flatten(2)


def as_list(x):
    return x.transpose(1, 2).flatten(2).tolist()


def unchanged(x):
    return x


WRONG = [
    *(not_turned, not_turned_view, not_glued, not_contiguous, one_feature_each, last_two, one_after_another),
    *(average, largest, first_head, stacked, turned_result, batch_and_heads, detached, nothing, as_list),
    unchanged,
]
