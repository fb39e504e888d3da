"""How well a vocabulary covers a task's texts: what of them a model will not read.

found = coverage([*task.train, *task.test], tokenizer)
print(*found.remarks(max_length=128, positions=512), sep="\\n")
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any, NamedTuple

import numpy as np

from lib.bert import WordPieceTokenizer
from lib.text.tasks import ChoiceExample, QuestionExample, TaggedSentence
from lib.text.tasks.tables import shortened

HELD = 0.95  # of the texts, by the row length that is advised
STEP = 64  # pieces; row lengths that are advised are multiples of it
UNKNOWN = 0.02  # of the examples hold an unknown word: from so many on it is said
FOREIGN = 0.05  # of the words have letters and are unknown: another language
CUT_WORDS = 0.4  # of the words are cut: in English texts MiniLM cuts 1% to 8%, in German ones 60%
SHOWN = 5  # of the unknown words


class Words(NamedTuple):
    """The words of a text, as a vocabulary cuts them."""

    pieces: int
    words: int
    cut: int  # words of two or more pieces
    unknown: tuple[str, ...]


@dataclass(frozen=True)
class Coverage:
    """What is counted over examples; lengths are those of whole rows, with [CLS] and [SEP].

    Questions have no length: a long paragraph is read in windows, and nothing of it is cut off.
    """

    lengths: Sequence[int]
    words: int  # and punctuation marks
    cut_words: int  # into two or more pieces
    unknown: Counter[str]  # words that became [UNK]
    with_unknown: float  # share of the examples that hold such a word

    def remarks(self, max_length: int, positions: int) -> list[str]:
        """What is worth knowing before the first step, in sentences. positions: those of the model."""
        return [*self._of_length(max_length, positions), *self._of_unknown(), *self._of_language()]

    def _of_length(self, max_length: int, positions: int) -> Iterable[str]:
        lengths = np.array(self.lengths)
        if not (count := int((lengths > max_length).sum())):
            return
        most = int(np.quantile(lengths, HELD))
        wanted = most if most > max_length else int(lengths.max())
        longer = min(STEP * -(-wanted // STEP), positions)
        whole = f"--max-length {longer} would hold {(lengths <= longer).mean():.0%} of all whole"
        yield (
            f"Careful: texts are cut off after {max_length} pieces, {count:,} of {len(lengths):,} here; the "
            f"longest has {lengths.max():,}, and "
            f"{whole if longer > max_length else 'the model has no more positions'}."
        )

    def _of_unknown(self) -> Iterable[str]:
        if self.with_unknown < UNKNOWN:
            return
        shown = ", ".join(f"{shortened(word)} ({count:,})" for word, count in self.unknown.most_common(SHOWN))
        yield (
            f"Careful: the vocabulary lacks {self.unknown.total() / self.words:.1%} of the words, and "
            f"{self.with_unknown:.0%} of the texts have such; to the model they are all the same, [UNK]: "
            f"{shown}."
        )

    def _of_language(self) -> Iterable[str]:
        letters = sum(count for word, count in self.unknown.items() if any(map(str.isalpha, word)))
        if letters < FOREIGN * self.words and self.cut_words < CUT_WORDS * self.words:
            return
        yield (
            f"Careful: the vocabulary cuts {self.cut_words / self.words:.0%} of the words and lacks "
            f"{letters / self.words:.0%}, as with texts of another language than its own. MiniLM reads "
            "English, in lower case and without accents; for other texts give a BERT of their language, "
            "--model FOLDER (docs/your_own.md)."
        )


def coverage(examples: Iterable[Any], tokenizer: WordPieceTokenizer) -> Coverage:
    """Count what the tokenizer makes of the texts of examples, of whatever kind."""
    counted = cache(lambda text: _words(text, tokenizer))  # a paragraph is asked about several times
    lengths, found, with_unknown = list[int](), list[Words](), list[bool]()
    for example in examples:
        rows = [[counted(text) for text in row] for row in _rows(example)]
        if not isinstance(example, QuestionExample):
            lengths.append(max(sum(words.pieces for words in row) + len(row) + 1 for row in rows))
        there = [words for row in rows for words in row]
        with_unknown.append(any(words.unknown for words in there))
        found += there
    return Coverage(
        lengths,
        sum(words.words for words in found),
        sum(words.cut for words in found),
        Counter(word for words in found for word in words.unknown),
        sum(with_unknown) / max(len(with_unknown), 1),
    )


def _rows(example: Any) -> list[list[str]]:
    """The texts of each row that a model reads of an example."""
    if isinstance(example, TaggedSentence):
        return [[" ".join(example.words)]]
    if isinstance(example, QuestionExample):
        return [[example.question, example.context]]
    if isinstance(example, ChoiceExample):
        return [[example.context, choice] for choice in example.choices]
    return [[text for text in (example.first, example.second) if text is not None]]


def _words(text: str, tokenizer: WordPieceTokenizer) -> Words:
    pieces = tokenizer.tokenize(text)
    begins = [place for place, piece in enumerate(pieces) if not piece.startswith("##")]
    sizes = np.diff([*begins, len(pieces)])
    unknown = tuple[str, ...]()
    if tokenizer.unk_token in pieces:
        spans = tokenizer.offsets(text)[1:-1]
        unknown = tuple(
            text[slice(*span)]
            for piece, span in zip(pieces, spans, strict=True)
            if piece == tokenizer.unk_token
        )
    return Words(len(pieces), len(begins), int((sizes > 1).sum()), unknown)
