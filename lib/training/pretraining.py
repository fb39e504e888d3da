"""Pretraining: masked words and pairs of texts, on one process or many, on a CPU or on GPUs."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import chain, islice
from pathlib import Path
from typing import Annotated, Any, Literal

import torch
import torch.nn.functional as F
import typer
from torch import Tensor, nn

from lib import command
from lib.bert import BertConfig, WordPieceTokenizer
from lib.bert.heads import BertForPreTraining
from lib.text import documents
from lib.text.masking import IGNORED, Masking, SpanMasking
from lib.text.packing import PackedCorpus, train_tokenizer
from lib.text.pair_rows import SHORTEST_ROW, PairRows
from lib.text.pair_tasks import NO_PAIRS, PAIR_TASKS, PairTask
from lib.text.pretraining_batches import PretrainingBatches
from lib.training.checkpoints import Checkpoints
from lib.training.devices import precision_here, processes
from lib.training.loop import Batch, Callback, Objective, Term, Trainer
from lib.training.optim import adamw
from lib.training.options import with_options
from lib.training.prefetching import BatchesOfRows, PrefetchedBatches
from lib.training.preparing import pack_once, source_of, tokenizer_once, validate_early, validate_pieces
from lib.training.schedules import LinearDecay, Schedule


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


# --- the command ----------------------------------------------------------------------------------


@dataclass(frozen=True, kw_only=True)
class TextOptions:
    """What is read, and the pieces that it is cut into."""

    corpus: Annotated[
        list[str], typer.Option(help="a text file, a folder of them, or hub:NAME; may be given again")
    ]
    first: Annotated[int | None, typer.Option(min=1, help="read only so many documents of each corpus")] = (
        None
    )
    vocabulary: Annotated[
        str,
        typer.Option(help="the tokenizer: a folder, minilm, pocket; without it the start's, or minilm"),
    ] = ""
    pieces: Annotated[
        int,
        typer.Option(min=0, help="learn a vocabulary of so many pieces from the corpus, into OUT/vocabulary"),
    ] = 0

    def documents(self) -> Iterable[list[str]]:
        """The documents of all corpora, read anew."""
        return chain.from_iterable(islice(documents(place), self.first) for place in self.corpus)

    def tokenizer(self, start: str, folder: Path) -> WordPieceTokenizer:
        """Learned into `folder`, or one that is there."""
        if not self.pieces:
            return WordPieceTokenizer.from_pretrained(self.vocabulary or start or "minilm")
        source = {"pieces": self.pieces, **source_of(self.corpus), "first": self.first}
        return tokenizer_once(folder, source, lambda: train_tokenizer(self.documents(), self.pieces))


@dataclass(frozen=True, kw_only=True)
class ModelOptions:
    """What is trained: a new model, or one that goes on."""

    start: Annotated[
        str, typer.Option("--start-from", help="start from this model's weights, not from random ones")
    ] = ""
    hidden_size: Annotated[int, typer.Option(min=1, help="of a new model")] = 384
    layers: Annotated[int, typer.Option(min=1, help="of a new model")] = 6
    heads: Annotated[int, typer.Option(min=1, help="of a new model")] = 12
    dropout: Annotated[float, typer.Option(help="while pretraining; 0 suits a run of few epochs")] = 0.0

    def __post_init__(self) -> None:
        if not 0 <= self.dropout < 1:
            raise ValueError(f"The dropout is {self.dropout}: give a share from 0 to below 1.")
        self._config(vocab_size=1)  # what no model can have is said before a corpus is packed

    def model(self, tokenizer: WordPieceTokenizer) -> BertForPreTraining:
        """New, its weights drawn at random, or the start's."""
        if self.start:
            validate_pieces(self.start, tokenizer)
            return BertForPreTraining.from_pretrained(self.start, **self._rates)
        return BertForPreTraining(self._config(len(tokenizer)))

    def _config(self, vocab_size: int) -> BertConfig:
        return BertConfig(
            vocab_size=vocab_size,
            hidden_size=self.hidden_size,
            num_hidden_layers=self.layers,
            num_attention_heads=self.heads,
            intermediate_size=4 * self.hidden_size,
            **self._rates,
        )

    @property
    def _rates(self) -> dict[str, Any]:
        return {"hidden_dropout_prob": self.dropout, "attention_probs_dropout_prob": self.dropout}


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
    def chosen_precision(self) -> Literal["bf16", "no"]:
        """What "auto" means here."""
        if self.precision == "auto":
            return precision_here()
        return self.precision


@dataclass(frozen=True, kw_only=True)
class StepOptions:
    """How many steps, how large they are, and how the learning rate rises and falls."""

    steps: Annotated[int, typer.Option(min=1, help="updates of the weights")] = 1000
    gradient_accumulation: Annotated[
        int, typer.Option(min=1, help="batches in a step, over all processes")
    ] = 8
    learning_rate: Annotated[float, typer.Option(help="at the end of the warm-up")] = 5e-4
    warmup: Annotated[float, typer.Option(help="share of the steps")] = 0.06

    def __post_init__(self) -> None:
        self.schedule()  # what cannot be is said before a corpus is packed

    def schedule(self) -> LinearDecay:
        """Up, then down to 0."""
        return LinearDecay(self.steps, self.learning_rate, self.warmup)


def main(
    text: TextOptions, model: ModelOptions, rows: RowOptions, steps: StepOptions, run: RunOptions
) -> None:
    """Pretrain a BERT on plain or gzipped text: one paragraph a line, a blank line between documents.

    A data set of the hub is streamed, its pieces written to OUT as they come, two bytes each:
    --corpus hub:wikimedia/wikipedia:20231101.en --first 100000

    One process:  python -m lib.training.pretraining --corpus texts --out run

    Several GPUs: accelerate launch -m lib.training.pretraining --corpus texts --out run

    Two CPU processes: torchrun --nproc_per_node 2 -m lib.training.pretraining --corpus texts --out run

    A run that was killed: the same command and --resume.
    """
    validate_early(text.corpus, steps.gradient_accumulation, rows.length, model.start, run.checkpoints)
    torch.manual_seed(run.seed)
    tokenizer = text.tokenizer(model.start, run.out / "vocabulary")
    learner = model.model(tokenizer)
    fit_pair_head(learner, rows.task)
    learner.to(processes().device)
    packed = pack_once(text.documents(), tokenizer, run.out / "corpus", text.corpus, first=text.first)
    pairs = rows.pairs(packed, tokenizer, run.seed)
    processes().print(
        f"{packed.card['tokens']:,} pieces, {pairs.lost:.1%} of them in no window; "
        f"precision {run.chosen_precision}"
    )
    pretraining_trainer(
        learner,
        run.prefetched(PretrainingBatches(pairs, rows.masking())),
        steps.schedule(),
        run.checkpoints,
        compiled=run.compile,
        gradient_accumulation=steps.gradient_accumulation,
        precision=run.chosen_precision,
    ).train()


if __name__ == "__main__":
    command.run(lambda: typer.run(with_options(main)))
