"""A script that fine-tunes BERT with habits that were common in 2020, and the same fixed habit by habit.

The learning rates, the batches of ten and the padding to fifty are those of a keynote of that year (Shinnou,
ROCLING 2020); the code is ours. Each habit is a short function, and so is what fixes it: a `Script` is made
of them. `versions()` gives the scripts one after the other, each with one more fix, and `run` runs one.

Sizes in the comments: B rows, T places, D hidden size, C classes.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Any, NamedTuple

import torch
import torch.nn.functional as F
from torch import Tensor, nn
from torch.nn.utils.rnn import pad_sequence
from torch.optim import SGD, AdamW, Optimizer

from lib.bert import BertModel, WordPieceTokenizer
from lib.text.tasks import TextExample
from lib.text.tasks.own import CATEGORIES, Split, headlines
from lib.training.freezing import train_top

LENGTH, BATCH = 50, 10
ROWS_A_CLASS, EPOCHS = 40, 3  # headlines to learn from, and as many to be tested on

Ids = list[int]  # the pieces of a text, [CLS] and [SEP] with them


class Labeled(NamedTuple):
    """Texts in pieces, and the number of each one's class."""

    rows: list[Ids]
    labels: list[int]


def encode(
    texts: Sequence[str], labels: Sequence[int], tokenizer: WordPieceTokenizer, length: int = LENGTH
) -> Labeled:
    """Texts cut to `length` pieces: a longer one would not fit into the script's table."""
    return Labeled([tokenizer.encode(text, max_length=length) for text in texts], list(labels))


# --- habits, and what fixes them ------------------------------------------------------------------


def fifty_places(rows: Sequence[Ids]) -> Tensor:
    """The habit: every row is filled with zeros up to fifty places, [B, 50], however short it is."""
    table = []
    for row in rows:
        filled = list(row)
        while len(filled) < LENGTH:
            filled.append(0)
        table.append(torch.tensor(filled))
    return torch.stack(table)


def longest_row(rows: Sequence[Ids]) -> Tensor:
    """The fix: up to the longest row of the batch, [B, T]."""
    return pad_sequence([torch.tensor(row) for row in rows], batch_first=True)


def no_mask(ids: Tensor) -> Tensor | None:
    """The habit: BERT takes the zeros for pieces, and all others look at them."""
    return None


def real_pieces(ids: Tensor) -> Tensor | None:
    """The fix: 1 where there is a piece, 0 where there is padding, [B, T]. The id of [PAD] is 0."""
    return (ids != 0).long()


def cls_one_by_one(hidden: Tensor) -> Tensor:
    """The habit: a loop over rows collects the vectors of [CLS], [B, T, D] to [B, D]."""
    vectors = []
    for row in range(len(hidden)):
        vectors.append(hidden[row][0])
    return torch.stack(vectors, dim=0)


def cls_at_once(hidden: Tensor) -> Tensor:
    """The fix: a slice."""
    return hidden[:, 0]


def keynotes_sgd(model: TextClassifier) -> Optimizer:
    """The habit: plain SGD, a rate by hand for each of the top two layers and for the head."""
    layers = model.bert.encoder.layer
    return SGD(
        [
            {"params": layers[-2].parameters(), "lr": 0.0005},
            {"params": layers[-1].parameters(), "lr": 0.001},
            {"params": model.classifier.parameters(), "lr": 0.1},
        ]
    )


def adamw_for_all(model: TextClassifier) -> Optimizer:
    """The fix: AdamW, which finds a step for each weight, at one rate for all that learns."""
    return AdamW([weight for weight in model.parameters() if weight.requires_grad], lr=5e-4)


def left_in_train(model: nn.Module) -> None:
    """The habit: nothing is done before testing, so dropout goes on."""


def put_in_eval(model: nn.Module) -> None:
    """The fix: no dropout in the test."""
    model.eval()


def top_two(model: nn.Module) -> None:
    """The top two layers learn, and the head; that is a choice, not a mistake."""
    train_top(model, 2)


def every_layer(model: nn.Module) -> None:
    """All learns."""
    model.requires_grad_(True)


def gentle_adamw(model: TextClassifier) -> Optimizer:
    """AdamW at a lower rate, now that what lies at the bottom moves too."""
    return AdamW(model.parameters(), lr=2e-4)


# --- the script -----------------------------------------------------------------------------------


