"""Gluing a pair of pieces, whose draft also finds it in the middle of others."""

from itertools import pairwise

from lib.bert.vocabulary import merge_pair
from lib.exercises.mistakes import Edit
from lib.exercises.spec import Exercise, Invariant, Mistake, edit


def replacing(before: str, behind: str) -> Edit:
    """The pieces as one text in which the pair is replaced, a space being asked for before or behind it."""
    joined = 'first + second.removeprefix("##")'
    pair = f'"{before}" + first + " " + second + "{behind}", "{before}" + {joined} + "{behind}"'
    return edit("return merged", f'return (" " + " ".join(pieces) + " ").replace({pair}).split()')


# fmt: off
EXERCISE = Exercise(
    name="merge_pair", kind="bug", minutes=6, difficulty=2, reference=merge_pair,
    # Pairs that are there once, often, not at all; pieces that only end like the first; overlaps.
    cases=lambda seed: [(["k", "##i", "##d", "##s"], "##i", "##d"), (["s", "##t", "##o", "##p"], "s", "##t"),
        # The draft's first wrong case, and the shortest, is the docstring's with another `first`.
        (["n", "##e", "##s", "##t"], "s", "##t"), (["b", "##es", "##t", "##ed", "##s"], "s", "##t"),
        (["m", "##i", "##s", "##s", "##i", "##s", "##s", "##i"], "##i", "##s"),
        (["##a", "##b", "##a", "##b", "##a"], "##a", "##b"),
        (["b", "##an", "##an", "##a", "##s"], "##an", "##a"),
        (["k", "##id", "##s"], "kid", "##s"), (["z", "##z", "##z", "##z"], "##z", "##z"),
        (["kid", "##s"], "kid", "##s"), (["kid"], "kid", "##s"),
        (["c", "##o", "##in", "##ed"], "##o", "##i")],
    gradients=False,
    invariants=[
        Invariant("spells_the_word", "The letters of the word are not the same as before: some are lost, or"
            " there twice.",
            lambda candidate, arguments, result: "".join(arguments[0]).replace("##",
                "") == "".join(map(str, result)).replace("##", "")),
        Invariant("another_piece", "A piece turns up that was not there before, and is not what this pair"
            " becomes: the first with its ##, if it has one, and the second without.",
            lambda candidate, arguments, result: set(result) <= {*arguments[0],
                arguments[1] + arguments[2].removeprefix("##")}),
        Invariant("pair_left", "There is still such a pair side by side in what you return: at the beginning,"
            " at the end, or right behind another one.",
            lambda candidate, arguments, result: arguments[1:] not in pairwise(result)),
    ],
    mistakes=[
        Mistake("the_draft", "So far it does what the draft does. Set this call beside the one in the"
            " docstring: why should it give something else?", replacing("", "")),
        Mistake("guarded_on_one_side", "One side is safe now. On the other a piece that only ends like the"
            " first, as ##s ends in s, or only begins like the second, as ##in begins like ##i, is still"
            " found.", (replacing("", " "), replacing(" ", ""))),
        Mistake("shared_space", "Almost: spaces on both sides guard the pair, but two pairs in a row share"
            " the space between them, and the second is not found. Walk over the list instead.",
            replacing(" ", " ")),
    ],
    hints=("In a text, `s ##t` is also found in the middle of `##s ##t`. A list of pieces has no middle.",
           "Build a new list. The neighbors are its last piece and the next one of `pieces`.",
           "if merged and (merged[-1], piece) == (first, second): glue it to merged[-1], else append it."),
    why="With the draft every word that has ##s ##t would have learned ##st for nothing: a silent bug.",
)
# fmt: on
