import math

import torch
import torch.nn.functional as F


def attend(scores, value, mask=None):
    if mask is not None:
        scores = scores.masked_fill(~mask, -1e9)
    weights = F.softmax(scores, dim=-1)
    return weights @ value, weights


def scores_of(query, key):
    return torch.matmul(query, key.transpose(-1, -2)) / math.sqrt(query.shape[-1])


def with_where(query, key, value, mask=None):
    scores = scores_of(query, key)
    if mask is not None:
        scores = torch.where(mask, scores, torch.full_like(scores, float("-inf")))
    weights = torch.softmax(scores, -1)
    return torch.matmul(weights, value), weights


def with_a_bias(query, key, value, mask=None):
    bias = 0 if mask is None else torch.zeros(mask.shape, dtype=query.dtype).masked_fill(~mask, -torch.inf)
    weights = (scores_of(query, key) + bias).softmax(-1)
    return weights @ value, weights


def both_scaled(query, key, value, mask=None):
    root = query.size(-1) ** 0.25
    return attend((query / root) @ (key / root).mT, value, mask)


def summed(query, key, value, mask=None):
    scores = (query.unsqueeze(-2) * key.unsqueeze(-3)).sum(-1) / query.size(-1) ** 0.5
    return attend(scores, value, mask)


def softmax_by_hand(query, key, value, mask=None):
    scores = scores_of(query, key)
    if mask is not None:
        scores = scores.masked_fill(mask.logical_not(), -1e9)
    powers = (scores - scores.amax(-1, keepdim=True)).exp()
    weights = powers / powers.sum(-1, keepdim=True)
    return weights @ value, weights


def with_einsum(query, key, value, mask=None):
    scores = torch.einsum("...td,...sd->...ts", query, key).div(query.size(-1) ** 0.5)
    if mask is not None:
        scores = scores + (1.0 - mask.to(scores.dtype)) * torch.finfo(scores.dtype).min / 2
    weights = F.softmax(scores, -1)
    return [torch.einsum("...ts,...sv->...tv", weights, value), weights]


RIGHT = [with_where, with_a_bias, both_scaled, summed, softmax_by_hand, with_einsum]


def unscaled(query, key, value, mask=None):
    return attend(query @ key.mT, value, mask)


def by_size(query, key, value, mask=None):
    return attend(query @ key.mT / query.size(-1), value, mask)


def by_tokens(query, key, value, mask=None):
    return attend(query @ key.mT / key.shape[-2] ** 0.5, value, mask)


def over_the_first(query, key, value, mask=None):
    scores = scores_of(query, key)
    if mask is not None:
        scores = scores.masked_fill(mask.logical_not(), float("-inf"))
    weights = scores.softmax(0)
    return weights @ value, weights


def over_queries(query, key, value, mask=None):
    scores = scores_of(query, key)
    if mask is not None:
        scores = scores.masked_fill(mask.logical_not(), -1e9)
    weights = scores.softmax(-2)
    return weights @ value, weights


def the_mask_closes(query, key, value, mask=None):
    scores = scores_of(query, key)
    if mask is not None:
        scores = torch.where(mask, torch.tensor(-torch.inf, dtype=scores.dtype), scores)
    weights = scores.softmax(-1)
    return weights @ value, weights


def zeros_where_closed(query, key, value, mask=None):
    scores = scores_of(query, key)
    if mask is not None:
        scores = scores.masked_fill(~mask, 0)
    weights = scores.softmax(-1)
    return weights @ value, weights


def closed_a_little(query, key, value, mask=None):
    scores = scores_of(query, key)
    if mask is not None:
        scores = scores.masked_fill(~mask, -1)
    weights = scores.softmax(-1)
    return weights @ value, weights


def not_assigned(query, key, value, mask=None):
    scores = scores_of(query, key)
    if mask is not None:
        scores.masked_fill(~mask, -torch.inf)
    weights = scores.softmax(-1)
    return weights @ value, weights


def masked_late(query, key, value, mask=None):
    weights = scores_of(query, key).softmax(-1)
    if mask is not None:
        weights = weights.masked_fill(~mask, 0.0)
    return weights @ value, weights


def output_alone(query, key, value, mask=None):
    return attend(scores_of(query, key), value, mask)[0]


def the_other_order(query, key, value, mask=None):
    return attend(scores_of(query, key), value, mask)[::-1]


def scores_beside(query, key, value, mask=None):
    scores = scores_of(query, key)
    if mask is not None:
        scores = scores.masked_fill(~mask, float("-inf"))
    return scores.softmax(-1) @ value, scores


def old_turn(query, key, value, mask=None):
    return attend(query @ key.T / query.size(-1) ** 0.5, value, mask)


def exponentials(query, key, value, mask=None):
    scores = scores_of(query, key)
    if mask is not None:
        scores = scores.masked_fill(~mask, -torch.inf)
    weights = torch.exp(scores) / torch.sum(torch.exp(scores), dim=-1, keepdim=True)
    return weights @ value, weights


def values_of_queries(query, key, value, mask=None):
    return attend(scores_of(query, key), key, mask)


def logs(query, key, value, mask=None):
    scores = scores_of(query, key)
    if mask is not None:
        scores = scores.masked_fill(~mask, -1e9)
    weights = scores.log_softmax(-1)
    return weights @ value, weights


def detached(query, key, value, mask=None):
    output, weights = attend(scores_of(query, key), value, mask)
    return output, weights.detach()


def under_no_grad(query, key, value, mask=None):
    torch.set_grad_enabled(False)
    return attend(scores_of(query, key), value, mask)


def as_lists(query, key, value, mask=None):
    output, weights = attend(scores_of(query, key), value, mask)
    return output.tolist(), weights.tolist()


def in_place(query, key, value, mask=None):
    query /= query.size(-1) ** 0.5
    return attend(query @ key.mT, value, mask)


WRONG = [
    *(unscaled, by_size, by_tokens, over_the_first, over_queries, the_mask_closes, zeros_where_closed),
    *(closed_a_little, not_assigned, masked_late, output_alone, the_other_order, scores_beside, old_turn),
    *(exponentials, values_of_queries, logs, detached, under_no_grad, as_lists, in_place),
]
