import torch


def by_sets(masks):
    length = len(masks[0])
    known = [{j for j in range(length) if masks[0][i, j]} for i in range(length)]
    for mask in masks[1:]:
        known = [known[i] | {k for j in range(length) if mask[i, j] for k in known[j]} for i in range(length)]
    return torch.tensor([[j in known[i] for j in range(length)] for i in range(length)])


def with_ints(masks):
    known = masks[0].clone()
    for layer in masks[1:]:
        known |= (layer.long() @ known.long()).bool()
    return known


def with_any(masks):
    known = masks[0]
    for mask in masks[1:]:
        known = known | (mask[:, :, None] & known[None]).any(dim=1)
    return known


RIGHT = [by_sets, with_ints, with_any]


def product(masks):
    known = masks[0].float()
    for mask in masks[1:]:
        known = mask.float() @ known
    return known > 0


def other_order(masks):
    known = masks[0]
    for mask in masks[1:]:
        known = known | ((known.float() @ mask.float()) > 0)
    return known


def joined(masks):
    return torch.stack(masks).any(dim=0)


def both_ways(masks):
    known = masks[0]
    for mask in masks[1:]:
        known = known | mask | (mask.float() @ known.float() > 0)
    return known


def with_itself(masks):
    known = torch.eye(len(masks[0])).bool()
    for mask in masks:
        known = known | (mask.float() @ known.float() > 0)
    return known


def itself_in_the_end(masks):
    return with_ints(masks) | torch.eye(len(masks[0])).bool()


def as_numbers(masks):
    return with_ints(masks).float()


def counts(masks):
    known = masks[0].float()
    for mask in masks[1:]:
        known = known + mask.float() @ known
    return known


def first_alone(masks):
    return masks[0]


def last_alone(masks):
    return masks[-1]


def squared(masks):
    known = masks[0]
    for _ in masks[1:]:
        known = known | (known.float() @ known.float() > 0)
    return known


def in_place(masks):
    known = masks[0]
    for mask in masks[1:]:
        known |= mask.float() @ known.float() > 0
    return known


def transposed(masks):
    return with_ints(masks).T


def without_the_last(masks):
    return with_ints(masks[:-1] or masks)


def more_than_one(masks):
    known = masks[0]
    for mask in masks[1:]:
        known = known | (mask.float() @ known.float() > 1)
    return known


WRONG = [
    *(product, other_order, joined, both_ways, with_itself, itself_in_the_end, as_numbers, counts),
    *(first_alone, last_alone, squared, in_place, transposed, without_the_last, more_than_one),
]
