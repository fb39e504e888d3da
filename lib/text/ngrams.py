"""N-grams: guessing a word from its neighbors by counting what stood there before.

The models that BERT's blanks are compared with. Every order is interpolated with the one below it after
Witten and Bell (1991), in the form of Chen and Goodman (1999, section 2.5): a context seen `total` times with
`kinds` different words after it gives total / (total + kinds) of the say to its own counts, and the rest to
the context that is a word shorter.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from typing import Literal

import numpy as np
from numpy.typing import NDArray

Side = Literal["left", "right", "both"]

BEGIN, END = "[CLS]", "[SEP]"  # what stands before and behind a text


class NGrams:
    """Probabilities of the next word from the `order` - 1 words before it, counted on texts.

    texts: each a list of words (or of pieces). vocabulary: every word that can come; each has some
    probability after anything. One word more, the end, comes after a text.
    """

    def __init__(self, texts: Iterable[Sequence[str]], vocabulary: Iterable[str], order: int = 3) -> None:
        if order < 1:
            raise ValueError(f"An order of {order} counts nothing: use 1 or more.")
        self.order = order
        self.words = list(dict.fromkeys([*vocabulary, END]))
        self.numbers = {word: number for number, word in enumerate(self.words)}
        # How often each word came after each context of 0, 1, ... words.
        self.counts: dict[tuple[str, ...], Counter[str]] = defaultdict(Counter)
        for text in texts:
            self._count(text)
        self.totals = {context: counts.total() for context, counts in self.counts.items()}

    def _count(self, text: Sequence[str]) -> None:
        if unknown := [word for word in text if word not in self.numbers]:
            raise ValueError(f"{unknown[0]!r} is not in the vocabulary: add it, or put [UNK] in its place.")
        padded = [*[BEGIN] * (self.order - 1), *text, END]
        for end in range(self.order - 1, len(padded)):
            for size in range(self.order):
                self.counts[tuple(padded[end - size : end])][padded[end]] += 1

    def distribution(self, before: Sequence[str]) -> NDArray[np.float64]:
        """The probability of each of `words` after these: [V]."""
        probabilities = np.full(len(self.words), 1 / len(self.words))
        for counts, total in self._contexts(before):
            own = np.zeros_like(probabilities)
            own[[self.numbers[word] for word in counts]] = list(counts.values())
            probabilities = (own + len(counts) * probabilities) / (total + len(counts))
        return probabilities

    def probability(self, word: str, before: Sequence[str]) -> float:
        """The probability of one word after these."""
        probability = 1 / len(self.words)
        for counts, total in self._contexts(before):
            probability = (counts[word] + len(counts) * probability) / (total + len(counts))
        return probability

    def after_each(self, before: Sequence[str], between: Sequence[str], word: str) -> NDArray[np.float64]:
        """The probability of `word` after `before`, then each of `words`, then `between`: [V]."""
        probabilities = np.full(len(self.words), 1 / len(self.words))
        padded = [*[BEGIN] * (self.order - 1), *before]
        for size in range(self.order):
            if size <= len(between):  # a context that does not reach back to the word that changes
                contexts = [tuple(between[len(between) - size :])] * len(self.words)
            else:
                last = padded[len(padded) - (size - len(between) - 1) :]
                contexts = [(*last, each, *between) for each in self.words]
            for number, context in enumerate(contexts):
                if context in self.totals:
                    counts = self.counts[context]
                    own = counts.get(word, 0) + len(counts) * probabilities[number]
                    probabilities[number] = own / (self.totals[context] + len(counts))
        return probabilities

    def log_probability(self, text: Sequence[str]) -> float:
        """Of a whole text and its end, in nats."""
        words = [*text, END]
        return float(sum(np.log(self.probability(word, words[:at])) for at, word in enumerate(words)))

    def _contexts(self, before: Sequence[str]) -> list[tuple[Counter[str], int]]:
        """What came after the last 0, 1, ... of these words, as far as they have been seen."""
        padded = [*[BEGIN] * (self.order - 1), *before]
        contexts = (tuple(padded[len(padded) - size :]) for size in range(self.order))
        return [
            (self.counts[context], self.totals[context]) for context in contexts if context in self.totals
        ]


class BlankFiller:
    """Fills a blank from the left, from the right, or from both sides, by counts alone.

    From the right works as from the left, on texts that were counted backwards.
    """

    def __init__(self, texts: Iterable[Sequence[str]], vocabulary: Sequence[str], order: int = 3) -> None:
        sentences = [list(text) for text in texts]
        self.forward = NGrams(sentences, vocabulary, order)
        self.backward = NGrams([text[::-1] for text in sentences], vocabulary, order)

    def probabilities(self, text: Sequence[str], blank: int, side: Side = "both") -> NDArray[np.float64]:
        """Of each of `words` at place `blank` of a text, whatever stands there: [V]. The end is no filling.

        "both" is the product of all n-grams in which the blank takes part, so that neighbors on either side
        have a say at once.
        """
        before, after = list(text[:blank]), list(text[blank + 1 :])
        if side == "left":
            return self._without_end(self.forward.distribution(before))
        if side == "right":
            return self._without_end(self.backward.distribution(after[::-1]))
        log_probabilities = np.log(self.forward.distribution(before))
        near = [*after, END][: self.forward.order - 1]  # the words whose own n-gram the blank is in
        for number, neighbor in enumerate(near):
            log_probabilities += np.log(self.forward.after_each(before, near[:number], neighbor))
        return self._without_end(np.exp(log_probabilities - log_probabilities.max()))

    def fill(
        self, text: Sequence[str], blank: int, side: Side = "both", count: int = 5
    ) -> list[tuple[str, float]]:
        """The `count` likeliest words for the blank with their probabilities, the best first."""
        probabilities = self.probabilities(text, blank, side)
        best = np.argsort(-probabilities, kind="stable")[:count]
        return [(self.forward.words[number], float(probabilities[number])) for number in best]

    def _without_end(self, probabilities: NDArray[np.float64]) -> NDArray[np.float64]:
        without_end = np.where(np.arange(len(probabilities)) == self.forward.numbers[END], 0.0, probabilities)
        normalized: NDArray[np.float64] = without_end / without_end.sum()
        return normalized
