import torch


def by_cat(ids, begin):
    inputs = torch.cat([torch.full((len(ids), 1), begin), ids[:, :-1]], 1)
    return inputs, torch.where(ids == 0, -100, ids)


def by_assignment(ids, begin):
    inputs = ids.new_zeros(ids.shape)
    inputs[:, 1:] = ids[:, :-1]
    inputs[:, 0] = begin
    labels = ids.clone()
    labels[ids == 0] = -100
    return inputs, labels


def by_roll(ids, begin):
    inputs = ids.roll(1, dims=1)
    inputs[:, 0] = begin
    return inputs, ids.masked_fill(ids.eq(0), -100)


def in_lists(ids, begin):
    inputs = [[begin] + row[:-1] for row in ids.tolist()]
    labels = [[token if token else -100 for token in row] for row in ids.tolist()]
    return torch.tensor(inputs), torch.tensor(labels)


def draft(ids, begin):
    first = torch.full_like(ids[:, :1], begin)
    inputs = torch.cat([first, ids[:, :-1]], dim=1)
    return inputs, inputs


def draft_padding(ids, begin):
    inputs, _ = by_cat(ids, begin)
    return inputs, inputs.masked_fill(inputs == 0, -100)


def read_unshifted(ids, begin):
    return ids, by_cat(ids, begin)[1]


def other_way(ids, begin):
    return ids, by_cat(ids, begin)[0]


def no_ignore(ids, begin):
    return by_cat(ids, begin)[0], ids


def twice(ids, begin):
    inputs, labels = by_cat(ids, begin)
    return inputs, torch.cat([labels[:, 1:], torch.full_like(labels[:, :1], -100)], 1)


def shorter(ids, begin):
    return ids[:, :-1], by_cat(ids, begin)[1][:, 1:]


def longer(ids, begin):
    inputs = torch.cat([torch.full_like(ids[:, :1], begin), ids], 1)
    return inputs, torch.cat([by_cat(ids, begin)[1], torch.full_like(ids[:, :1], -100)], 1)


def inputs_ignored(ids, begin):
    inputs, labels = by_cat(ids, begin)
    return inputs.masked_fill(inputs == 0, -100), labels


def begin_ignored(ids, begin):
    inputs, labels = by_cat(ids, begin)
    return inputs, labels.masked_fill(ids == begin, -100)


def zero_begin(ids, begin):
    return by_cat(ids, 0)[0], by_cat(ids, begin)[1]


def wrapped(ids, begin):
    return ids.roll(1, 1), by_cat(ids, begin)[1]


def changes_given(ids, begin):
    inputs, _ = by_cat(ids, begin)
    ids[ids == 0] = -100
    return inputs, ids


def swapped(ids, begin):
    return by_cat(ids, begin)[::-1]


RIGHT = [by_cat, by_assignment, by_roll, in_lists]
WRONG = [
    draft, draft_padding, read_unshifted, other_way, no_ignore, twice, shorter, longer, inputs_ignored,
    begin_ignored, zero_begin, wrapped, changes_given, swapped,
]  # fmt: skip
