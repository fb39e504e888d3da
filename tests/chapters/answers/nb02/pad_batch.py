import torch
from torch.nn.utils.rnn import pad_sequence


def fixed(rows, pad_id):
    longest = max(len(row) for row in rows)
    input_ids = torch.tensor([row + [pad_id] * (longest - len(row)) for row in rows])
    attention_mask = (input_ids != pad_id).long()
    return input_ids, attention_mask


def counted(rows, pad_id):
    longest = max(len(row) for row in rows)
    input_ids = torch.tensor([row + [pad_id] * (longest - len(row)) for row in rows])
    lengths = torch.tensor([len(row) for row in rows])
    return input_ids, (torch.arange(longest) < lengths[:, None]).long()


def library(rows, pad_id):
    ids = pad_sequence([torch.tensor(r) for r in rows], batch_first=True, padding_value=pad_id)
    mask = pad_sequence([torch.ones(len(r), dtype=torch.long) for r in rows], batch_first=True)
    return ids, mask


def filled(rows, pad_id):
    longest = max(map(len, rows))
    input_ids = torch.full((len(rows), longest), pad_id)
    attention_mask = torch.zeros_like(input_ids)
    for i, row in enumerate(rows):
        input_ids[i, : len(row)] = torch.tensor(row)
        attention_mask[i, : len(row)] = 1
    return [input_ids, attention_mask]


def with_where(rows, pad_id):
    input_ids, _ = fixed(rows, pad_id)
    return input_ids, torch.where(input_ids == pad_id, 0, 1)


RIGHT = [fixed, counted, library, filled, with_where]


def ids_of(rows, pad_id):
    return fixed(rows, pad_id)[0]


def draft(rows, pad_id):
    input_ids = ids_of(rows, pad_id)
    return input_ids, (input_ids != 0).long()


def greater_than_0(rows, pad_id):
    input_ids = ids_of(rows, pad_id)
    return input_ids, (input_ids > 0).long()


def not_1(rows, pad_id):
    input_ids = ids_of(rows, pad_id)
    return input_ids, (input_ids != 1).long()


def inverted(rows, pad_id):
    input_ids = ids_of(rows, pad_id)
    return input_ids, (input_ids == pad_id).long()


def greater(rows, pad_id):
    input_ids = ids_of(rows, pad_id)
    return input_ids, (input_ids > pad_id).long()


def smaller(rows, pad_id):
    input_ids = ids_of(rows, pad_id)
    return input_ids, (input_ids < pad_id).long()


def truth(rows, pad_id):
    input_ids = ids_of(rows, pad_id)
    return input_ids, input_ids != pad_id


def floats(rows, pad_id):
    input_ids = ids_of(rows, pad_id)
    return input_ids, (input_ids != pad_id).float()


def ints(rows, pad_id):
    input_ids = ids_of(rows, pad_id)
    return input_ids, (input_ids != pad_id).int()


def neither(rows, pad_id):
    input_ids = ids_of(rows, pad_id)
    return input_ids, ((input_ids != 0) & (input_ids != pad_id)).long()


def either(rows, pad_id):
    input_ids = ids_of(rows, pad_id)
    return input_ids, ((input_ids != 0) | (input_ids != pad_id)).long()


def ones(rows, pad_id):
    input_ids = ids_of(rows, pad_id)
    return input_ids, torch.ones(input_ids.shape, dtype=torch.long)


def zeros_for_padding(rows, pad_id):
    longest = max(len(row) for row in rows)
    input_ids = torch.tensor([row + [0] * (longest - len(row)) for row in rows])
    return input_ids, (input_ids != 0).long()


def zeros_and_a_right_mask(rows, pad_id):
    longest = max(len(row) for row in rows)
    input_ids = torch.tensor([row + [0] * (longest - len(row)) for row in rows])
    return input_ids, fixed(rows, pad_id)[1]


def ids_of_padding_1(rows, pad_id):
    input_ids = ids_of(rows, 1)
    return input_ids, (input_ids != 1).long()


def on_the_left(rows, pad_id):
    longest = max(len(row) for row in rows)
    input_ids = torch.tensor([[pad_id] * (longest - len(row)) + row for row in rows])
    return input_ids, (input_ids != pad_id).long()


def cut(rows, pad_id):
    shortest = min(len(row) for row in rows)
    input_ids = torch.tensor([row[:shortest] for row in rows])
    return input_ids, (input_ids != pad_id).long()


def one_too_long(rows, pad_id):
    longest = max(len(row) for row in rows) + 1
    input_ids = torch.tensor([row + [pad_id] * (longest - len(row)) for row in rows])
    return input_ids, (input_ids != pad_id).long()


def first_is_masked(rows, pad_id):
    input_ids, mask = fixed(rows, pad_id)
    mask[:, 0] = 0
    return input_ids, mask


def swapped(rows, pad_id):
    return fixed(rows, pad_id)[::-1]


def mask_alone(rows, pad_id):
    return fixed(rows, pad_id)[1]


def lists(rows, pad_id):
    input_ids, mask = fixed(rows, pad_id)
    return input_ids.tolist(), mask.tolist()


def mask_times_ids(rows, pad_id):
    input_ids, mask = fixed(rows, pad_id)
    return input_ids, input_ids * mask


def a_dict(rows, pad_id):
    input_ids, mask = fixed(rows, pad_id)
    return {"input_ids": input_ids, "attention_mask": mask}


def into_the_rows(rows, pad_id):
    longest = max(len(row) for row in rows)
    for row in rows:
        row += [pad_id] * (longest - len(row))
    input_ids = torch.tensor(rows)
    return input_ids, (input_ids != pad_id).long()


def per_row(rows, pad_id):
    input_ids = ids_of(rows, pad_id)
    return input_ids, torch.tensor([len(row) for row in rows])


WRONG = [
    *(draft, greater_than_0, not_1, inverted, greater, smaller, truth, floats, ints, neither, either, ones),
    *(zeros_for_padding, zeros_and_a_right_mask, ids_of_padding_1, on_the_left, cut, one_too_long),
    *(first_is_masked, swapped, mask_alone, lists, mask_times_ids, a_dict, into_the_rows, per_row),
]
