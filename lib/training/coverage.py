"""How well a vocabulary covers the texts of a task: what of them a model will not read.

found = coverage([*task.train, *task.test], tokenizer)
print(*found.remarks(max_length=128, positions=512), sep="\\n")
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field
from itertools import pairwise
from typing import Any

from lib.bert import WordPieceTokenizer
from lib.text.tasks import ChoiceExample, QuestionExample, TaggedSentence
from lib.text.tasks.tables import shortened

WITH_UNKNOWN = 0.02  # of the texts hold an unknown word: from so many on it is said
FOREIGN = 0.05  # of the words are unknown and have letters: another language
CUT = 0.4  # of the words are cut, too: MiniLM cuts 1% to 8% in English texts, over half in German ones


@dataclass
class Coverage:
    """What was counted. A text is all that a row holds: both texts of a pair, a choice with its context."""

    lengths: list[int] = field(default_factory=list)  # of rows; none of questions, which have windows
    texts: int = 0
    texts_with_unknown: int = 0
    words: int = 0  # and punctuation marks
    cut_words: int = 0  # into two or more pieces
    unknown: Counter[str] = field(default_factory=Counter)  # words that became [UNK]

    def remarks(self, max_length: int, positions: int) -> list[str]:
        """What is worth knowing before the first step, in sentences. positions: those of the model."""
        remarks = list[str]()
        if cut_off := sum(length > max_length for length in self.lengths):
            remarks.append(
                f"Careful: texts are cut off after {max_length} pieces, {cut_off:,} of {self.texts:,} here; "
                f"the longest has {max(self.lengths):,}, and --max-length may be up to {positions}."
            )
        if self.texts_with_unknown > WITH_UNKNOWN * self.texts:
            commonest = [f"{shortened(word)} ({count:,})" for word, count in self.unknown.most_common(5)]
            remarks.append(
                f"Careful: the vocabulary lacks {self.unknown.total() / self.words:.1%} of the words, in "
                f"{self.texts_with_unknown:,} of {self.texts:,} texts; to the model they are all the same, "
                f"[UNK]: {', '.join(commonest)}."
            )
        letters = sum(count for word, count in self.unknown.items() if any(map(str.isalpha, word)))
        if letters > FOREIGN * self.words or self.cut_words > CUT * self.words:
            remarks.append(
                f"Careful: the vocabulary cuts {self.cut_words / self.words:.0%} of the words into pieces "
                f"and lacks the letters of {letters / self.words:.0%}, as one of another language or of few "
                "pieces does (MiniLM's is English, in lower case and without accents): give a BERT of your "
                "texts' language, --model FOLDER (docs/your_own.md)."
            )
        return remarks


def coverage(examples: Iterable[Any], tokenizer: WordPieceTokenizer) -> Coverage:
    """Count what the tokenizer makes of the texts of examples, of whatever kind of task."""
    found = Coverage()
    for example in examples:
        for row in _rows(example):
            cut = [tokenizer.tokenize(text) for text in row]
            found.texts += 1
            found.texts_with_unknown += any(tokenizer.unk_token in pieces for pieces in cut)
            if not isinstance(example, QuestionExample):
                found.lengths.append(sum(map(len, cut)) + len(row) + 1)
            for text, pieces in zip(row, cut, strict=True):
                is_inside = [piece.startswith("##") for piece in pieces]
                found.words += is_inside.count(False)
                found.cut_words += sum(not first and second for first, second in pairwise(is_inside))
                found.unknown.update(_unknown(text, pieces, tokenizer))
    return found


def _unknown(text: str, pieces: list[str], tokenizer: WordPieceTokenizer) -> list[str]:
    """The words of a text that became [UNK]."""
    places = [place for place, piece in enumerate(pieces) if piece == tokenizer.unk_token]
    spans = tokenizer.offsets(text)[1:-1] if places else []
    return [text[slice(*spans[place])] for place in places]


def _rows(example: Any) -> list[tuple[str, ...]]:
    """The texts of each row that a model reads of an example."""
    match example:
        case TaggedSentence(words, _):
            return [(" ".join(words),)]
        case QuestionExample():
            return [(example.question, example.context)]
        case ChoiceExample(context, choices, _):
            return [(context, choice) for choice in choices]
        case _:
            return [tuple(text for text in (example.first, example.second) if text is not None)]
