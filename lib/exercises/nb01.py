"""The exercises of notebook 01, pieces."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import cache
from typing import Any

from lib.bert import wordpiece as wordpiece_module
from lib.bert.vocabulary import frequency, likelihood_ratio, merge_pair, merges
from lib.bert.wordpiece import wordpiece
from lib.exercises.exercise import Exercise, Invariant, Mistake
from lib.exercises.inside import replaced

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
    use=lambda candidate, model: replaced(wordpiece_module, "wordpiece", candidate),
)


# --- first_merges ---------------------------------------------------------------------------------

FOUR_WORDS = {"the": 10, "then": 4, "thin": 2, "quiz": 1}


def _first_merges() -> list[str]:
    often = next(merges(FOUR_WORDS, frequency))
    ratio = next(merges(FOUR_WORDS, likelihood_ratio))
    twice = next(merges(FOUR_WORDS, likelihood_ratio, min_count=2))
    return [often.piece, ratio.piece, twice.piece]


FIRST_MERGES = Exercise(
    name="first_merges",
    notebook=NOTEBOOK,
    kind="predict",
    reference=_first_merges,
    form='An answer is a list of three pieces, such as ["##es", "at", "##or"].',
    mistakes=[
        Mistake(
            "no_marks",
            "The right pairs, but two neighbors inside a word become a piece that only goes on with words,"
            " and keeps its ##.",
            ["th", "qu", "in"],
        ),
        Mistake(
            "marked_from_the_start",
            "A pair that begins words becomes a piece that begins words: no ## before it.",
            lambda answer: len(answer) == 3 and ("##th" in answer or "##qu" in answer),
            example=["##th", "##qu", "##in"],
        ),
        Mistake(
            "frequency_three_times",
            "The ratio of t and ##h is 16 / (16 * 16). That is little: both are everywhere. Look for a pair"
            " whose pieces hardly occur outside it.",
            lambda answer: len(answer) == 3 and answer[1] in ("th", "##he", "the"),
            example=["th", "th", "th"],
        ),
        Mistake(
            "no_minimum",
            "q and ##u stand together once, so the minimum of 2 shuts them out. Of the other pairs, divide"
            " each count by those of its two pieces.",
            lambda answer: len(answer) == 3 and answer[2] in ("qu", "##ui", "##iz"),
            example=["th", "qu", "qu"],
        ),
        Mistake(
            "frequency_once_more",
            "With the minimum the ratio is still a ratio. t with ##h: 16 / (16 * 16); ##h with ##e: 14 / (16"
            " * 14); both 1/16. One of the rarer pairs has more.",
            lambda answer: len(answer) == 3 and answer[2] in ("th", "##he", "the"),
            example=["th", "qu", "th"],
        ),
        Mistake(
            "whole_words",
            "A merge joins two neighbors, and at the beginning these are single letters: the first new piece"
            " has two letters.",
            lambda answer: any(len(piece.removeprefix("##")) > 2 for piece in answer),
            example=["the", "quiz", "thin"],
        ),
    ],
    hints=(
        "Cut every word into letters: t ##h ##e ##n. Count the pieces and the pairs of neighbors; a word that"
        " occurs ten times counts ten times.",
        "t 16, ##h 16, ##e 14, ##n 6, ##i 3, q, ##u and ##z 1. Pairs: t ##h 16, ##h ##e 14, ##e ##n 4, ##h"
        " ##i and ##i ##n 2, the others 1.",
        "The ratio of q ##u is 1 / (1 * 1). With the minimum, compare 16 / (16 * 16), 14 / (16 * 14),"
        " 4 / (14 * 6), 2 / (16 * 3) and 2 / (3 * 6).",
    ),
    why="The ratio asks who is faithful, not who is frequent; one meeting of two hermits is enough for it.",
)


# --- merge_pair -----------------------------------------------------------------------------------


def _merge_cases(seed: int) -> Iterator[tuple[Any, ...]]:
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


def _replacing(before: str, behind: str) -> Callable[..., list[str]]:
    """Writes the pieces as one text, replaces, and splits it again."""

    def wrong(pieces: list[str], first: str, second: str) -> list[str]:
        text = f" {' '.join(pieces)} "
        pair, merged = f"{first} {second}", first + second.removeprefix("##")
        return text.replace(before + pair + behind, before + merged + behind).split()

    return wrong


def _walking(
    glue: Callable[[str, str], str] = lambda first, second: first + second.removeprefix("##"),
    step: int = 2,
    most: int = 1_000,
    unread: int = 0,
) -> Callable[..., list[str]]:
    """Goes from piece to piece in steps, one of which a mistake replaces."""

    def wrong(pieces: list[str], first: str, second: str) -> list[str]:
        merged: list[str] = []
        found = at = 0
        while at < len(pieces) - unread:
            if pieces[at : at + 2] == [first, second] and found < most:
                merged.append(glue(first, second))
                at, found = at + step, found + 1
            else:
                merged.append(pieces[at])
                at += 1
        return merged

    return wrong


def _from_the_right(pieces: list[str], first: str, second: str) -> list[str]:
    merged: list[str] = []
    for piece in reversed(pieces):
        if merged and (piece, merged[0]) == (first, second):
            merged[0] = first + second.removeprefix("##")
        else:
            merged.insert(0, piece)
    return merged


MERGE_PAIR = Exercise(
    name="merge_pair",
    notebook=NOTEBOOK,
    kind="bug",
    reference=merge_pair,
    cases=_merge_cases,
    gradients=False,
    mistakes=[
        Mistake(
            "the_draft",
            "That is the draft unchanged. Try it on n ##e ##s ##t and the pair s ##t: which pieces does the"
            " word have afterwards, and were s and ##t among them before?",
            _replacing("", ""),
        ),
        Mistake(
            "guarded_behind_only",
            "A piece that only *begins* like the second is safe now; one that *ends* like the first, as ##s"
            " ends in s, is not.",
            _replacing("", " "),
        ),
        Mistake(
            "guarded_before_only",
            "A piece that only *ends* like the first is safe now; one that *begins* like the second, as ##in"
            " begins like ##i, is not.",
            _replacing(" ", ""),
        ),
        Mistake(
            "shared_space",
            "Almost: spaces on both sides guard the pair, but two pairs in a row share the space between"
            " them, and the second is not found. Walk over the list instead.",
            _replacing(" ", " "),
        ),
        Mistake(
            "keeps_the_marks",
            "The ## of the second piece stands in the middle of the new one: take it off before you glue.",
            _walking(glue=lambda first, second: first + second),
        ),
        Mistake(
            "drops_all_marks",
            "A piece that went on with a word still does after it has grown: the ## of the first piece"
            " stays.",
            _walking(glue=lambda first, second: (first + second).replace("##", "")),
        ),
        Mistake(
            "second_stays",
            "You glue the two and keep the second as well, so its letters are in the word twice: step over"
            " it.",
            _walking(step=1),
        ),
        Mistake(
            "first_find_only",
            "Only the first of several pairs is merged; go on to the end of the word.",
            _walking(most=1),
        ),
        Mistake(
            "last_piece_lost",
            "The last piece of the word is lost: pairs end one piece before the end, but that piece has to be"
            " kept.",
            _walking(unread=1),
        ),
        Mistake(
            "from_the_right",
            "Right, but for pairs that overlap: of ##z ##z ##z the first two are merged, as one reads.",
            _from_the_right,
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

EXERCISES = [WORDPIECE, FIRST_MERGES, MERGE_PAIR]
