import torch


def step_by_step(mask, layers):
    heard = torch.eye(mask.shape[0]).bool()
    for _ in range(layers):
        new = heard.clone()
        for i in range(len(mask)):
            for j in mask[i].nonzero().flatten().tolist():
                new[i] |= heard[j]
        heard = new
    return heard


def powers(mask, layers):
    one = mask | torch.eye(len(mask), dtype=torch.bool)
    heard = torch.eye(len(mask), dtype=torch.bool)
    for _ in range(layers):
        heard = (one.double() @ heard.double()) > 0.5
    return heard


def by_any(mask, layers):
    heard = torch.eye(len(mask), dtype=torch.bool)
    for _ in range(layers):
        heard = heard | (heard[:, :, None] & mask[None]).any(dim=1)
    return heard


def with_sets(mask, layers):
    looks = [set(row.nonzero().flatten().tolist()) for row in mask]
    heard = [{i} for i in range(len(mask))]
    for _ in range(layers):
        heard = [heard[i].union(*[heard[j] for j in looks[i]]) for i in range(len(mask))]
    result = torch.zeros_like(mask)
    for i, places in enumerate(heard):
        result[i, sorted(places)] = True
    return result


def integers(mask, layers):
    step = (mask | torch.eye(len(mask), dtype=torch.bool)).int()
    heard = torch.eye(len(mask), dtype=torch.int)
    for _ in range(layers):
        heard = (step @ heard).clamp(max=1)
    return heard.bool()


RIGHT = [step_by_step, powers, by_any, with_sets, integers]


def own(mask):
    return mask | torch.eye(len(mask), dtype=torch.bool)


def one_layer(mask, layers):
    return own(mask)


def one_too_many(mask, layers):
    return powers(mask, layers + 1)


def one_too_few(mask, layers):
    return powers(mask, max(0, layers - 1))


def turned_round(mask, layers):
    return powers(mask.T, layers)


def exactly(mask, layers):
    heard = torch.eye(len(mask), dtype=torch.bool)
    for _ in range(layers):
        heard = mask.float() @ heard.float() > 0
    return heard


def numbers_of_paths(mask, layers):
    heard = torch.eye(len(mask), dtype=torch.int64)
    for _ in range(layers):
        heard = own(mask).long() @ heard
    return heard > 0


def counts(mask, layers):
    return torch.linalg.matrix_power(own(mask).double(), layers)


def as_numbers(mask, layers):
    return powers(mask, layers).float()


def doubled(mask, layers):
    heard = torch.eye(len(mask), dtype=torch.bool)
    if layers:
        heard = own(mask)
    for _ in range(layers - 1):
        heard = heard.float() @ heard.float() > 0
    return heard


def everything(mask, layers):
    return powers(mask, len(mask))


def symmetric(mask, layers):
    return powers(mask | mask.T, layers)


def without_itself(mask, layers):
    return powers(mask, layers) & ~torch.eye(len(mask), dtype=torch.bool)


def no_identity_at_zero(mask, layers):
    return own(mask) if layers == 0 else powers(mask, layers)


def needs_both(mask, layers):
    heard = own(mask)
    for _ in range(layers):
        heard = heard & own(mask)
    return heard


def element_by_element(mask, layers):
    return own(mask).float() ** layers > 0


def how_many(mask, layers):
    return powers(mask, layers).sum(1)


WRONG = [
    one_layer,
    one_too_many,
    one_too_few,
    turned_round,
    exactly,
    numbers_of_paths,
    counts,
    as_numbers,
    doubled,
    everything,
    symmetric,
    without_itself,
    no_identity_at_zero,
    needs_both,
    element_by_element,
    how_many,
]
