"""DistilBERT's three losses where they belong, on masked words: three layers cut from the pocket BERT.

MiniLM has no masked-LM head. The student reads the reviews that have no label, and is asked for hidden pieces
of those that have one.
"""

from __future__ import annotations

import math
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import torch
import torch.nn.functional as F
from torch import Tensor

from lib.bert import BertForMaskedLM, WordPieceTokenizer
from lib.compression.distillation.knowledge import LABELS
from lib.compression.distillation.layer_maps import ANSWER, distilbert_layers
from lib.compression.distillation.losses import cross_entropy
from lib.compression.distillation.matches import Match
from lib.compression.distillation.methods import distilbert
from lib.compression.distillation.objective import Distillation
from lib.compression.distillation.students import cut_student
from lib.files import write_json
from lib.records.cache import Entry
from lib.records.results import RESULT, kept_result
from lib.records.students import PRECISION, train_steps
from lib.text.masking import IGNORED
from lib.text.packing import pack
from lib.text.pretraining_batches import PretrainingBatches
from lib.text.sentence_rows import SentenceRows
from lib.text.tasks import own

LAYERS, STEPS, BATCH, LENGTH, RATE = 3, 300, 32, 40, 3e-4
TEMPERATURE = 2.0
SCORED = 30  # batches
SCORING_SEED = 1000  # hides other pieces than any run's

ARMS: dict[str, Callable[[int], list[Match]]] = {
    "masked words": lambda _teacher: [Match(LABELS, ANSWER, cross_entropy)],
    "masked words and answers": lambda teacher: distilbert(LAYERS, teacher, TEMPERATURE)[:2],
    "DistilBERT": lambda teacher: distilbert(LAYERS, teacher, TEMPERATURE),
}


def blanks(seed: int) -> dict[str, Any]:
    """How the teacher, the cut student and the student of each arm fill blanks."""
    return {name: kept_result(_run_of(name, seed)) for name in ("teacher", "cut", *ARMS)}


def _run_of(arm: str, seed: int) -> Entry:
    return Entry(
        f"distilled_blanks_{seed}",
        f"Three layers of the pocket BERT fill blanks: {arm}",
        run_blanks,
        {"arm": arm, "seed": seed},
        data=("pocket", "data/tasks/reviews"),
    )


def run_blanks(folder: Path, arm: str, seed: int) -> None:
    """One student, or the teacher; what is recorded of it goes into the folder."""
    teacher = BertForMaskedLM.from_pretrained("pocket").eval()
    layers = teacher.config.num_hidden_layers
    model = teacher if arm == "teacher" else cut_student(teacher, distilbert_layers(LAYERS, layers))
    seconds = 0.0
    if arm in ARMS:
        with tempfile.TemporaryDirectory() as place:
            batches = masked_batches(own.unlabeled("reviews"), Path(place), seed)
            objective = Distillation(model, teacher, ARMS[arm](layers))
            seconds = train_steps(objective, batches, STEPS, RATE, seed, PRECISION)
    with tempfile.TemporaryDirectory() as place:
        held_out = [example.first for split in ("train", "test") for example in own.reviews(split)]
        batches = masked_batches(held_out, Path(place), SCORING_SEED)
        found = filled(model.eval(), teacher, [batches(number) for number in range(SCORED)])
    write_json(folder / RESULT, found | {"processor_seconds": round(seconds, 1)})


def masked_batches(texts: list[str], folder: Path, seed: int) -> PretrainingBatches:
    """Sentences with 15 % of their pieces hidden, batches of equally long ones."""
    tokenizer = WordPieceTokenizer.from_pretrained("pocket")
    corpus = pack([[text] for text in texts], tokenizer, folder / "text")
    return PretrainingBatches(SentenceRows(corpus, tokenizer, LENGTH, BATCH, seed))


@torch.inference_mode()
def filled(
    model: BertForMaskedLM, teacher: BertForMaskedLM, batches: list[dict[str, Tensor]]
) -> dict[str, float]:
    """Perplexity and accuracy on hidden pieces, and the share of them for which both say the same first."""
    losses, hits, alike = list[Tensor](), list[Tensor](), list[Tensor]()
    for batch in batches:
        hidden = batch["labels"] != IGNORED  # [B, T]
        inputs = {name: batch[name] for name in ("input_ids", "token_type_ids")}
        right = batch["labels"][hidden]  # [N]
        logits, of_teacher = (one(**inputs).logits[hidden] for one in (model, teacher))  # [N, V]
        losses.append(F.cross_entropy(logits, right, reduction="none"))
        hits.append(logits.argmax(dim=-1) == right)
        alike.append(logits.argmax(dim=-1) == of_teacher.argmax(dim=-1))
    return {
        "perplexity": math.exp(float(torch.cat(losses).mean())),
        "accuracy": float(torch.cat(hits).float().mean()),
        "agreement": float(torch.cat(alike).float().mean()),
    }


def config() -> dict[str, Any]:
    """What the record depends on besides the data."""
    return {
        "layers": LAYERS,
        "steps": STEPS,
        "batch_size": BATCH,
        "length": LENGTH,
        "rate": RATE,
        "temperature": TEMPERATURE,
        "scored": SCORED,
    }
