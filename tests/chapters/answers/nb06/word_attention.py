import torch


def averaged(weights, member):
    return (member @ weights @ member.T) / member.sum(1)[:, None]


def with_einsum(weights, member):
    shares = member / member.sum(dim=1, keepdim=True)
    return torch.einsum("wt,...ts,vs->...wv", shares, weights, member)


def in_loops(weights, member):
    rows = []
    for word in member:
        asked = weights[..., word.bool(), :].mean(-2)
        rows.append(torch.stack([asked[..., other.bool()].sum(-1) for other in member], -1))
    return torch.stack(rows, -2)


RIGHT = [averaged, with_einsum, in_loops]


def shares(member):
    return member / member.sum(dim=1, keepdim=True)


def draft(weights, member):
    return member @ weights @ shares(member).T


def sums(weights, member):
    return member @ weights @ member.T


def means(weights, member):
    return shares(member) @ weights @ shares(member).mT


def first_asks(weights, member):
    return weights[..., member.argmax(1), :] @ member.T


def first_of_both(weights, member):
    first = member.argmax(1)
    return weights[..., first, :][..., first]


def turned(weights, member):
    return averaged(weights, member).mT


def by_columns(weights, member):
    return (member @ weights @ member.T) / member.sum(1)


def wrong_sum(weights, member):
    return member / member.sum(0, keepdim=True).clamp(min=1) @ weights @ member.T


def all_pieces(weights, member):
    return member / member.sum() @ weights @ member.T


def rescaled(weights, member):
    words = member @ weights @ member.T
    return words / words.sum(-1, keepdim=True)


def draft_rescaled(weights, member):
    words = draft(weights, member)
    return words / words.sum(-1, keepdim=True)


def rows_alone(weights, member):
    return shares(member) @ weights


def columns_alone(weights, member):
    return weights @ member.T


def largest(weights, member):
    rows = [weights[..., word.bool(), :].amax(-2) for word in member]
    return torch.stack(rows, -2) @ member.T


def softmaxed(weights, member):
    return averaged(weights, member).softmax(-1)


def untransposed(weights, member):
    return shares(member) @ weights @ member


def twice_divided(weights, member):
    return shares(member) / member.sum(1, keepdim=True) @ weights @ member.T


def multiplied(weights, member):
    return member * member.sum(1, keepdim=True) @ weights @ member.T


def rounded(weights, member):
    return averaged(weights, member).round(decimals=2)


WRONG = [
    *(draft, sums, means, first_asks, first_of_both, turned, by_columns, wrong_sum, all_pieces, rescaled),
    *(draft_rescaled, rows_alone, columns_alone, largest, softmaxed, untransposed, twice_divided),
    *(multiplied, rounded),
]
