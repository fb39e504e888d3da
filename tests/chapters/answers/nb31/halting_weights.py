import torch


def by_hand(probabilities, epsilon):
    weights = torch.zeros_like(probabilities)
    steps, tokens = probabilities.shape
    for token in range(tokens):
        given = 0.0
        for step in range(steps):
            p = probabilities[step, token].item()
            if given + p > 1 - epsilon or step == steps - 1:
                weights[step, token] = 1 - given
                break
            weights[step, token] = p
            given += p
    return weights


def by_cumsum(probabilities, epsilon):
    total = probabilities.cumsum(0)
    over = total > 1 - epsilon
    over[-1] = True
    halts = over.float().argmax(0)
    step = torch.arange(len(probabilities))[:, None]
    before = total.gather(0, halts[None]) - probabilities.gather(0, halts[None])
    return torch.where(step < halts, probabilities, torch.where(step == halts, 1 - before, 0.0))


def with_masks(probabilities, epsilon):
    given = torch.zeros_like(probabilities[0])
    alive = torch.ones_like(given)
    rows = []
    for number, p in enumerate(probabilities):
        stop = alive * ((given + p > 1 - epsilon).float() if number + 1 < len(probabilities) else 1)
        row = stop * (1 - given) + (alive - stop) * p
        given = given + row
        alive = alive - stop
        rows.append(row)
    return torch.stack(rows)


RIGHT = [by_hand, by_cumsum, with_masks]


def never_forced(probabilities, epsilon):
    given, running, rows = torch.zeros_like(probabilities[0]), torch.ones_like(probabilities[0]).bool(), []
    for p in probabilities:
        halts = running & (given + p > 1 - epsilon)
        rows.append(torch.where(halts, 1 - given, torch.where(running, p, 0)))
        given, running = given + rows[-1], running & ~halts
    return torch.stack(rows)


def goes_on_after(probabilities, epsilon):
    given, rows = torch.zeros_like(probabilities[0]), []
    for step, p in enumerate(probabilities):
        halts = (given + p > 1 - epsilon) | (step == len(probabilities) - 1)
        rows.append(torch.where(halts, 1 - given, p))
        given = given + p
    return torch.stack(rows)


def no_remainder(probabilities, epsilon):
    weights = by_hand(probabilities, epsilon)
    return torch.where(weights > 0, probabilities, 0)


def one_step_late(probabilities, epsilon):
    given, running, rows = torch.zeros_like(probabilities[0]), torch.ones_like(probabilities[0]).bool(), []
    for step, p in enumerate(probabilities):
        halts = running & ((given > 1 - epsilon) | (step == len(probabilities) - 1))
        rows.append(torch.where(halts, 1 - given, torch.where(running, p, 0)))
        given, running = given + rows[-1], running & ~halts
    return torch.stack(rows)


def still_running(probabilities, epsilon):  # as in the Bernoulli version: 1 - p of what is left goes on
    left, rows = torch.ones_like(probabilities[0]), []
    for p in probabilities[:-1]:
        rows.append(left * p)
        left = left * (1 - p)
    return torch.stack([*rows, left])


def at_least(probabilities, epsilon):
    return by_hand(probabilities, epsilon + 1e-6)


WRONG = [
    never_forced,
    goes_on_after,
    no_remainder,
    one_step_late,
    still_running,
    at_least,
    lambda p, e: by_hand(p, 1 - e),
    lambda p, e: by_hand(p.T, e).T,
    lambda p, e: by_hand(p, e)[0],
    lambda p, e: p / p.sum(0),
    lambda p, e: p,
    lambda p, e: by_hand(p, 0.0),
    lambda p, e: by_hand(p, e) > 0,
    lambda p, e: by_hand(p.sigmoid(), e),
    lambda p, e: (by_hand(p, e) > 0).sum(0),
]
