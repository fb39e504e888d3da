"""The positions of a small grid, resized for a larger one."""

from collections.abc import Iterator

import torch
from torch import Tensor

from chapters.nb38 import answers
from lib.exercises.spec import Exercise, Mistake, edit

GRID = "places.T.reshape(1, -1, side, side)"
INTERPOLATE = 'F.interpolate(grid, size=(new, new), mode="bicubic", align_corners=False)'
END = "return torch.cat([cls, grid.flatten(2)[0].T])"


def cases(seed: int) -> Iterator[tuple[Tensor, int]]:
    """A readable grid; one place, as many as before, more, fewer, double precision."""
    places = torch.tensor([[0.0, 0.0], [0.0, 1.0], [1.0, 0.0], [1.0, 1.0]])  # row and column of each
    yield torch.cat([torch.tensor([[9.0, 9.0]]), places]), 3
    generator = torch.Generator().manual_seed(seed)
    for side, size, new in ((1, 3, 2), (3, 4, 3), (3, 4, 5), (4, 6, 2), (5, 2, 4)):
        yield torch.randn(1 + side * side, size, generator=generator), new
    yield torch.randn(10, 4, generator=generator).double(), 4


# fmt: off
EXERCISE = Exercise(
    name="resize_positions", minutes=8, difficulty=2, reference=answers.resize_positions, cases=cases,
    alike=[edit(GRID, "places.reshape(side, side, -1).permute(2, 0, 1)[None]")],
    mistakes=[
        Mistake("cls_resized", "Row 0 belongs to [CLS], which has no place in the picture. Take it off,"
            " resize the others, and put it back in front.",
            edit(END, "return F.interpolate(table.T[None], size=1 + new * new, mode='linear')[0].T")),
        Mistake("cls_lost", "Row 0, that of [CLS], is missing. Put it back in front.",
            edit(END, "return grid.flatten(2)[0].T")),
        Mistake("cls_behind", "[CLS] has to stand in row 0 again; yours stands last.",
            edit(END, "return torch.cat([grid.flatten(2)[0].T, cls])")),
        Mistake("cls_of_zeros", "Row 0 keeps the numbers that it had.",
            edit(END, "return torch.cat([torch.zeros_like(cls), grid.flatten(2)[0].T])")),
        Mistake("mixed_features", "You reshape [n², D] to [D, n, n] at once, which mixes features of"
            " different places. Transpose first, or permute after a view as [n, n, D].",
            edit(GRID, "places.reshape(1, -1, side, side)")),
        Mistake("not_turned_back", "After the resizing the features stand in front, [D, m, m]. A reshape"
            " alone mixes them with the places: transpose or permute first.",
            edit(END, "return torch.cat([cls, grid.reshape(new * new, -1)])")),
        Mistake("transposed", "Rows and columns of the grid are exchanged. The table has the grid row by"
            " row.", edit(END, "return torch.cat([cls, grid.transpose(2, 3).flatten(2)[0].T])")),
        Mistake("a_line", "You resize the table as one line, so the end of a row blends into the beginning of"
            " the next. Make a grid [n, n] of it first.",
            edit(END, "line = F.interpolate(places.T[None], size=new * new, mode='linear')\n"
                "    return torch.cat([cls, line[0].T])")),
        Mistake("another_mode", "Resize with mode=\"bicubic\", as the docstring says.",
            (edit('mode="bicubic", align_corners=False', 'mode="bilinear", align_corners=False'),
             edit('mode="bicubic", align_corners=False', 'mode="nearest"'),
             edit('mode="bicubic", align_corners=False', 'mode="area"'))),
        Mistake("corners", "Use align_corners=False: the corners of the picture, and not the middles of its"
            " corner patches, stay where they are.", edit("align_corners=False", "align_corners=True")),
        Mistake("antialias", "Leave antialias out: with it, a smaller grid is blurred first.",
            edit("align_corners=False)", "align_corners=False, antialias=True)")),
        Mistake("not_resized", "The table is as it was. It needs a row for [CLS] and one for each of"
            " new * new places.", edit(END, "return table")),
        Mistake("cut_or_filled", "You cut the table off, or fill it up, instead of resizing the grid: each"
            " new place lies between old ones.",
            (edit(END, "return torch.cat([cls, places.repeat(new * new, 1)[: new * new]])"),
             edit(END, "more = places.new_zeros(new * new, places.shape[1])\n"
                "    return torch.cat([cls, torch.cat([places, more])[: new * new]])"),
             edit(INTERPOLATE, "F.pad(grid, (0, max(0, new - side), 0, max(0, new - side)))"
                "[:, :, :new, :new]"))),
    ],
    hints=("Take row 0 off. The other rows are a picture of n x n pixels with D channels.",
           "F.interpolate wants [1, D, n, n] and gives [1, D, new, new]; a table row is a place, so transpose"
           " before you reshape and after you flatten.",
           "grid = table[1:].T.reshape(1, -1, n, n); F.interpolate(grid, size=(new, new), mode=\"bicubic\","
           " align_corners=False); flatten(2)[0].T; torch.cat with table[:1]"),
    why="A new place gets a blend of the old places around it.",
)
# fmt: on
