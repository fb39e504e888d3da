"""Cutting a word into pieces by longest match."""

from collections.abc import Iterator
from typing import Any

from lib.bert import wordpiece
from lib.exercises.inside import replaced
from lib.exercises.spec import Exercise, Invariant, Mistake, edit

LOOK_UP = "and prefix + word[start:end]"
GIVE = "append(prefix + word[start:end])"
STUCK = "return [unk_token]"


def cases(seed: int) -> Iterator[tuple[Any, ...]]:
    """Words that are whole, that fall into pieces, that cannot be finished.

    No case has an empty word or one of over a hundred letters: what to do with those is not asked.
    """
    yield "kids", {"kids", "kid", "##s"}
    yield "kids", {"kid", "##s"}
    yield "banana", {"ba", "##na", "na"}
    yield "presidents", {"p", "pre", "##re", "##s", "##side", "##nt", "president", "##ts"}
    yield "toy", {"to", "t", "##o", "##y", "toys"}
    yield "i", {"i", "##i"}
    # Nothing begins, goes on, or ends the word.
    yield "xkid", {"kid", "##kid"}
    yield "kixds", {"ki", "##ds", "##d", "##s"}
    yield "kidz", {"k", "kid", "##id", "##s"}
    yield "q", {"i"}
    # A piece is there, but only in the form for the other place.
    yield "kidpre", {"kid", "pre"}
    yield "ness", {"##ness", "##n"}
    yield "Kid", {"kid", "##id"}
    # The longest piece is not the cleverest: it leads to more pieces than needed, or nowhere.
    yield "unable", {"un", "una", "##b", "##le", "##able"}
    yield "unable", {"un", "una", "##able"}
    yield "stones", {"s", "st", "##ones", "##tones", "##on", "##es"}
    yield "qed", {"q", "##e"}, "<unknown>"
    yield "teddy", {"ted", "##dy"}, "<unknown>"
    yield (
        "internationalization",
        {"inter", "##nation", "##national", "##al", "##ization", "in", "##i", "##on"},
    )


def unknown(arguments: tuple[Any, ...]) -> list[str]:
    return [arguments[2] if len(arguments) > 2 else "[UNK]"]


def marked(pieces: list[str]) -> list[bool]:
    return [str(piece).startswith("##") for piece in pieces]


