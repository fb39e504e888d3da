"""The exercises of notebook 01, pieces."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import cache
from typing import Any

from lib.bert.wordpiece import wordpiece
from lib.exercises.exercise import Exercise, Invariant, Mistake

NOTEBOOK = "01_pieces"


# --- wordpiece ------------------------------------------------------------------------------------


def _cases(seed: int) -> Iterator[tuple[Any, ...]]:
    """Words that are whole, that fall into pieces, that cannot be finished; sets and dicts.

    No case has an empty word or one of over a hundred letters: what to do with those is not asked.
    """
    yield "kids", {"kids", "kid", "##s"}
    yield "kids", {"kid", "##s"}
    yield "banana", {"ba": 0, "##na": 1, "na": 2}
    yield "presidents", {"p", "pre", "##re", "##s", "##side", "##nt", "president", "##ts"}
    yield "toy", {"to", "t", "##o", "##y", "toys"}
    yield "i", {"i": 0, "##i": 1}
    # Nothing begins, goes on, or ends the word.
    yield "xkid", {"kid", "##kid"}
    yield "kixds", {"ki", "##ds", "##d", "##s"}
    yield "kidz", {"k", "kid", "##id", "##s"}
    yield "q", {"i": 0}
    # A piece is there, but only in the form for the other place.
    yield "kidpre", {"kid", "pre"}
    yield "ness", {"##ness", "##n"}
    yield "Kid", {"kid", "##id"}
    # The longest piece is not the cleverest: it leads to more pieces than needed, or nowhere.
    yield "unable", {"un", "una", "##b", "##le", "##able"}
    yield "unable", {"un", "una", "##able"}
    yield "qed", {"q": 3, "##e": 4}, "<unknown>"
    yield "teddy", {"ted": 3, "##dy": 4}, "<unknown>"
    yield (
        "internationalization",
        {"inter", "##nation", "##national", "##al", "##ization", "in", "##i", "##on"},
    )


def _plain(piece: str, start: int) -> str:
    return piece


def _marked(piece: str, start: int) -> str:
    return f"##{piece}" if start else piece


def _wrong(
    look_up: Callable[[str, int], str] = _marked,
    give: Callable[[str, int], str] = _marked,
    ends: Callable[[int, int], range] = lambda start, length: range(length, start, -1),
    stuck: Callable[[list[str], str], Any] = lambda pieces, unk_token: [unk_token],
    unread: int = 0,
    most: int = 1_000,
) -> Callable[..., Any]:
    """Greedy search in steps, one of which a mistake replaces."""

    def wrong(word: str, vocab: Any, unk_token: str = "[UNK]") -> Any:
        pieces: list[str] = []
        start = 0
        while start < len(word) - unread and len(pieces) < most:
            for end in ends(start, len(word)):
                if look_up(word[start:end], start) in vocab:
                    break
            else:
                return stuck(pieces, unk_token)
            pieces.append(give(word[start:end], start))
            start = end
        return pieces

    return wrong


def _going_on(instead: Callable[[str], list[str]]) -> Callable[..., list[str]]:
    """Goes on behind a character that begins no piece, with something or nothing in its place."""

    def wrong(word: str, vocab: Any, unk_token: str = "[UNK]") -> list[str]:
        pieces: list[str] = []
        start = 0
        while start < len(word):
            fitting = (e for e in range(len(word), start, -1) if _marked(word[start:e], start) in vocab)
            end = next(fitting, None)
            pieces += instead(unk_token) if end is None else [_marked(word[start:end], start)]
            start = start + 1 if end is None else end
        return pieces

    return wrong


def _searching(best: Callable[[list[list[str]]], list[str]]) -> Callable[..., list[str]]:
    """Looks at every way to cut the word, longest first piece first, and takes the best."""

    def wrong(word: str, vocab: Any, unk_token: str = "[UNK]") -> list[str]:
        @cache
        def ways(start: int) -> list[list[str]]:
            if start == len(word):
                return [[]]
            pieces = [(_marked(word[start:end], start), end) for end in range(len(word), start, -1)]
            return [[piece, *rest] for piece, end in pieces if piece in vocab for rest in ways(end)]

        return best(ways(0)) if ways(0) else [unk_token]

    return wrong


def _characters(word: str, vocab: Any, unk_token: str = "[UNK]") -> list[str]:
    return [_marked(character, at) for at, character in enumerate(word)]


def _whole_word_only(word: str, vocab: Any, unk_token: str = "[UNK]") -> list[str]:
    return [word] if word in vocab else [unk_token]


def _two_at_most(word: str, vocab: Any, unk_token: str = "[UNK]") -> list[str]:
    for end in range(len(word), 0, -1):
        if word[:end] in vocab:
            rest = [f"##{word[end:]}"] if end < len(word) else []
            return [word[:end], *rest] if all(piece in vocab for piece in rest) else [unk_token]
    return [unk_token]


def _string(word: str, vocab: Any, unk_token: str = "[UNK]") -> str:
    return " ".join(_wrong()(word, vocab, unk_token))


def _lowercased(word: str, vocab: Any, unk_token: str = "[UNK]") -> Any:
    return _wrong()(word.lower(), vocab, unk_token)


def _unk_token(arguments: tuple[Any, ...]) -> str:
    return arguments[2] if len(arguments) > 2 else "[UNK]"


def _are_in_the_vocabulary(candidate: Any, arguments: tuple[Any, ...], result: Any) -> bool:
    return all(piece in arguments[1] or piece == _unk_token(arguments) for piece in result)


def _spell_the_word(candidate: Any, arguments: tuple[Any, ...], result: Any) -> bool:
    spelled = "".join(piece.removeprefix("##") if at else piece for at, piece in enumerate(result))
    return spelled == arguments[0] or list(result) == [_unk_token(arguments)]


def _goes_on_while_it_can(candidate: Any, arguments: tuple[Any, ...], result: Any) -> bool:
    unknown = [_unk_token(arguments)]
    return list(result) != unknown or wordpiece(*arguments) == unknown


WORDPIECE = Exercise(
    name="wordpiece",
    notebook=NOTEBOOK,
    reference=wordpiece,
    cases=_cases,
    gradients=False,
    invariants=[
        Invariant(
            "in_the_vocabulary",
            "You return a piece that is not in the vocabulary as it stands there, ## included. BERT has"
            " no vector for it.",
            _are_in_the_vocabulary,
        ),
        Invariant(
            "spells_the_word",
            "Glue your pieces together without their ## and they do not spell the word: some letters are"
            " lost, or there twice. Where does the next piece begin?",
            _spell_the_word,
        ),
        Invariant(
            "gives_up_too_early",
            "You give up on a word that greedy longest match can finish. Try shorter and shorter pieces,"
            " down to one letter, before you do.",
            _goes_on_while_it_can,
        ),
    ],
    mistakes=[
        Mistake(
            "no_marks",
            "You find the right pieces but return them without their ##, so `s` inside a word looks like"
            " the word `s`, and gets its vector. Return a piece as you looked it up.",
            _wrong(give=_plain),
        ),
        Mistake(
            "looked_up_without_marks",
            "You look up the rest of a word as if a word began there: `pre` stands for words that start so."
            " Inside a word look for `##pre`, which is another entry.",
            _wrong(look_up=_plain),
        ),
        Mistake(
            "no_marks_at_all",
            "There is no ## in your search. Only the first piece of a word is looked up as it is written;"
            " each later one begins with ##, in the vocabulary and in what you return.",
            _wrong(look_up=_plain, give=_plain),
        ),
        Mistake(
            "marked_from_the_start",
            "Your first piece is looked up with ## as well, but ## means: this goes on a word. Add it only"
            " when something stands before.",
            _wrong(look_up=lambda piece, start: f"##{piece}", give=lambda piece, start: f"##{piece}"),
        ),
        Mistake(
            "shortest_first",
            "You take the shortest piece that fits, so words fall into crumbs or get stuck on them. Begin"
            " with all that is left of the word and take letters off its end.",
            _wrong(ends=lambda start, length: range(start + 1, length + 1)),
        ),
        Mistake(
            "kept_before_unknown",
            "A word that cannot be finished is unknown as a whole: drop the pieces that you had found and"
            " return [unk_token] alone.",
            _wrong(stuck=lambda pieces, unk_token: [*pieces, unk_token]),
        ),
        Mistake(
            "stopped_where_stuck",
            "Where no piece fits you return what you have so far, and the rest of the word vanishes without"
            " a trace. Such a word is [unk_token], all of it.",
            _wrong(stuck=lambda pieces, unk_token: pieces),
        ),
        Mistake(
            "nothing_where_stuck",
            "For a word that cannot be finished you return no piece at all, so it drops out of the text. Mark"
            " the place: [unk_token].",
            _wrong(stuck=lambda pieces, unk_token: []),
        ),
        Mistake(
            "unknown_as_text",
            "For an unknown word you return the token itself. Whoever calls you expects a list, here one of"
            " a single piece: [unk_token].",
            _wrong(stuck=lambda pieces, unk_token: unk_token),
        ),
        Mistake(
            "unk_token_ignored",
            "You always write [UNK], but who calls you may have another name for it: use the argument"
            " `unk_token`.",
            _wrong(stuck=lambda pieces, unk_token: ["[UNK]"]),
        ),
        Mistake(
            "skips_the_unknown",
            "You step over a letter that begins no piece and go on behind it. The pieces then spell another"
            " word; WordPiece would rather say [UNK].",
            _going_on(lambda unk_token: []),
        ),
        Mistake(
            "unknown_in_the_middle",
            "You put [UNK] where one letter is unknown and go on behind it. WordPiece gives up the whole"
            " word: one unknown letter, one [UNK], nothing else.",
            _going_on(lambda unk_token: [unk_token]),
        ),
        Mistake(
            "characters",
            "You cut the word into letters and never ask the vocabulary, which may hold most of the word"
            " in one piece.",
            _characters,
        ),
        Mistake(
            "single_characters",
            "You only ever look one letter up. Ask for the longest piece first: all that is left of the"
            " word, then one letter less.",
            _wrong(ends=lambda start, length: range(start + 1, start, -1)),
        ),
        Mistake(
            "whole_word_only",
            "Either the whole word is there or you give up. This is what WordPiece was made to avoid: find"
            " the longest beginning that is there, then do the same with the rest.",
            _whole_word_only,
        ),
        Mistake(
            "first_piece_only",
            "You return after the first piece. The rest of the word has to be cut as well: look at the"
            " indentation of your `return`.",
            _wrong(most=1),
        ),
        Mistake(
            "two_at_most",
            "After the first piece you look for all of the rest at once. The rest may need several pieces:"
            " repeat the search until nothing is left.",
            _two_at_most,
        ),
        Mistake(
            "last_character_lost",
            "You stop one letter early: a last piece of a single letter, such as the ##s of `kids`, is"
            " lost. There is work to do as long as start < len(word).",
            _wrong(unread=1),
        ),
        Mistake(
            "no_single_characters",
            "You give up one step too early: a piece may be a single letter. range leaves its end out, so"
            " a search down to start + 1 has to say range(len(word), start, -1).",
            _wrong(ends=lambda start, length: range(length, start + 1, -1)),
        ),
        Mistake(
            "never_to_the_end",
            "You never try a piece that reaches the end of the word, so none can be finished. A slice leaves"
            " its end out: the first end to try is len(word), not len(word) - 1.",
            _wrong(ends=lambda start, length: range(length - 1, start, -1)),
        ),
        Mistake(
            "string",
            "The pieces are right, but glued into one text. Return them as a list: each is looked up by"
            " itself next.",
            _string,
        ),
        Mistake(
            "backtracks",
            "Cleverer than WordPiece: where the longest piece leads nowhere, you go back and try a shorter"
            " one. BERT's tokenizer never takes a piece back; to give it the ids it was trained with, you"
            " must get stuck where it does.",
            _searching(lambda ways: ways[0]),
        ),
        Mistake(
            "fewest_pieces",
            "You look for the fewest pieces. That may be the better cut, but not the one BERT was trained"
            " with: WordPiece takes the longest piece at each place and does not look ahead.",
            _searching(lambda ways: min(ways, key=len)),
        ),
        Mistake(
            "lowercases",
            "You change the word before you look it up. Large and small letters were settled before it got"
            " here (a cased BERT keeps both): look up what you are given.",
            _lowercased,
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
)

EXERCISES = [WORDPIECE]
