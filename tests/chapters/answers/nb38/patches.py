import torch
import torch.nn.functional as F


def by_loops(images, size):
    height, width = images.shape[2:]
    found = []
    for top in range(0, height, size):
        for left in range(0, width, size):
            found.append(images[:, :, top : top + size, left : left + size].flatten(1))
    return torch.stack(found, dim=1)


def by_unfold(images, size):
    return F.unfold(images, kernel_size=size, stride=size).transpose(1, 2)


def by_two_unfolds(images, size):
    cut = images.unfold(2, size, size).unfold(3, size, size)
    return cut.permute(0, 2, 3, 1, 4, 5).flatten(3).flatten(1, 2)


def by_view(images, size):
    b, c, h, w = images.shape
    x = images.contiguous().view(b, c, h // size, size, w // size, size)
    x = x.permute(0, 2, 4, 1, 3, 5).contiguous()
    return x.view(b, (h // size) * (w // size), -1)


def by_pixel_unshuffle(images, size):
    return F.pixel_unshuffle(images, size).flatten(2).transpose(1, 2)


RIGHT = [by_loops, by_unfold, by_two_unfolds, by_view, by_pixel_unshuffle]


def parts(images, size):
    b, c, h, w = images.shape
    return images.reshape(b, c, h // size, size, w // size, size)


def plain_view(images, size):
    b, c, h, w = images.shape
    return images.reshape(b, (h // size) * (w // size), c * size * size)


def by_columns(images, size):
    return parts(images, size).permute(0, 4, 2, 1, 3, 5).flatten(3).flatten(1, 2)


def channels_last(images, size):
    return parts(images, size).permute(0, 2, 4, 3, 5, 1).flatten(3).flatten(1, 2)


def turned_inside(images, size):
    return parts(images, size).permute(0, 2, 4, 1, 5, 3).flatten(3).flatten(1, 2)


def of_unfold_untransposed(images, size):
    return F.unfold(images, kernel_size=size, stride=size)


def sliding(images, size):
    return F.unfold(images, kernel_size=size).transpose(1, 2)


def mean_of_patches(images, size):
    return F.avg_pool2d(images, size).flatten(2).transpose(1, 2)


def max_of_patches(images, size):
    return F.max_pool2d(images, size).flatten(2).transpose(1, 2)


def first_pixels(images, size):
    return images[:, :, ::size, ::size].flatten(2).transpose(1, 2)


def grid_kept(images, size):
    return parts(images, size).permute(0, 2, 4, 1, 3, 5).flatten(3)


def rows_alone(images, size):
    b, c, h, w = images.shape
    return images.reshape(b, c, h // size, size * w).permute(0, 2, 1, 3).flatten(2)


def first_channel(images, size):
    return by_unfold(images[:, :1], size)


def gray(images, size):
    return by_unfold(images.mean(dim=1, keepdim=True), size)


def swapped_size(images, size):
    b, c, h, w = images.shape
    x = images.reshape(b, c, size, h // size, size, w // size)
    return x.permute(0, 3, 5, 1, 2, 4).flatten(3).flatten(1, 2)


def channels_as_patches(images, size):
    return parts(images, size).permute(0, 1, 2, 4, 3, 5).flatten(4).flatten(1, 3)


def list_of_patches(images, size):
    return list(by_loops(images, size).unbind(1))


def square_only(images, size):
    b, c, h = images.shape[:3]
    x = images.reshape(b, c, h // size, size, h // size, size)
    return x.permute(0, 2, 4, 1, 3, 5).flatten(3).flatten(1, 2)


def detached(images, size):
    return by_unfold(images.detach(), size)


def pixel_blocks(images, size):
    return parts(images, size).permute(0, 3, 5, 1, 2, 4).flatten(3).flatten(1, 2)


WRONG = [
    plain_view,
    by_columns,
    channels_last,
    turned_inside,
    of_unfold_untransposed,
    sliding,
    mean_of_patches,
    max_of_patches,
    first_pixels,
    grid_kept,
    rows_alone,
    first_channel,
    gray,
    swapped_size,
    channels_as_patches,
    list_of_patches,
    square_only,
    detached,
    pixel_blocks,
]
