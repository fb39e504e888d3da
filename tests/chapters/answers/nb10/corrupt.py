import torch


def with_clone(input_ids, chosen, fate, others, mask_token_id):
    read, labels = input_ids.clone(), torch.full_like(input_ids, -100)
    masked = chosen & (fate < 0.8)
    swapped = chosen & (fate < 0.9) & ~masked
    read[masked] = mask_token_id
    read[swapped] = others[swapped]
    labels[chosen] = input_ids[chosen]
    return read, labels


def nested(ids, chosen, fate, others, mask):
    drawn = torch.where(fate < 0.8, torch.full_like(ids, mask), torch.where(fate < 0.9, others, ids))
    return torch.where(chosen, drawn, ids), torch.where(chosen, ids, torch.tensor(-100))


def by_loops(ids, chosen, fate, others, mask):
    read, labels = ids.clone(), ids.clone()
    for row in range(ids.size(0)):
        for at in range(ids.size(1)):
            if not chosen[row, at]:
                labels[row, at] = -100
            elif fate[row, at] < 0.8:
                read[row, at] = mask
            elif fate[row, at] < 0.9:
                read[row, at] = others[row, at]
    return [read, labels]


RIGHT = [with_clone, nested, by_loops]


def labels_of(ids, chosen):
    return torch.where(chosen, ids, -100)


def in_place(ids, chosen, fate, others, mask):
    labels = labels_of(ids, chosen)
    ids[chosen & (fate < 0.8)] = mask
    ids = torch.where(chosen & (fate >= 0.8) & (fate < 0.9), others, ids)
    return ids, labels


def up_to_and_with(ids, chosen, fate, others, mask):
    read = torch.where(chosen & (fate <= 0.8), mask, ids)
    read = torch.where(chosen & (fate > 0.8) & (fate <= 0.9), others, read)
    return read, labels_of(ids, chosen)


def every_one_masked(ids, chosen, fate, others, mask):
    return torch.where(chosen, mask, ids), labels_of(ids, chosen)


def no_others(ids, chosen, fate, others, mask):
    return torch.where(chosen & (fate < 0.8), mask, ids), labels_of(ids, chosen)


def over_all(ids, chosen, fate, others, mask):
    read = torch.where(fate < 0.8, mask, ids)
    return torch.where((fate >= 0.8) & (fate < 0.9), others, read), labels_of(ids, chosen)


def labels_of_all(ids, chosen, fate, others, mask):
    return nested(ids, chosen, fate, others, mask)[0], ids


def labels_where_changed(ids, chosen, fate, others, mask):
    read = nested(ids, chosen, fate, others, mask)[0]
    return read, torch.where(read != ids, ids, -100)


def labels_first(ids, chosen, fate, others, mask):
    return nested(ids, chosen, fate, others, mask)[::-1]


def others_anywhere(ids, chosen, fate, others, mask):
    read = torch.where(chosen & (fate < 0.8), mask, ids)
    return torch.where((fate >= 0.8) & (fate < 0.9), others, read), labels_of(ids, chosen)


def of_floats(ids, chosen, fate, others, mask):
    read, _ = nested(ids, chosen, fate, others, mask)
    return read, torch.where(chosen, ids.float(), torch.tensor(-100.0))


WRONG = [
    *(in_place, up_to_and_with, every_one_masked, no_others, over_all, labels_of_all, labels_where_changed),
    *(labels_first, others_anywhere, of_floats),
]
