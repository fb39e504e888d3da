import torch
import torch.nn.functional as F


def resize(grid, new, mode="bicubic", **more):
    return F.interpolate(grid, size=(new, new), mode=mode, **more)


def by_permute(table, new):
    n = int((table.shape[0] - 1) ** 0.5)
    grid = table[1:].reshape(n, n, -1).permute(2, 0, 1).unsqueeze(0)
    grid = F.interpolate(grid, size=(new, new), mode="bicubic", align_corners=False)
    grid = grid.squeeze(0).permute(1, 2, 0).reshape(new * new, -1)
    return torch.cat((table[:1], grid), dim=0)


def by_unflatten(table, new):
    side = round((len(table) - 1) ** 0.5)
    grid = table[1:].T.unflatten(1, (side, side))[None]
    return torch.cat([table[:1], resize(grid, new)[0].flatten(1).T])


def each_feature(table, new):
    side = round((len(table) - 1) ** 0.5)
    columns = []
    for column in table[1:].unbind(1):
        columns.append(resize(column.reshape(1, 1, side, side), new).flatten())
    return torch.cat([table[:1], torch.stack(columns, dim=1)])


def returns_early(table, new):
    return table if new * new + 1 == len(table) else by_permute(table, new)


RIGHT = [by_permute, by_unflatten, each_feature, returns_early]


def grid_of(places):
    side = round(len(places) ** 0.5)
    return places.T.reshape(1, -1, side, side)


def back(grid):
    return grid.flatten(2)[0].T


def bilinear(table, new):
    return torch.cat([table[:1], back(resize(grid_of(table[1:]), new, "bilinear"))])


def nearest(table, new):
    return torch.cat([table[:1], back(resize(grid_of(table[1:]), new, "nearest"))])


def corners(table, new):
    return torch.cat([table[:1], back(resize(grid_of(table[1:]), new, align_corners=True))])


def antialiased(table, new):
    return torch.cat([table[:1], back(resize(grid_of(table[1:]), new, antialias=True))])


def without_cls(table, new):
    return back(resize(grid_of(table[1:]), new))


def cls_last(table, new):
    return torch.cat([back(resize(grid_of(table[1:]), new)), table[:1]])


def cls_of_zeros(table, new):
    return torch.cat([torch.zeros_like(table[:1]), back(resize(grid_of(table[1:]), new))])


def reshaped(table, new):
    side = round((len(table) - 1) ** 0.5)
    grid = table[1:].reshape(1, -1, side, side)
    return torch.cat([table[:1], back(resize(grid, new))])


def transposed(table, new):
    grid = resize(grid_of(table[1:]), new).transpose(2, 3)
    return torch.cat([table[:1], back(grid)])


def along_the_line(table, new):
    line = F.interpolate(table[1:].T[None], size=new * new, mode="linear")
    return torch.cat([table[:1], line[0].T])


def cut_off(table, new):
    count = new * new
    places = table[1:]
    while len(places) < count:
        places = torch.cat([places, table[1:]])
    return torch.cat([table[:1], places[:count]])


def zeros_behind(table, new):
    count = new * new
    more = torch.zeros(max(0, count - len(table) + 1), table.shape[1], dtype=table.dtype)
    return torch.cat([table[: count + 1], more])


def corner_of_the_grid(table, new):
    side = round((len(table) - 1) ** 0.5)
    grid = grid_of(table[1:])
    grid = F.pad(grid, (0, max(0, new - side), 0, max(0, new - side)))[:, :, :new, :new]
    return torch.cat([table[:1], back(grid)])


def all_rows_in_the_grid(table, new):
    line = F.interpolate(table.T[None], size=1 + new * new, mode="linear")
    return line[0].T


def unchanged(table, new):
    return table


def detached(table, new):
    return by_permute(table.detach(), new)


def rows_not_turned(table, new):
    grid = resize(grid_of(table[1:]), new)
    return torch.cat([table[:1], grid.reshape(new * new, -1)])


WRONG = [
    bilinear,
    nearest,
    corners,
    antialiased,
    without_cls,
    cls_last,
    cls_of_zeros,
    reshaped,
    transposed,
    along_the_line,
    cut_off,
    zeros_behind,
    corner_of_the_grid,
    all_rows_in_the_grid,
    unchanged,
    detached,
    rows_not_turned,
]
