"""Pretraining: masked words and pairs of texts, on one process or many, on a CPU or on GPUs."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any, Literal

import torch.nn.functional as F
import typer
from torch import Tensor, nn

from lib.bert import WordPieceTokenizer
from lib.bert.heads import BertForPreTraining
from lib.text.masking import IGNORED, Masking, SpanMasking
from lib.text.packing import PackedCorpus
from lib.text.pair_rows import SHORTEST_ROW, PairRows
from lib.text.pair_tasks import NO_PAIRS, PAIR_TASKS, PairTask
from lib.training.checkpoints import Checkpoints
from lib.training.devices import Precision, precision_here
from lib.training.loop import Batch, Callback, Objective, Term, Trainer
from lib.training.optim import adamw
from lib.training.prefetching import BatchesOfRows, PrefetchedBatches
from lib.training.schedules import Schedule


class PretrainingObjective(Objective):
    """A model under its losses: masked words, and pairs times `pair_weight` (Devlin et al., 2019, A.2)."""

    def __init__(self, model: BertForPreTraining, pair_weight: float = 1.0):
        super().__init__()
        self.model, self.pair_weight = model, pair_weight

    def counts(self, batch: Batch) -> dict[str, Tensor | int]:
        """`hidden` places, `pairs`, and `tokens` read, special ones included."""
        labels = batch["labels"]  # [B, T]
        return {"hidden": (labels != IGNORED).sum(), "pairs": len(labels), "tokens": labels.numel()}

    def forward(
        self, input_ids: Tensor, token_type_ids: Tensor, labels: Tensor, pair_labels: Tensor
    ) -> dict[str, Term]:
        """`masked_lm` and `pair` are the losses, in nats; `right` and `pairs_right` shares of right answers.

        The decoder, the largest product of all, sees the chosen places only: [N, D] of [B, T, D].
        """
        output = self.model.bert(input_ids, token_type_ids=token_type_ids)
        chosen = labels != IGNORED  # [B, T]
        logits = self.model.cls.predictions(output.last_hidden_state[chosen]).float()  # [N, V]
        pair_logits = self.model.cls.seq_relationship(output.pooler_output).float()  # [B, C]
        masked_lm = F.cross_entropy(logits, labels[chosen], reduction="sum")
        pair = F.cross_entropy(pair_logits, pair_labels, reduction="sum")
        return {
            "masked_lm": Term(masked_lm, "hidden"),
            "right": Term((logits.argmax(-1) == labels[chosen]).sum(), "hidden", 0.0),
            "pair": Term(pair, "pairs", self.pair_weight),
            "pairs_right": Term((pair_logits.argmax(-1) == pair_labels).sum(), "pairs", 0.0),
        }

    @property
    def fingerprint(self) -> Any:
        return {"config": self.model.config.to_dict(), "pair_weight": self.pair_weight}


class Export(Callback):
    """Beside each checkpoint the weights as a model's folder, which may be used while the run goes on."""

    def __init__(self, model: BertForPreTraining, tokenizer: WordPieceTokenizer, folder: Path):
        self.model, self.tokenizer, self.folder = model, tokenizer, folder

    def before_save(self, trainer: Trainer) -> None:
        self.model.save_pretrained(self.folder)
        self.tokenizer.save_pretrained(self.folder)


def pretraining_trainer(
    model: BertForPreTraining,
    batches: BatchesOfRows,
    schedule: Schedule,
    checkpoints: Checkpoints | None = None,
    callbacks: Sequence[Callback] = (),
    *,
    compiled: bool = False,
    betas: tuple[float, float] = (0.9, 0.999),
    **settings: Any,
) -> Trainer:
    """A trainer of both heads on these batches, by AdamW, with the seed of their rows.

    Without checkpoints nothing is kept. compiled: embeddings and layers become fused kernels, which pays on
    graphics cards. settings: those of `Trainer`.
    """
    rows = batches.rows
    objective = PretrainingObjective(model, pair_weight=0.0 if rows.task == NO_PAIRS else 1.0)
    if compiled:
        for part in (model.bert.embeddings, *model.bert.encoder.layer):
            part.compile(dynamic=False)
    export = [] if checkpoints is None else [Export(model, rows.tokenizer, checkpoints.folder)]
    return Trainer(
        objective, batches, adamw(objective, betas=betas), schedule, [*callbacks, *export], checkpoints,
        seed=rows.seed, **settings,
    )  # fmt: skip


