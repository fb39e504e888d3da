import itertools
import re


def by_place(pieces, first, second):
    out, i = [], 0
    while i < len(pieces):
        if i + 1 < len(pieces) and pieces[i] == first and pieces[i + 1] == second:
            out.append(first + second.replace("##", "", 1))
            i += 2
        else:
            out.append(pieces[i])
            i += 1
    return out


def with_a_delete(pieces, first, second):
    pieces = list(pieces)
    i = 0
    while i < len(pieces) - 1:
        if pieces[i : i + 2] == [first, second]:
            pieces[i : i + 2] = [first + second.removeprefix("##")]
        i += 1
    return pieces


def by_regex(pieces, first, second):
    joined = first + second.removeprefix("##")
    pattern = rf"(?<!\S){re.escape(first)} {re.escape(second)}(?!\S)"
    return re.sub(pattern, lambda found: joined, " ".join(pieces)).split()


def two_spaces(pieces, first, second):
    text = " " + "  ".join(pieces) + " "
    return text.replace(f" {first}  {second} ", f" {first}{second.removeprefix('##')} ").split()


RIGHT = [by_place, with_a_delete, by_regex, two_spaces]


def draft(pieces, first, second):
    joined = first + second.removeprefix("##")
    return " ".join(pieces).replace(f"{first} {second}", joined).split()


def draft_that_asks_first(pieces, first, second):
    if first in pieces and second in pieces:
        return draft(pieces, first, second)
    return pieces


def space_behind(pieces, first, second):
    joined = first + second.removeprefix("##")
    return (" ".join(pieces) + " ").replace(f"{first} {second} ", joined + " ").split()


def space_before(pieces, first, second):
    joined = first + second.removeprefix("##")
    return (" " + " ".join(pieces)).replace(f" {first} {second}", " " + joined).split()


def spaces_around(pieces, first, second):
    joined = first + second.removeprefix("##")
    return f" {' '.join(pieces)} ".replace(f" {first} {second} ", f" {joined} ").split()


def no_spaces_at_the_ends(pieces, first, second):
    joined = first + second.removeprefix("##")
    return " ".join(pieces).replace(f" {first} {second} ", f" {joined} ").split()


def word_boundaries(pieces, first, second):
    joined = first + second.removeprefix("##")
    return re.sub(rf"\b{re.escape(first)} {re.escape(second)}\b", joined, " ".join(pieces)).split()


def second_stays(pieces, first, second):
    out = []
    for i, piece in enumerate(pieces):
        if pieces[i : i + 2] == [first, second]:
            out.append(first + second.removeprefix("##"))
        else:
            out.append(piece)
    return out


def only_once(pieces, first, second):
    for i in range(len(pieces) - 1):
        if (pieces[i], pieces[i + 1]) == (first, second):
            return [*pieces[:i], first + second.removeprefix("##"), *pieces[i + 2 :]]
    return pieces


def by_index(pieces, first, second):
    i = pieces.index(first)
    if pieces[i + 1] == second:
        return [*pieces[:i], first + second.removeprefix("##"), *pieces[i + 2 :]]
    return pieces


def zipped(pieces, first, second):
    out = []
    for a, b in itertools.pairwise(pieces):
        out.append(a + b.removeprefix("##") if (a, b) == (first, second) else a)
    return out


def from_the_end(pieces, first, second):
    out = list(pieces)
    for i in range(len(pieces) - 2, -1, -1):
        if out[i : i + 2] == [first, second]:
            out[i : i + 2] = [first + second.removeprefix("##")]
    return out


def into_the_argument(pieces, first, second):
    i = 0
    while i < len(pieces) - 1:
        if pieces[i : i + 2] == [first, second]:
            pieces[i : i + 2] = [first + second.removeprefix("##")]
        i += 1
    return pieces


def past_the_end(pieces, first, second):
    out, i = [], 0
    while i < len(pieces):
        if pieces[i] == first and pieces[i + 1] == second:
            out.append(first + second.removeprefix("##"))
            i += 2
        else:
            out.append(pieces[i])
            i += 1
    return out


def unchanged(pieces, first, second):
    return pieces


def as_text(pieces, first, second):
    return " ".join(by_place(pieces, first, second))


def the_piece_alone(pieces, first, second):
    return first + second.removeprefix("##")


WRONG = [
    *(draft, draft_that_asks_first, space_behind, space_before, spaces_around, no_spaces_at_the_ends),
    *(word_boundaries, second_stays, only_once, by_index, zipped, from_the_end, into_the_argument),
    *(past_the_end, unchanged, as_text, the_piece_alone),
]