EXERCISE = Exercise(
    name="wordpiece",
    minutes=10,
    difficulty=2,
    reference=wordpiece.wordpiece,
    cases=cases,
    gradients=False,
    invariants=[
        Invariant(
            "unknown_stands_alone",
            "A word that cannot be finished is unknown as a whole: drop the pieces that you have found, look"
            " for no more, and return [unk_token] alone.",
            lambda candidate, arguments, result: len(result) == 1 or unknown(arguments)[0] not in result,
        ),
        Invariant(
            "marks",
            "The first piece of a word stands without ##, each later one with it, in the vocabulary and in"
            " what you return.",
            lambda candidate, arguments, result: (
                list(result) == unknown(arguments) or marked(result) == [at > 0 for at in range(len(result))]
            ),
        ),
        Invariant(
            "in_the_vocabulary",
            "You return a piece that is not in the vocabulary as it stands there, ## included. BERT has"
            " no vector for it.",
            lambda candidate, arguments, result: all(
                str(piece) in [*arguments[1], *unknown(arguments)] for piece in result
            ),
        ),
        Invariant(
            "spells_the_word",
            "Glue your pieces together without their ## and they do not spell the word: some letters are"
            " lost, there twice, or in another order. Where does the next piece begin?",
            lambda candidate, arguments, result: (
                "".join(piece.removeprefix("##") for piece in result) == arguments[0]
                or list(result) == unknown(arguments)
            ),
        ),
        Invariant(
            "gives_up_too_early",
            "You give up on a word that longest match can finish. Print what you look up at each place: is it"
            " every beginning of what is left, from all of it down to one letter?",
            lambda candidate, arguments, result: (
                list(result) != unknown(arguments) or wordpiece.wordpiece(*arguments) == unknown(arguments)
            ),
        ),
        Invariant(
            "takes_the_longest",
            "Your pieces spell the word, but at one place, read from the left, a longer one is in the"
            " vocabulary. Longest match takes that, even where it then gets stuck: BERT was trained so.",
            lambda candidate, arguments, result: (
                list(result) in (unknown(arguments), wordpiece.wordpiece(*arguments))
            ),
        ),
    ],
    mistakes=[
        Mistake(
            "no_marks",
            "You find the right pieces but return them without their ##, so `s` inside a word looks like"
            " the word `s`, and gets its vector. Return a piece as you looked it up.",
            edit(GIVE, "append(word[start:end])"),
        ),
        Mistake(
            "looked_up_without_marks",
            "You look up the rest of a word as if a word began there: `pre` stands for words that start so."
            " Inside a word look for `##pre`, which is another entry.",
            edit(LOOK_UP, "and word[start:end]"),
        ),
        Mistake(
            "no_marks_at_all",
            "There is no ## in your search. Only the first piece of a word is looked up as it is written;"
            " each later one begins with ##, in the vocabulary and in what you return.",
            edit('"##" if start > 0 else ""', '""'),
        ),
        Mistake(
            "marked_from_the_start",
            "Your first piece is looked up with ## as well, but ## means: this goes on a word. Add it only"
            " when something stands before.",
            edit('"##" if start > 0 else ""', '"##"'),
        ),
        Mistake(
            "never_to_the_end",
            "You never try a piece that reaches the end of the word, so none can be finished. A slice leaves"
            " its end out: the first end to try is len(word), not len(word) - 1.",
            edit("end = len(word)", "end = len(word) - 1"),
        ),
        Mistake(
            "shortest_first",
            "You take the shortest piece that fits, so words fall into crumbs or get stuck on them. Begin"
            " with all that is left of the word and take letters off its end.",
            edit("end = len(word)", "end = start + 1")
            .then("end > start and", "end <= len(word) and")
            .then("end -= 1", "end += 1")
            .then("end == start", "end > len(word)"),
        ),
        Mistake(
            "vanishes_where_stuck",
            "Where no piece fits, the word vanishes without a trace, or what is left of it does. Such a word"
            " is [unk_token], all of it.",
            (edit(STUCK, "return pieces"), edit(STUCK, "return []")),
        ),
        Mistake(
            "word_where_stuck",
            "Where no piece fits you return the word as it is, but the vocabulary lacks it: return"
            " [unk_token].",
            edit(STUCK, "return [word]"),
        ),
        Mistake(
            "unknown_as_text",
            "For an unknown word you return the token itself. Whoever calls you expects a list, here one of"
            " a single piece: [unk_token].",
            edit(STUCK, "return unk_token"),
        ),
        Mistake(
            "unk_token_ignored",
            "You always write [UNK], but who calls you may have another name for it: use the argument"
            " `unk_token`.",
            edit(STUCK, 'return ["[UNK]"]'),
        ),
        Mistake(
            "skips_the_unknown",
            "You step over a letter that begins no piece and go on behind it. The pieces then spell another"
            " word; WordPiece would rather say [UNK].",
            (
                edit(STUCK, "end += 1; prefix = None").then(GIVE, f"{GIVE} if prefix is not None else None"),
                edit(STUCK, "end += 1; prefix = None")
                .then(GIVE, f"{GIVE} if prefix is not None else None")
                .then("return pieces", "return pieces or [unk_token]"),
            ),
        ),
        Mistake(
            "whole_word_only",
            "Either the whole word is there or you give up: inside a word you find nothing. Find the longest"
            " beginning that is there, then that of the rest, which is looked up with ## before it.",
            edit("end -= 1", "end = start"),
        ),
        Mistake(
            "first_piece_only",
            "You return after the first piece. The rest of the word has to be cut as well: look at the"
            " indentation of your `return`.",
            edit("start = end", "return pieces"),
        ),
        Mistake(
            "lowercases",
            "You change the word before you look it up. Large and small letters were settled before it got"
            " here (a cased BERT keeps both): look up what you are given.",
            edit("start = 0\n", "start, word = 0, word.lower()\n"),
        ),
    ],
    hints=(
        "Be greedy: take the longest beginning of the word that is in the vocabulary, then do the same"
        " with the rest, which is now inside a word. Where nothing fits, the whole word is unknown.",
        "Two numbers are enough: start, where the next piece begins, and end, which runs from len(word)"
        " down to start + 1. What is looked up is word[start:end], with ## before it if start > 0.",
        'while end > start and prefix + word[start:end] not in vocab: end -= 1, with prefix = "##" if start'
        ' > 0 else "". If end == start then, return [unk_token]; else append, and start = end.',
    ),
    why="Greedy and never looking back: fast, and now and then not the cut that a linguist would make.",
    box="pieces",
    use=lambda candidate, model: replaced(wordpiece, "wordpiece", candidate),
)