class TextClassifier(nn.Module):
    """A BERT and a linear layer on the vector of [CLS]."""

    def __init__(self, bert: BertModel, classes: int):
        super().__init__()
        self.bert = bert
        self.classifier = nn.Linear(bert.config.hidden_size, classes)

    def forward(self, ids: Tensor, mask: Tensor | None, cls_vectors: Callable[[Tensor], Tensor]) -> Tensor:
        """ids [B, T] to logits [B, C]; `cls_vectors` takes those of [CLS] out of [B, T, D]."""
        hidden = self.bert(ids, attention_mask=mask).last_hidden_state  # [B, T, D]
        logits: Tensor = self.classifier(cls_vectors(hidden))
        return logits


@dataclass(frozen=True)
class Script:
    """What the script does at each of the places where a habit can be: at first, all of them."""

    pad: Callable[[Sequence[Ids]], Tensor] = fifty_places
    mask: Callable[[Tensor], Tensor | None] = no_mask
    cls_vectors: Callable[[Tensor], Tensor] = cls_one_by_one
    learns: Callable[[nn.Module], None] = top_two
    optimizer: Callable[[TextClassifier], Optimizer] = keynotes_sgd
    before_test: Callable[[nn.Module], None] = left_in_train
    rows_at_test: int = 1

    def logits(self, model: TextClassifier, rows: Sequence[Ids]) -> Tensor:
        """The scores of some rows, [B, C]."""
        ids = self.pad(rows)
        logits: Tensor = model(ids, self.mask(ids), self.cls_vectors)
        return logits


#: What is fixed, in turn, and how. The optimizer comes first: while a model learns nothing, each of its
#: other faults costs nothing, and fixing them changes nothing. What can cost accuracy follows, then time.
FIXES: dict[str, dict[str, Any]] = {
    "as it was": {},
    "AdamW": {"optimizer": adamw_for_all},
    "an attention mask": {"mask": real_pieces},
    "eval() before the test": {"before_test": put_in_eval},
    "batches at once": {"cls_vectors": cls_at_once, "rows_at_test": 32},
    "padding to the longest": {"pad": longest_row},
    "every layer learns": {"learns": every_layer, "optimizer": gentle_adamw},
}


def versions() -> dict[str, Script]:
    """The script as it was, and after each fix, those before it kept."""
    script, scripts = Script(), {}
    for name, fix in FIXES.items():
        script = replace(script, **fix)
        scripts[name] = script
    return scripts


def train(script: Script, model: TextClassifier, data: Labeled, epochs: int, seed: int) -> None:
    """Steps over batches of ten, in an order that `seed` decides."""
    torch.manual_seed(seed)  # dropout, and the order
    script.learns(model)
    optimizer = script.optimizer(model)
    labels = torch.tensor(data.labels)
    model.train()
    for _ in range(epochs):
        for chosen in torch.randperm(len(data.rows)).split(BATCH):
            logits = script.logits(model, [data.rows[row] for row in chosen])
            loss = F.cross_entropy(logits, labels[chosen])
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()


@torch.no_grad()
def predict(script: Script, model: TextClassifier, rows: Sequence[Ids]) -> Tensor:
    """The class of each row, [B]."""
    script.before_test(model)
    answers = []
    for first in range(0, len(rows), script.rows_at_test):
        answers.append(script.logits(model, rows[first : first + script.rows_at_test]).argmax(-1))
    return torch.cat(answers)


class Outcome(NamedTuple):
    """What came of a version of the script; its seconds are the processor's, on all cores together."""

    accuracy: float
    training: float
    testing: float


def run(
    script: Script,
    training: Labeled,
    test: Labeled,
    epochs: int = EPOCHS,
    seed: int = 0,
    start: str = "minilm",
) -> Outcome:
    """Train and test one version, from the model `start`, with a head drawn by `seed`."""
    torch.manual_seed(seed)
    model = TextClassifier(BertModel.from_pretrained(start), max(training.labels) + 1)
    began = time.process_time()
    train(script, model, training, epochs, seed)
    trained = time.process_time()
    answers = predict(script, model, test.rows)
    tested = time.process_time()
    accuracy = float((answers == torch.tensor(test.labels)).float().mean())
    return Outcome(accuracy, trained - began, tested - trained)


def some_headlines(of_each: int = ROWS_A_CLASS) -> tuple[Labeled, Labeled]:
    """The pieces of `examples`: to learn from, and to be tested on."""
    tokenizer = WordPieceTokenizer.from_pretrained("minilm")
    learned, tested = (
        encode([one.first for one in rows], [int(one.label or 0) for one in rows], tokenizer)
        for rows in (examples("train", of_each), examples("test", of_each))
    )
    return learned, tested


def examples(split: Split, of_each: int = ROWS_A_CLASS) -> list[TextExample]:
    """The first headlines of a split, as many of each of the nine categories."""
    rows = headlines(split)
    by_category = [[one for one in rows if one.label == place] for place in range(len(CATEGORIES))]
    return [one for category in by_category for one in category[:of_each]]
