import torch
import torch.nn.functional as F


def reread(scores):
    batch, heads, rows, columns = scores.shape
    padded = F.pad(scores, (1, 0)).reshape(batch, heads, columns + 1, rows)
    return padded[:, :, 1:].reshape(batch, heads, rows, columns)


def row_by_row(scores):
    rows = scores.shape[2]
    moved = torch.zeros_like(scores)
    for i in range(rows):
        steps = rows - 1 - i
        moved[:, :, i, : scores.shape[3] - steps] = scores[:, :, i, steps:]
    return moved


def gathered(scores):
    rows, columns = scores.shape[-2:]
    places = torch.arange(columns) + (rows - 1 - torch.arange(rows))[:, None]
    return scores.gather(3, places.clamp(max=columns - 1).expand(scores.shape))


RIGHT = [reread, row_by_row, gathered]


def rolled(scores, steps):
    rows = scores.shape[2]
    return torch.stack([scores[:, :, i].roll(steps(rows, i), -1) for i in range(rows)], 2)


def zeros_behind(scores):
    batch, heads, rows, columns = scores.shape
    padded = F.pad(scores, (0, 1)).reshape(batch, heads, columns + 1, rows)
    return padded[:, :, 1:].reshape(batch, heads, rows, columns)


def last_dropped(scores):
    batch, heads, rows, columns = scores.shape
    padded = F.pad(scores, (1, 0)).reshape(batch, heads, columns + 1, rows)
    return padded[:, :, :-1].reshape(batch, heads, rows, columns)


WRONG = [
    lambda s: s * 1.0,
    lambda s: s.flip(-1),
    lambda s: s.roll(-1, -1),
    lambda s: s.roll(1, -1),
    lambda s: rolled(s, lambda rows, i: -i),
    lambda s: rolled(s, lambda rows, i: i),
    lambda s: rolled(s, lambda rows, i: rows - 1 - i),
    lambda s: rolled(s, lambda rows, i: -(rows - i)),
    zeros_behind,
    last_dropped,
    lambda s: s[..., 1:],
]
