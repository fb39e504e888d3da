import torch
import torch.nn.functional as F


def joined(memory, hidden, length):
    rows = hidden if memory is None else torch.cat([memory, hidden], dim=1)
    return rows[:, max(0, rows.shape[1] - length) :].detach()


def by_narrow(memory, hidden, length):
    if memory is None:
        memory = hidden[:, :0]
    rows = torch.cat((memory.detach(), hidden.detach()), 1)
    kept = min(length, rows.size(1))
    return rows.narrow(1, rows.size(1) - kept, kept)


def without_gradients(memory, hidden, length):
    with torch.no_grad():
        rows = [] if memory is None else list(memory.unbind(1))
        rows += list(hidden.unbind(1))
        rows = rows[-length:] if length else []
        if not rows:
            return hidden.new_zeros(hidden.shape[0], 0, hidden.shape[2])
        return torch.stack(rows, dim=1)


RIGHT = [joined, by_narrow, without_gradients]


def attached(memory, hidden, length):
    rows = hidden if memory is None else torch.cat([memory, hidden], dim=1)
    return rows[:, max(0, rows.shape[1] - length) :]


def half_attached(memory, hidden, length):
    rows = hidden if memory is None else torch.cat([memory.detach(), hidden], dim=1)
    return rows[:, max(0, rows.shape[1] - length) :]


def in_place(memory, hidden, length):
    hidden.detach_()
    return joined(memory, hidden, length)


def minus_zero(memory, hidden, length):
    rows = hidden if memory is None else torch.cat([memory, hidden], dim=1)
    return rows[:, -length:].detach()


def below_zero(memory, hidden, length):
    rows = hidden if memory is None else torch.cat([memory, hidden], dim=1)
    return rows[:, rows.shape[1] - length :].detach()


def oldest(memory, hidden, length):
    rows = hidden if memory is None else torch.cat([memory, hidden], dim=1)
    return rows[:, :length].detach()


def wrong_order(memory, hidden, length):
    rows = hidden if memory is None else torch.cat([hidden, memory], dim=1)
    return rows[:, max(0, rows.shape[1] - length) :].detach()


def segment_alone(memory, hidden, length):
    return joined(None, hidden, length)


def memory_alone(memory, hidden, length):
    return hidden[:, :0].detach() if memory is None else joined(None, memory, length)


def features(memory, hidden, length):
    rows = hidden if memory is None else torch.cat([memory, hidden], dim=1)
    return rows[..., max(0, rows.shape[1] - length) :].detach()


def everything(memory, hidden, length):
    return (hidden if memory is None else torch.cat([memory, hidden], dim=1)).detach()


def batch_joined(memory, hidden, length):
    rows = hidden if memory is None else torch.cat([memory, hidden], dim=0)
    return rows[:, max(0, rows.shape[1] - length) :].detach()


def padded(memory, hidden, length):
    rows = joined(memory, hidden, length)
    return F.pad(rows, (0, 0, length - rows.shape[1], 0))


WRONG = [
    attached, half_attached, in_place, minus_zero, below_zero, oldest, wrong_order, segment_alone,
    memory_alone, features, everything, batch_joined, padded,
]  # fmt: skip
