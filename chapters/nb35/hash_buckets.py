"""In which bucket a vector falls: by the greatest of random products and their negatives."""

from collections.abc import Iterator

import torch
from torch import Tensor

from chapters.nb35 import lsh
from lib.exercises.spec import Exercise, Mistake, edit

BOTH = "torch.cat([products, -products], dim=-1)"
BEST = "both_sides.argmax(dim=-1)"


def cases(seed: int) -> Iterator[tuple[Tensor, Tensor]]:
    """The one of the text, with a vector of zeros and two that lie between two buckets; then drawn ones."""
    vectors = torch.tensor([[2.0, 1.0], [-1.0, 3.0], [-2.0, -1.0], [0.0, 0.0], [1.0, 1.0], [-1.0, 1.0]])
    yield vectors, torch.eye(2)[None]
    yield vectors, torch.tensor([[[1.0, -1.0], [0.5, 2.0]], [[0.0, 1.0], [-1.0, 1.0]]])
    yield vectors, torch.tensor([[[1.0], [2.0]], [[-1.0], [0.5]], [[0.0], [1.0]]])
    generator = torch.Generator().manual_seed(seed)
    for tokens, size, rounds, half in [(5, 4, 1, 2), (7, 3, 4, 3), (1, 6, 2, 8), (40, 8, 3, 4)]:
        yield (
            torch.randn(tokens, size, generator=generator),
            torch.randn(rounds, size, half, generator=generator),
        )


# fmt: off
EXERCISE = Exercise(
    name="hash_buckets", minutes=7, difficulty=2, reference=lsh.hash_buckets, cases=cases, gradients=False,
    alike=[edit("vectors @ rotations", "torch.einsum('tk,rkh->rth', vectors, rotations)")],
    mistakes=[
        Mistake("one_side_only", "You compare the products alone, so half of the buckets stay empty. A vector"
            " may also point away from a direction: compare the negatives, too.",
            edit(BOTH, "products")),
        Mistake("sizes", "You take the largest in size, so x and -x share a bucket. They point in opposite"
            " directions, and belong b / 2 buckets apart.",
            (edit(BOTH, "products.abs()"),
             edit(BOTH, "torch.cat([products.abs(), -products.abs()], dim=-1)"))),
        Mistake("negatives_first", "Your bucket is the opposite one. The negatives come behind the products,"
            " [xR; -xR], and the greatest number decides.",
            (edit(BOTH, "torch.cat([-products, products], dim=-1)"), edit("argmax", "argmin"))),
        Mistake("interleaved", "You have put each negative next to its product. First all products, then all"
            " negatives.", edit(BOTH, "torch.stack([products, -products], dim=-1).flatten(-2)")),
        Mistake("rounds_offset", "You count the buckets of all rounds on and on. Here each round counts from"
            " 0. (The official code counts on, to sort all rounds at once.)",
            edit(BEST, f"{BEST} + both_sides.shape[-1] * torch.arange(len(rotations))[:, None]")),
        Mistake("largest_number", "You return the greatest number. Asked for is its place.",
            edit(BEST, "both_sides.amax(dim=-1)")),
        Mistake("over_tokens", "You search over the tokens. Each token of a round has b numbers of its own:"
            " the greatest of *them* counts, so search along the last dimension.",
            edit("argmax(dim=-1)", "argmax(dim=1)")),
        Mistake("turned_round", "You return [T, R]. Rounds come first: [R, T].",
            edit(BEST, f"{BEST}.T")),
        Mistake("one_round", "You return one round only. Each round has directions of its own and gives each"
            " token a bucket.", (edit(BEST, f"{BEST}[0]"), edit(BEST, f"{BEST}[:1]"))),
        Mistake("rounds_added", "You add the rounds up before you choose. Each round chooses for itself.",
            (edit("vectors @ rotations", "vectors @ rotations.sum(dim=0)"),
             edit("vectors @ rotations", "(vectors @ rotations).sum(dim=0, keepdim=True)"))),
        Mistake("bits", "You make a number of the signs, a bit for each direction. Here the greatest product"
            " alone decides.",
            edit(BEST, "((products > 0) * 2 ** torch.arange(products.shape[-1])).sum(dim=-1)")),
        Mistake("one_bucket_off", "You count from 1. Buckets count from 0.", edit(BEST, f"{BEST} + 1")),
        Mistake("softmaxed", "You return shares. Asked for is one place, the greatest number's.",
            edit(BEST, "both_sides.softmax(dim=-1)")),
    ],
    hints=("Into which of b directions does a vector point most? b / 2 of them are the columns of a round's"
           " matrix, and the others are opposite to these.",
           "vectors @ rotations is [R, T, b / 2], round by round. With the negatives behind it has b numbers"
           " for each token.",
           "torch.cat([products, -products], dim=-1).argmax(dim=-1)"),
    why="Vectors that point the same way share a bucket, whatever their length; x and -x never do.",
)
# fmt: on
