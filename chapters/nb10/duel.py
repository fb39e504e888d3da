"""The duel of ten blanks: what counts and a BERT say, and which words fit."""

import re
from collections.abc import Mapping, Sequence
from typing import Any

from lib import text
from lib.analysis.prediction import fill_mask
from lib.text import sentences
from lib.text.ngrams import BlankFiller

NOT_PLAYED = "not played"


def stories() -> str:
    """The course's stories as one text, without their titles."""
    return " ".join(" ".join(document[1:]) for document in text.reader())


def trigram_words(tokenizer: Any) -> list[str]:
    """What a count of n-grams of three tokens says, which reads both sides of each blank."""
    cut = [tokenizer.tokenize(one) for one in re.split(r"(?<=[.!?]) ", stories())]
    filler = BlankFiller(cut, list(tokenizer.vocab))
    words = []
    for row in sentences.cloze():
        pieces = tokenizer.tokenize(row.sentence)
        word, _ = filler.fill(pieces, pieces.index("[MASK]"), count=1)[0]
        words.append(word)
    return words


def bert_words(model: Any, tokenizer: Any, side: str) -> list[str]:
    """What a masked language model says, from the left or from both sides."""
    words = []
    for row in sentences.cloze():
        if side == "left":
            seen = fill_mask.side_log_probs(model, tokenizer, row.sentence, "left")
            best = fill_mask.best_guesses(tokenizer, seen, 1)
        else:
            best = fill_mask.fill_mask(model, tokenizer, row.sentence, count=1)
        words.append(best[0].piece)
    return words


def fits(words: Sequence[str]) -> list[bool]:
    """Which of ten words fit their sentences."""
    return [row.accepts(word) for row, word in zip(sentences.cloze(), words, strict=True)]


def table(players: Mapping[str, Sequence[str]]) -> dict[str, list[str]]:
    """The columns of the table: what was written, and each player's words with a mark."""
    columns = {"written": [row.answer for row in sentences.cloze()]}
    for name, words in players.items():
        columns[name] = [
            f"{word} {'fits' if fit else '-'}" if word.strip() else NOT_PLAYED
            for word, fit in zip(words, fits(words), strict=True)
        ]
    return columns


def only(words: Sequence[str], others: Sequence[str]) -> tuple[int, int]:
    """How many blanks only the first player fills, and how many only the second."""
    pairs = list(zip(fits(words), fits(others), strict=True))
    return pairs.count((True, False)), pairs.count((False, True))
