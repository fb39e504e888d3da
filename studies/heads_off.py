"""Which heads of the pocket BERT does its masked-LM loss need? (Michel et al., 2019)"""

from __future__ import annotations

from functools import partial

import torch

from lib.analysis.attention.head_ablation import heads_off, hidden_batches, losses
from lib.bert import BertForMaskedLM, WordPieceTokenizer
from lib.records.study import Measured, Study
from lib.records.subject import Subject

BATCHES = 4  # of the course's own text, and as many others


def measure_heads_off(name: str, subject: Subject) -> Measured:
    """The loss without each head, and without more and more of them; the seed draws the text and its blanks.

    change: loss without one head minus loss with all, the mean over batches, [L][H]; spread: its standard
    deviation. off: how many heads are off, the least needed first; change_off, spread_off: the same of the
    loss without them, on other batches than those that gave the order.
    """
    model = BertForMaskedLM.from_pretrained(name)
    batches = hidden_batches(WordPieceTokenizer.from_pretrained(name), 2 * BATCHES, subject.seed)
    first, second = batches[:BATCHES], batches[BATCHES:]
    layers, heads = model.config.num_hidden_layers, model.config.num_attention_heads
    every = [(layer, head) for layer in range(layers) for head in range(heads)]
    with_all, before = losses(model, first), losses(model, second)
    change = {}
    for head in every:
        with heads_off(model.bert, [head]):
            change[head] = losses(model, first) - with_all  # [batches]
    order = sorted(every, key=lambda head: float(change[head].mean()))
    steps = list(range(0, len(every) + 1, 6))
    curve = []
    for off in steps:
        with heads_off(model.bert, order[:off]):
            curve.append(losses(model, second) - before)  # [batches]
    rows = torch.stack([change[head] for head in every]).view(layers, heads, BATCHES)
    return Measured(
        {
            "loss": float(with_all.mean()),
            "change": rows.mean(-1).tolist(),
            "spread": rows.std(-1).tolist(),
            "order": [list(head) for head in order],
            "off": steps,
            "change_off": [float(one.mean()) for one in curve],
            "spread_off": [float(one.std()) for one in curve],
        }
    )


STUDY = Study(
    "heads_off",
    "The pocket BERT's masked-LM loss on the course's own text without each of its heads, and with more and"
    " more of them off; the seed draws the text and what is hidden in it",
    {"reader": {"pocket": partial(measure_heads_off, "pocket")}},
    inputs=("pocket",),
    examples_of={"reader": ("data/reader/coast.txt", "data/reader/town.txt", "data/reader/valley.txt")},
    minutes=5,
)
