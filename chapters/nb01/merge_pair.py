"""Gluing a pair of pieces, whose draft also finds it in the middle of others."""

from collections.abc import Iterator
from itertools import pairwise
from typing import Any

from lib.bert.vocabulary import merge_pair
from lib.exercises.mistakes import Edit
from lib.exercises.spec import Exercise, Invariant, Mistake, edit

GLUE = 'merged[-1] += piece.removeprefix("##")'


def cases(seed: int) -> Iterator[tuple[list[str], str, str]]:
    """Pairs that are there once, often, not at all; pieces that only end like the first; overlaps."""
    yield ["k", "##i", "##d", "##s"], "##i", "##d"
    yield ["s", "##t", "##o", "##p"], "s", "##t"
    yield ["n", "##e", "##s", "##t", "##s"], "s", "##t"
    yield ["b", "##es", "##t"], "s", "##t"
    yield ["##a", "##b", "##a", "##b", "##a"], "##a", "##b"
    yield ["b", "##an", "##an", "##a"], "##an", "##a"
    yield ["z", "##z", "##z", "##z"], "##z", "##z"
    yield ["k", "##id", "##s"], "kid", "##s"
    yield ["kid", "##s"], "kid", "##s"
    yield ["kid"], "kid", "##s"
    yield ["c", "##o", "##in"], "##o", "##i"
    yield ["m", "##i", "##s", "##s", "##i", "##s", "##s", "##i"], "##i", "##s"


def replacing(before: str, behind: str) -> Edit:
    """The pieces as one text in which the pair is replaced, a space being asked for before or behind it."""
    joined = 'first + second.removeprefix("##")'
    pair = f'"{before}" + first + " " + second + "{behind}", "{before}" + {joined} + "{behind}"'
    return edit("return merged", f'return (" " + " ".join(pieces) + " ").replace({pair}).split()')


def spells_the_word(candidate: Any, arguments: tuple[Any, ...], result: Any) -> bool:
    before, after = ("".join(map(str, pieces)).replace("##", "") for pieces in (arguments[0], result))
    return before == after


def makes_that_piece_alone(candidate: Any, arguments: tuple[Any, ...], result: Any) -> bool:
    pieces, first, second = arguments
    return set(result) <= {*pieces, first + second.removeprefix("##")}


def leaves_no_pair(candidate: Any, arguments: tuple[Any, ...], result: Any) -> bool:
    return arguments[1:] not in pairwise(result)


EXERCISE = Exercise(
    name="merge_pair",
    kind="bug",
    minutes=6,
    difficulty=2,
    reference=merge_pair,
    cases=cases,
    gradients=False,
    invariants=[
        Invariant(
            "spells_the_word",
            "The letters of the word are not the same as before: some are lost, or there twice.",
            spells_the_word,
        ),
        Invariant(
            "another_piece",
            "A piece turns up that was not there before, and is not what this pair becomes: the first with"
            " its ##, if it has one, and the second without.",
            makes_that_piece_alone,
        ),
        Invariant(
            "pair_left",
            "There is still such a pair side by side in what you return: at the beginning, at the end, or"
            " right behind another one.",
            leaves_no_pair,
        ),
    ],
    mistakes=[
        Mistake(
            "the_draft",
            "It does what the draft does: in this call a piece turns up that merging the pair does not make.",
            replacing("", ""),
        ),
        Mistake(
            "unchanged",
            "The pieces come back as they were: the pair is not glued anywhere.",
            edit("return merged", "return pieces"),
        ),
        Mistake(
            "guarded_behind_only",
            "A piece that only *begins* like the second is safe now; one that *ends* like the first, as ##s"
            " ends in s, is not.",
            replacing("", " "),
        ),
        Mistake(
            "guarded_before_only",
            "A piece that only *ends* like the first is safe now; one that *begins* like the second, as ##in"
            " begins like ##i, is not.",
            replacing(" ", ""),
        ),
        Mistake(
            "shared_space",
            "Almost: spaces on both sides guard the pair, but two pairs in a row share the space between"
            " them, and the second is not found. Walk over the list instead.",
            replacing(" ", " "),
        ),
        Mistake(
            "keeps_the_marks",
            "The ## of the second piece stands in the middle of the new one: take it off before you glue.",
            edit('.removeprefix("##")', ""),
        ),
        Mistake(
            "drops_all_marks",
            "A piece that went on with a word still does after it has grown: the ## of the first piece"
            " stays.",
            edit(GLUE, 'merged[-1] = (first + second).replace("##", "")'),
        ),
        Mistake(
            "marks_the_beginning",
            "A piece that began the word still does after it has grown: it gets no ##.",
            edit(GLUE, 'merged[-1] = "##" + (first + second).replace("##", "")'),
        ),
        Mistake(
            "looks_past_the_end",
            "The last piece has no right neighbor: where it equals `first`, pieces[i + 1] does not exist.",
            edit(
                "in pieces:", "in pieces + [pieces[len(pieces)] for _ in pieces[-1:] if pieces[-1] == first]:"
            ),
        ),
        Mistake(
            "from_the_right",
            "Right, but for pairs that overlap: of ##z ##z ##z the first two are merged, as one reads.",
            edit("in pieces:", "in pieces[::-1]:")
            .then("(merged[-1], piece)", "(piece, merged[-1])")
            .then(GLUE, 'merged[-1] = piece + merged[-1].removeprefix("##")')
            .then("return merged", "return merged[::-1]"),
        ),
    ],
    hints=(
        "In a text, `s ##t` is also found in the middle of `##s ##t`. A list of pieces has no middle.",
        "Build a new list. The neighbors are its last piece and the next one of `pieces`.",
        'if merged and (merged[-1], piece) == (first, second): merged[-1] += piece.removeprefix("##"), else'
        " append the piece.",
    ),
    why="With the draft every word that has ##s ##t would have learned ##st for nothing: a silent bug.",
)
