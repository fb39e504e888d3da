"""Attention between words, whose draft takes the mean on the wrong side."""

from collections.abc import Iterator

import torch
from torch import Tensor

from lib.analysis.attention import parses
from lib.exercises.spec import Exercise, Invariant, Mistake, edit

FROM, TO = "(member / pieces) @", "@ member.T"
PIECE = "torch.nn.functional.one_hot((member * torch.arange({})).argmax(1), member.size(1)).float()"
FIRST, LAST = PIECE.format("member.size(1), 0, -1"), PIECE.format("member.size(1)")


def cases(seed: int) -> Iterator[tuple[Tensor, Tensor]]:
    """Words of one piece to four, without [CLS] and [SEP] and with them; one map, and blocks of maps."""
    torch.manual_seed(seed)
    for heads, sizes, special in (((), (1, 2), 0), ((2, 3), (1, 3, 2, 1), 1), ((), (4,), 1)):
        member = torch.block_diag(*(torch.ones(1, size) for size in sizes))  # [W, T]
        member = torch.nn.functional.pad(member, (special, special))  # [CLS] and [SEP], of no word
        yield torch.randn(*heads, member.size(1), member.size(1)).softmax(-1), member


# fmt: off
EXERCISE = Exercise(
    name="word_attention", kind="bug", minutes=5, difficulty=2, reference=parses.word_attention, cases=cases,
    gradients=False,
    invariants=[
        Invariant("more_than_one_attention", "A row of yours sums to more than 1. What should happen to the"
            " rows of a word's tokens?",
            lambda candidate, arguments, result: bool((result.sum(-1) < 1.05).all())),
    ],
    mistakes=[
        Mistake("the_draft", "So far this is the draft's result. Look at the row of a word of two tokens: in"
            " yours it sums to more than one attention. Which of the two factors pools the rows, and which"
            " the columns?", edit(FROM, "member @").then(TO, "@ (member / pieces).T")),
        Mistake("sums_on_both_sides", "You sum on both sides. From a word, take the mean of its tokens' rows,"
            " or a word of three tokens has three attentions to share out.", edit(FROM, "member @")),
        Mistake("means_on_both_sides", "You take the mean on both sides. What a word gets is what its tokens"
            " get together: sum those.", edit(TO, "@ (member / pieces).T")),
        Mistake("one_piece_asks", "You let one token ask for the whole word. The rule is the mean over its"
            " tokens.",
            tuple(edit(FROM, f"{rows} @").then(TO, f"@ {columns}.T")
                for rows, columns in ((FIRST, "member"), (LAST, "member"), (FIRST, FIRST)))),
        Mistake("not_turned", "The factor behind the weights pools their columns, so it is [T, W]: turn the"
            " matrix over, with .T.", (edit(TO, "@ member"), edit(TO, "@ (member / pieces)"))),
        Mistake("rescaled", "You make each row sum to 1 afterwards. What goes to [CLS] and [SEP] is no"
            " word's, so rows may sum to less: take the mean of the tokens' rows.",
            tuple(edit("return (member / pieces) @ weights @ member.T",
                    f"words = member @ weights {columns}; return words / words.sum(-1, True)")
                for columns in (TO, "@ (member / pieces).T"))),
        Mistake("one_side_alone", "One side is still made of tokens: the result is [..., W, W], words by"
            " words.", (edit(f" {TO}", ""), edit(f"{FROM} weights", "weights"))),
    ],
    hints=("Each token has a whole attention to share out, each row sums to 1. A word is to have one as"
           " well.",
           "[W, T] @ [T, T] pools the rows, those who look; @ [T, W] pools the columns, what is looked at.",
           "return (member / pieces) @ weights @ member.T"),
    why="From a word the mean, to a word the sum: rows still share out one attention.",
)
# fmt: on
