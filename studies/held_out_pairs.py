"""Next sentence on the rows of held-out text that a BERT is scored on: its own head beside a bag of words.

Sizes in the comments: B rows, T pieces in a row, N = B rows of all batches.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray
from sklearn.model_selection import cross_val_score

from chapters.nb11.bag_of_words import ALIKE, classifier, compare_bags, weigh_words
from lib.bert import WordPieceTokenizer
from lib.bert.heads import BertForPreTraining
from lib.bert.validation import validate_eval
from lib.records.inputs import public
from lib.records.study import Measured, Study
from lib.records.subject import Subject
from lib.text.corpus import held_out_documents
from lib.text.packing import pack
from lib.text.pair_rows import PairRows
from lib.text.pretraining_batches import Rows
from lib.text.sentence_pairs import Document, SentencePair
from lib.text.wikitext import wikitext

FOLDS, BATCHES = 4, 48
CORPORA = ("pretrain_wikipedia", "pretrain_gutenberg")
WIKITEXT = "wikitext2/valid.txt"


def held_out() -> list[Document]:
    """What the pocket BERT never read of its corpora."""
    return held_out_documents([public(name) for name in CORPORA])


def wikitext_valid() -> list[Document]:
    """The articles of WikiText-2's validation part."""
    return list(wikitext(public(WIKITEXT)))


def measure_pairs(read: Callable[[], list[Document]], subject: Subject) -> Measured:
    """The pocket BERT's head and a bag of words on rows of these documents, which the seed draws."""
    tokenizer = WordPieceTokenizer.from_pretrained("pocket")
    model = BertForPreTraining.from_pretrained("pocket").eval()
    documents = read()
    with TemporaryDirectory() as folder:
        rows = PairRows(pack(documents, tokenizer, Path(folder, "packed")), tokenizer, seed=subject.seed)
        return Measured(judge(model, rows, documents, BATCHES))


def judge(
    model: BertForPreTraining, rows: PairRows, documents: Sequence[Document], batches: int
) -> dict[str, float]:
    """Shares of right labels on the first `batches` batches of rows, and how many `pairs` they are.

    `head`: the model's answer, whichever of its two probabilities is larger; `follows` and `another document`
    are the same of the pairs of one label. `new threshold`: the head's answer is cut where these rows want
    it. `bag`: the cosine of two bags is, with words weighed by the `documents` that the rows are cut from.
    What is learned here, one threshold, is scored on the quarter of the rows that it was not learned on; an
    article may stand on both sides, of which one threshold has no use.
    """
    validate_eval(model)
    drawn = [rows.draw(number, np.random.default_rng([rows.seed, 1, number])) for number in range(batches)]
    labels = np.concatenate([batch.pair_labels for batch in drawn])  # [N]
    margins = np.concatenate([_margins(model, batch) for batch in drawn])  # [N, 1]
    pairs = [pair for batch in drawn for pair in _as_text(batch, rows.tokenizer)]
    alike = compare_bags(weigh_words(list(documents)), pairs, [ALIKE])[ALIKE]  # [N, 1]
    right = (margins[:, 0] < 0) == labels
    return {
        "pairs": len(labels),
        "head": float(right.mean()),
        "follows": float(right[labels == 0].mean()),
        "another document": float(right[labels == 1].mean()),
        "new threshold": _by_threshold(margins, labels),
        "bag": _by_threshold(alike, labels),
    }


@torch.inference_mode()
def _margins(model: BertForPreTraining, batch: Rows) -> NDArray[np.float32]:
    """By how much the logit of "B follows" is larger, [B, 1]."""
    ids, types = torch.from_numpy(batch.ids), torch.from_numpy(batch.token_types)
    logits = model.cls.seq_relationship(model.bert(ids, token_type_ids=types).pooler_output)  # [B, 2]
    return (logits[:, :1] - logits[:, 1:]).numpy()


def _as_text(batch: Rows, tokenizer: WordPieceTokenizer) -> list[SentencePair]:
    """The rows as texts again; what document they are of is not known any more."""
    pairs = []
    for ids, types, label in zip(batch.ids, batch.token_types, batch.pair_labels, strict=True):
        first, second = (tokenizer.decode(ids[types == kind], skip_special_tokens=True) for kind in (0, 1))
        pairs.append(SentencePair(first, second, int(label), document=-1))
    return pairs


def _by_threshold(numbers: NDArray[Any], labels: NDArray[Any]) -> float:
    """The share right by a threshold on one number [N, 1]."""
    return float(cross_val_score(classifier(), numbers, labels, cv=FOLDS).mean())


STUDY = Study(
    "held_out_pairs",
    "Next sentence on held-out rows by the pocket BERT's head, as it is and with a new threshold, and by the"
    " cosine of two bags of words; the seed draws the rows",
    {
        "held out": {"pocket": partial(measure_pairs, held_out)},
        "wikitext": {"pocket": partial(measure_pairs, wikitext_valid)},
    },
    seeds=(0,),
    inputs=("pocket",),
    examples_of={
        "held out": tuple(f"public/{name}" for name in CORPORA),
        "wikitext": (f"public/{WIKITEXT}",),
    },
    minutes=10,
)