def fit_pair_head(model: BertForPreTraining, task: PairTask) -> None:
    """Give the model as many classes for pairs as the task has; a new head is drawn at random."""
    if task.classes != model.cls.seq_relationship.out_features:
        model.config.id2label = {number: f"LABEL_{number}" for number in range(task.classes)}
        model.cls.seq_relationship = nn.Linear(model.config.hidden_size, task.classes)
        model.init_module(model.cls.seq_relationship)


# --- options of the commands that pretrain, as `lib.training.options` reads them -------------------


@dataclass(frozen=True, kw_only=True)
class RowOptions:
    """What a row is, and what is hidden in it."""

    length: Annotated[int, typer.Option(min=SHORTEST_ROW, help="pieces in a row")] = 128
    batch_size: Annotated[int, typer.Option(min=1, help="rows that a process reads at a time")] = 16
    objective: Annotated[Literal["none", "next", "order", "three-way"], typer.Option(help="of the pairs")] = (
        "next"
    )
    mask_rate: Annotated[float, typer.Option(help="share of the pieces that is hidden")] = 0.15
    mask: Annotated[float, typer.Option(help="share of the hidden that becomes [MASK]")] = 0.8
    random: Annotated[float, typer.Option(help="share of the hidden that becomes another piece")] = 0.1
    whole_words: Annotated[bool, typer.Option(help="hide whole words instead of pieces")] = False
    spans: Annotated[bool, typer.Option(help="hide runs of 1 to 10 whole words")] = False

    def __post_init__(self) -> None:
        self.masking()  # what cannot be is said before a corpus is packed

    @property
    def task(self) -> PairTask:
        """What is asked of the pairs."""
        return PAIR_TASKS[self.objective]

    def pairs(self, packed: PackedCorpus, tokenizer: WordPieceTokenizer, seed: int) -> PairRows:
        """All rows that a corpus gives."""
        return PairRows(packed, tokenizer, self.length, self.batch_size, self.task, seed)

    def masking(self) -> Masking:
        """What is hidden of them."""
        kind = SpanMasking if self.spans else Masking
        return kind(self.mask_rate, self.mask, self.random, self.whole_words)


@dataclass(frozen=True, kw_only=True)
class RunOptions:
    """What is kept of a run, and how it computes."""

    out: Annotated[Path, typer.Option(help="the run's folder: log, checkpoints, the model")]
    precision: Annotated[
        Literal["auto", "bf16", "no"], typer.Option(help="auto: bf16 where the hardware has it")
    ] = "auto"
    save_every: Annotated[int, typer.Option(min=1, help="steps from one checkpoint to the next")] = 200
    seed: Annotated[
        int, typer.Option(min=0, help="of weights, order, masks and dropout; to read on, take another")
    ] = 0
    resume: Annotated[bool, typer.Option(help="go on with the run in OUT, exactly where it stood")] = False
    score_every: Annotated[int, typer.Option(min=1, help="steps from one held-out score to the next")] = 500
    workers: Annotated[
        int, typer.Option(min=0, help="processes that make batches ahead; 0: none, the run makes them itself")
    ] = 0
    compile: Annotated[bool, typer.Option(help="compile the layers: for graphics cards")] = False

    @property
    def checkpoints(self) -> Checkpoints:
        return Checkpoints(self.out, self.save_every, self.resume)

    def prefetched(self, batches: BatchesOfRows) -> BatchesOfRows:
        """The batches, made ahead if there are workers."""
        return PrefetchedBatches(batches, self.workers) if self.workers else batches

    @property
    def chosen_precision(self) -> Precision:
        """What "auto" means here."""
        if self.precision == "auto":
            return precision_here()
        return self.precision
