"""TF-IDF and logistic regression as one file, measured like any model: what stands beside every BERT.

    counts = WordCounts.fit(texts, labels)
    counts.save("counts.safetensors"); WordCounts.load("counts.safetensors").predict(["i love this class"])

Sizes in the comments: N texts, V words and pairs of words, C classes (1 row of weights where there are two).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property, partial
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray
from safetensors.numpy import load_file, save_file
from sklearn.feature_extraction.text import TfidfVectorizer
from sklearn.linear_model import LogisticRegression
from torch import Tensor

from lib.compression.ledger.memory import peak_memory
from lib.compression.ledger.rows import SHAPES
from lib.compression.ledger.timing import example_batch, milliseconds
from lib.files import replacing
from lib.training.baselines import STRENGTH, tfidf_of

ROUTE = "scikit-learn"
FILE = "model.safetensors"  # in a run's folder
VOCABULARY = 30_522  # pieces of the example batches


@dataclass(frozen=True)
class WordCounts:
    """What the file holds: words with their weights, and the classes' weights of each."""

    words: tuple[str, ...]
    idf: NDArray[np.float32]  # [V]
    weight: NDArray[np.float32]  # [C, V]
    bias: NDArray[np.float32]  # [C]

    @classmethod
    def fit(cls, texts: Sequence[str], labels: Sequence[Any]) -> WordCounts:
        """As `baselines.classify_texts` learns; labels are 0 to C - 1."""
        weights = tfidf_of(texts)
        model = LogisticRegression(C=STRENGTH, max_iter=1000).fit(weights.transform(texts), labels)
        fitted = weights.idf_, model.coef_, model.intercept_
        # of several classes they lie column by column, which a file would not tell
        numbers = (np.ascontiguousarray(some, dtype=np.float32) for some in fitted)
        return cls(tuple(weights.get_feature_names_out()), *numbers)

    def save(self, path: str | Path) -> None:
        """Numbers in float32, and the words as text."""
        text = np.frombuffer("\n".join(self.words).encode(), dtype=np.uint8)
        numbers: dict[str, NDArray[Any]] = {"idf": self.idf, "weight": self.weight, "bias": self.bias}
        with replacing(path) as beside:
            save_file({**numbers, "words": text}, beside)

    @classmethod
    def load(cls, path: str | Path) -> WordCounts:
        stored = load_file(path)
        words = tuple(stored.pop("words").tobytes().decode().split("\n"))
        return cls(words, **stored)

    def predict(self, texts: Sequence[str]) -> list[int]:
        """The class of each text."""
        scores = self.features(texts) @ self.weight.T + self.bias  # [N, C]
        best = scores[:, 0] > 0 if len(self.bias) == 1 else scores.argmax(axis=1)
        return [int(label) for label in best]

    def features(self, texts: Sequence[str]) -> Any:
        """[N, V], nearly all of them 0."""
        return self._vectorizer.transform(texts)

    @cached_property
    def _vectorizer(self) -> TfidfVectorizer:
        made = TfidfVectorizer(ngram_range=(1, 2), sublinear_tf=True, vocabulary=list(self.words))
        made.idf_ = self.idf
        return made

    def texts_of(self, input_ids: Tensor) -> list[str]:
        """Words of its own in place of pieces [N, T], to be timed on the batches that all models are."""
        count = len(self._single)
        return [" ".join(self._single[number % count] for number in row) for row in input_ids.tolist()]

    @cached_property
    def _single(self) -> list[str]:
        return [word for word in self.words if " " not in word]

    def __call__(self, input_ids: Tensor, **_: Any) -> list[int]:
        """The class of each row of pieces [N, T]."""
        return self.predict(self.texts_of(input_ids))


def measure_word_counts(counts: WordCounts, folder: str | Path) -> dict[str, Any]:
    """The columns of `LedgerRow` that say what it costs; its file is written into the folder.

    Memory is that of the file's content and of one batch; Python's and scikit-learn's own is left out, as
    PyTorch's is for other models. Of the time most goes into cutting texts into words, which models of BERT's
    kind are timed without.
    """
    path = Path(folder, FILE)
    counts.save(path)
    load: Any = partial(WordCounts.load, path)
    examples = {
        name: counts.features(counts.texts_of(example_batch(VOCABULARY, shape)["input_ids"]))
        for name, shape in SHAPES.items()
    }
    return {
        "parameters": counts.idf.size + counts.weight.size + counts.bias.size,
        "file_bytes": path.stat().st_size,
        "multiply_adds": {name: int(some.nnz) * len(counts.bias) for name, some in examples.items()},
        "milliseconds": milliseconds({ROUTE: counts}, VOCABULARY),
        "peak_memory": peak_memory(load, VOCABULARY),
    }
