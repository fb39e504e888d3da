"""What a BERT's [CLS] knows about a pair of texts: its vector, and a classifier that reads nothing else.

Sizes in the comments: N pairs, D hidden size.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import torch
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import GroupKFold
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from torch import Tensor

from lib.bert import BertModel, WordPieceTokenizer
from lib.bert.validation import validate_eval
from lib.text.sentence_pairs import SentencePair

LONGEST = 128  # pieces in a pair; the longer text gives way
AT_ONCE = 16  # pairs read together, those of a length side by side


def is_cut(tokenizer: WordPieceTokenizer, pair: SentencePair) -> bool:
    """Whether a pair is longer than `LONGEST`, so that a model is not shown all of it."""
    return len(tokenizer.encode(pair.first, pair.second)) > LONGEST


@torch.no_grad()
def cls_vectors(model: BertModel, tokenizer: WordPieceTokenizer, pairs: Sequence[SentencePair]) -> Tensor:
    """The last hidden state of [CLS] for each pair: [N, D]."""
    validate_eval(model)
    order = sorted(range(len(pairs)), key=lambda n: len(pairs[n].first) + len(pairs[n].second))
    vectors = torch.empty(len(pairs), model.config.hidden_size)
    for start in range(0, len(pairs), AT_ONCE):
        rows = order[start : start + AT_ONCE]
        batch = tokenizer([pairs[n].first for n in rows], [pairs[n].second for n in rows], LONGEST)
        vectors[rows] = model(**batch).last_hidden_state[:, 0]
    return vectors


def probe_accuracy(vectors: Tensor, pairs: Sequence[SentencePair], folds: int = 4) -> list[float]:
    """Shares of right labels by a linear classifier on frozen vectors [N, D], one a fold.

    A document's pairs are never on both sides of a fold. The penalty is strong: there are more features than
    pairs to learn from.
    """
    labels = np.array([pair.label for pair in pairs])
    documents = [pair.document for pair in pairs]
    shares = []
    for learn, score in GroupKFold(folds).split(vectors, labels, documents):
        probe = make_pipeline(StandardScaler(), LogisticRegression(C=0.01, max_iter=500))
        probe.fit(vectors[learn].numpy(), labels[learn])
        shares.append(float(probe.score(vectors[score].numpy(), labels[score])))
    return shares
