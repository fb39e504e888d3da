import torch


def by_loops(length, window, everyone):
    mask = torch.zeros(length, length, dtype=torch.bool)
    for i in range(length):
        for j in range(length):
            mask[i, j] = abs(i - j) <= window or i in everyone or j in everyone
    return mask


def by_triangles(length, window, everyone):
    ones = torch.ones(length, length, dtype=torch.bool)
    open_ones = torch.zeros(length, dtype=torch.bool)
    for place in everyone:
        open_ones[place] = True
    return (ones.tril(window) & ones.triu(-window)) | open_ones[:, None] | open_ones


def by_slices(length, window, everyone):
    mask = torch.zeros(length, length, dtype=torch.bool)
    for i in range(length):
        mask[i, max(0, i - window) : i + window + 1] = True
    for place in set(everyone):
        mask[place] = True
        mask[:, place] = True
    return mask


def by_isin(length, window, everyone):
    places = torch.arange(length)
    is_open = torch.isin(places, torch.tensor(everyone, dtype=torch.long))
    near = (places.unsqueeze(0) - places.unsqueeze(1)).abs().le(window)
    return near | is_open.unsqueeze(0) | is_open.unsqueeze(1)


RIGHT = [by_loops, by_triangles, by_slices, by_isin]


def distances(length):
    places = torch.arange(length)
    return (places[:, None] - places).abs()


def opened(mask, everyone, rows=True, columns=True):
    if rows:
        mask[everyone] = True
    if columns:
        mask[:, everyone] = True
    return mask


def strictly_inside(length, window, everyone):
    return opened(distances(length) < window, everyone)


def half_of_the_window(length, window, everyone):
    return opened(distances(length) <= window // 2, everyone)


def backwards_only(length, window, everyone):
    return opened((distances(length) <= window).tril(), everyone)


def forwards_only(length, window, everyone):
    return opened((distances(length) <= window).triu(), everyone)


def rows_alone(length, window, everyone):
    return opened(distances(length) <= window, everyone, columns=False)


def columns_alone(length, window, everyone):
    return opened(distances(length) <= window, everyone, rows=False)


def both_open(length, window, everyone):
    is_open = torch.zeros(length, dtype=torch.bool)
    is_open[everyone] = True
    return (distances(length) <= window) | (is_open[:, None] & is_open)


def upside_down(length, window, everyone):
    return ~opened(distances(length) <= window, everyone)


def nobody_is_open(length, window, everyone):
    return distances(length) <= window


def nothing_but_open(length, window, everyone):
    return opened(torch.eye(length, dtype=torch.bool), everyone)


def as_numbers(length, window, everyone):
    return opened(distances(length) <= window, everyone).float()


def as_whole_numbers(length, window, everyone):
    return opened(distances(length) <= window, everyone).long()


def to_add(length, window, everyone):
    mask = opened(distances(length) <= window, everyone)
    return torch.zeros(length, length).masked_fill(~mask, -torch.inf)


def first_is_always_open(length, window, everyone):
    return opened(distances(length) <= window, [0, *everyone])


def without_itself(length, window, everyone):
    return opened((distances(length) <= window) & (distances(length) > 0), everyone)


def as_lists(length, window, everyone):
    return opened(distances(length) <= window, everyone).tolist()


def printed(length, window, everyone):
    print(opened(distances(length) <= window, everyone))


def heads_first(length, window, everyone):
    return opened(distances(length) <= window, everyone)[None, None]


WRONG = [
    strictly_inside,
    half_of_the_window,
    backwards_only,
    forwards_only,
    rows_alone,
    columns_alone,
    both_open,
    upside_down,
    nobody_is_open,
    nothing_but_open,
    as_numbers,
    as_whole_numbers,
    to_add,
    first_is_always_open,
    without_itself,
    as_lists,
    printed,
    heads_first,
]
