"""`python course.py pretrain`: a BERT of your own. Several processes are started on this module."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from itertools import chain, islice
from pathlib import Path
from typing import Annotated, Any

import torch
import typer

from lib import command
from lib.bert import BertConfig, WordPieceTokenizer
from lib.bert.heads import BertForPreTraining
from lib.text.corpus import passed_over
from lib.text.packing import train_tokenizer
from lib.text.pretraining_batches import PretrainingBatches
from lib.text.tasks.tables import listed
from lib.training.devices import processes
from lib.training.options import with_options
from lib.training.preparing import (
    corpus_documents,
    pack_once,
    source_of,
    tokenizer_once,
    validate_early,
    validate_pieces,
)
from lib.training.pretraining import RowOptions, RunOptions, fit_pair_head, pretraining_trainer
from lib.training.schedules import LinearDecay


@dataclass(frozen=True, kw_only=True)
class TextOptions:
    """What is read, and the pieces that it is cut into."""

    corpus: Annotated[
        list[str], typer.Option(help="a text file or folder, table of texts, or hub:NAME; may be given again")
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
        typer.Option(min=0, help="learn so many pieces, uncased and without accents, into OUT/vocabulary"),
    ] = 0

    def documents(self) -> Iterable[list[str]]:
        """The documents of all corpora, read anew."""
        return chain.from_iterable(islice(corpus_documents(place), self.first) for place in self.corpus)

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

    Example: `python course.py pretrain --corpus texts --out run`

    Several GPUs: accelerate launch -m tools.pretrain --corpus texts --out run

    Two CPU processes: torchrun --nproc_per_node 2 -m tools.pretrain --corpus texts --out run

    A run that was killed: the same command and --resume.
    """
    validate_early(text.corpus, steps.gradient_accumulation, rows.length, model.start, run.checkpoints)
    for place in text.corpus:
        if names := passed_over(place):
            processes().print(f"{place}: passed over, for it is no text file: {listed(names)}.")
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
