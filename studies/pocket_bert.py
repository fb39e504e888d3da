"""The pocket BERT: a small vocabulary, an encoder that starts from MiniLM's, and what pretraining it takes.

`python course.py make pocket-bert` follows the recipe from the corpora to the scores (`tools.pocket_bert`).
"""

from __future__ import annotations

import json
import math
import re
import string
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from datetime import date
from pathlib import Path
from typing import Annotated, Any

import numpy as np
import torch
import typer
from torch import Tensor
from tqdm import tqdm

from lib.analysis.prediction.held_out import score, score_pieces
from lib.bert import BertConfig, BertModel, WordPieceTokenizer
from lib.bert.heads import BertForPreTraining
from lib.bert.vocabulary import count_words
from lib.bert.wordpiece import wordpiece
from lib.files import write_json
from lib.provenance import commit, machine
from lib.records import Run, table, write_table
from lib.text import cast, senses
from lib.text.corpus import held_out_documents, training_documents
from lib.text.packing import PackedCorpus
from lib.text.pair_rows import PairRows
from lib.text.pretraining_batches import PretrainingBatches, RowSource
from lib.text.wikitext import wikitext as articles
from lib.training.checkpoints import validate_same
from lib.training.devices import processes
from lib.training.loop import Batch, Callback, Trainer
from lib.training.preparing import pack_once, read_json, source_of, tokenizer_once
from lib.training.pretraining import RowOptions
from lib.training.schedules import Trapezoid

NO_DROPOUT: dict[str, Any] = {"hidden_dropout_prob": 0.0, "attention_probs_dropout_prob": 0.0}
SCORED = 96  # batches of held-out text
FEW_SCORED = 8  # of them, while it trains
ROUNDS = 8  # in which the vocabulary is thinned


def useful_pieces(
    words: Counter[str], tokenizer: WordPieceTokenizer, size: int, always: Iterable[str] = ()
) -> list[str]:
    """The `size` pieces of a vocabulary that save most on these words, in the order of their old ids.

    Kept in any case: special tokens, printable ASCII and its ## twins, and `always`. Of the others, those go
    first that save least: occurrences times the pieces that would stand in for one, less one. It is done in
    rounds, for what a piece saves depends on which others are there.
    """
    vocab = set(tokenizer.vocab)
    needed = {*tokenizer.all_special_tokens, *always}
    for character in string.ascii_lowercase + string.digits + string.punctuation:
        needed |= {character, f"##{character}"}
    needed &= vocab
    if size < len(needed):
        raise ValueError(f"{len(needed):,} pieces are kept in any case: {size:,} are too few.")
    for round_ in range(1, ROUNDS + 1):
        target = round(len(tokenizer) * (size / len(tokenizer)) ** (round_ / ROUNDS))
        uses: Counter[str] = Counter()
        for word, count in words.items():
            for piece in wordpiece(word, vocab):
                uses[piece] += count
        saved = {piece: uses[piece] * (_pieces_without(piece, vocab) - 1) for piece in vocab - needed}
        best = sorted(saved, key=lambda piece: (-saved[piece], piece))
        vocab = needed | set(best[: target - len(needed)])
    return sorted(vocab, key=tokenizer.vocab.__getitem__)


def _pieces_without(piece: str, vocab: set[str]) -> int:
    """How many other pieces would stand in for this one; 20 if it could not be written at all."""
    prefix, text = ("##", piece[2:]) if piece.startswith("##") else ("", piece)
    start = count = 0
    while start < len(text):
        end = len(text)
        while end > start and (prefix + text[start:end] not in vocab or prefix + text[start:end] == piece):
            end -= 1
        if end == start:
            return 20
        prefix, start, count = "##", end, count + 1
    return count


def from_minilm(pieces: list[str], **changes: Any) -> BertForPreTraining:
    """A model whose encoder and rows of pieces are MiniLM's; its pretraining heads are drawn at random."""
    minilm = BertModel.from_pretrained("minilm")
    tokenizer = WordPieceTokenizer.from_pretrained("minilm")
    config = BertConfig(**{**_shape(minilm.config), "vocab_size": len(pieces), **changes})
    model = BertForPreTraining(config)
    weights: dict[str, Tensor] = {f"bert.{name}": tensor for name, tensor in minilm.state_dict().items()}
    rows = torch.tensor(tokenizer.convert_tokens_to_ids(pieces))
    name = "bert.embeddings.word_embeddings.weight"
    weights[name] = weights[name][rows]
    unknown = model.load_state_dict(weights, strict=False).unexpected_keys
    assert not unknown, unknown
    return model


def _shape(config: BertConfig) -> dict[str, int]:
    names = ("hidden_size", "num_hidden_layers", "num_attention_heads", "intermediate_size")
    return {name: getattr(config, name) for name in names}


def leaned_on() -> set[str]:
    """Words that the notebooks lean on, which are to stay whole."""
    return set(re.findall(r"[a-z]+", " ".join(cast()).lower())) | {mark.word for mark in senses()}


def start_of(start: str | Path, pieces: list[str]) -> BertForPreTraining:
    """What a run begins with: "minilm", "random" weights in MiniLM's shape, or an earlier run's folder."""
    if start == "minilm":
        return from_minilm(pieces, **NO_DROPOUT)
    if start == "random":
        shape: dict[str, Any] = _shape(BertModel.from_pretrained("minilm").config)
        return BertForPreTraining(BertConfig(vocab_size=len(pieces), **shape, **NO_DROPOUT))
    return BertForPreTraining.from_pretrained(start, **NO_DROPOUT)


def keep_start(folder: Path, start: str, resume: bool) -> None:
    """Write down what the run in `folder` starts from; ValueError if it goes on and began otherwise."""
    path = folder / "start.json"
    with processes().main_process_first():
        if resume and path.is_file():
            validate_same(folder, read_json(path), {"start": start})
        elif processes().is_main_process:
            write_json(path, {"start": start})


@dataclass(frozen=True)
class OtherAtTheEnd:
    """One kind of batches, and from the batch `begins` on others in turn (Devlin et al., 2019, A.2).

    `share` is what the beginning follows from, a share of the schedule's decay, which may be undecided yet.
    """

    first: PretrainingBatches
    last: tuple[PretrainingBatches, ...]
    share: float
    begins: float

    @property
    def rows(self) -> RowSource:
        """Those of the first; the others differ in their shape alone."""
        return self.first.rows

    def __call__(self, number: int) -> Batch:
        batches = self.last[number % len(self.last)] if number >= self.begins else self.first
        return batches(number)

    @property
    def fingerprint(self) -> Any:
        """Without the beginning, of which the schedule's fingerprint knows."""
        last = [batches.fingerprint for batches in self.last]
        return {"first": self.first.fingerprint, "last": last, "share": self.share}


class HeldOutCurve(Callback):
    """Scores the model on the same held-out batches every so many steps.

    Each score goes to the screen and, as a line of JSON, into `file`.
    """

    def __init__(self, model: BertForPreTraining, batches: list[Batch], every: int, file: Path):
        self.model, self.batches, self.every, self.file = model, batches, every, file

    def after_step(self, trainer: Trainer, measured: dict[str, float]) -> None:
        if trainer.steps_done % self.every:
            return
        with torch.compiler.set_stance("force_eager"):  # inference would be compiled anew
            scores = score_pieces(self.model, self.batches.__getitem__, len(self.batches))
        entry = {"step": trainer.steps_done} | {name: round(value, 4) for name, value in scores.items()}
        self.file.parent.mkdir(parents=True, exist_ok=True)
        with self.file.open("a", encoding="utf-8") as lines:
            lines.write(json.dumps(entry) + "\n")
        tqdm.write(" ".join(f"{name} {value}" for name, value in entry.items()))


def curve(log: list[dict[str, float]], points: int = 50) -> dict[str, list[float]]:
    """A run's log as means over stretches of equal length, each at the tokens seen by its end."""
    tokens = np.cumsum([entry["tokens"] for entry in log])
    parts = np.array_split(np.arange(len(log)), min(points, len(log)))
    means: dict[str, list[float]] = {"tokens": [int(tokens[part[-1]]) for part in parts]}
    for name in ("masked_lm", "right", "pairs_right"):
        means[name] = [round(float(np.mean([log[i][name] for i in part])), 4) for part in parts]
    return means


def followed(before: dict[str, Any], after: dict[str, list[float]]) -> dict[str, list[float]]:
    """The curve of a run that went on, after that of the run before it: tokens are counted through."""
    if not before:
        return after
    seen = before["tokens"][-1]
    moved = after | {"tokens": [seen + tokens for tokens in after["tokens"]]}
    return {name: [*before[name], *moved[name]] for name in after}


def earlier(start: str) -> dict[str, Any]:
    """What the run in the folder `start` recorded; nothing where `start` names no run."""
    if not Path(start, "record.json").is_file():
        return {}
    before = table("record", Path(start)).rows[0]
    return before.scores | before.costs


def write_run(
    folder: Path, seed: int, scores: dict[str, Any], seconds: float, inputs: dict[str, str]
) -> None:
    """Write FOLDER/record.json: a record of one row, as `data/records/pocket.json` has one for each start."""
    made_with = {
        "how": "tools.pocket_bert",
        "version": 1,
        "inputs": inputs,
        "torch": torch.__version__.partition("+")[0],
        "commit": commit(),
        "date": date.today().isoformat(),
        "machine": machine(),
    }
    row = Run("pretraining", str(scores["start"]), seed, scores, {"seconds": round(seconds)}, made_with)
    write_table("record", "A pretraining run of the pocket BERT's recipe", [row], folder)


def held_out_scores(model: BertForPreTraining, rows: PairRows) -> dict[str, float]:
    """What is right on text that was not read, masked as ever, however much was hidden while learning.

    As `lib.analysis.prediction.held_out` has it: by pieces, and `words` where whole words are hidden.
    """
    batches = PretrainingBatches(rows)
    return score_pieces(model, batches, SCORED) | {"words": score(model, batches, SCORED)["words"]}


def cost_in_pieces(tokenizer: WordPieceTokenizer, words: Counter[str]) -> dict[str, float]:
    """Pieces a word, and the shares of words that are split and that are [UNK]: what a vocabulary costs."""
    vocab, total = set(tokenizer.vocab), words.total()
    cut = {word: wordpiece(word, vocab) for word in words}
    return {
        "pieces a word": sum(count * len(cut[word]) for word, count in words.items()) / total,
        "words split": sum(count for word, count in words.items() if len(cut[word]) > 1) / total,
        "words unknown": sum(count for word, count in words.items() if cut[word] == ["[UNK]"]) / total,
    }


@dataclass(frozen=True, kw_only=True)
class RecipeOptions:
    """Where the texts are, and what the model begins with."""

    corpus: Annotated[list[Path], typer.Option(help="a text file or a folder of them; may be given again")]
    work: Annotated[Path, typer.Option(help="vocabulary and packed corpora: made once, shared by all runs")]
    start: Annotated[
        str, typer.Option("--start-from", help="minilm, random (the twin), or the folder of a run")
    ] = "minilm"
    wikitext: Annotated[
        Path | None, typer.Option(exists=True, dir_okay=False, help="a WikiText file, scored at the end too")
    ] = None
    size: Annotated[int, typer.Option(min=1, help="pieces in the vocabulary")] = 9000

    def tokenizer(self) -> WordPieceTokenizer:
        """The pieces that save most on the texts; chosen once."""
        return tokenizer_once(
            self.work / "vocabulary", {"pieces": self.size, **source_of(self.corpus)}, self._choose
        )

    def _choose(self) -> WordPieceTokenizer:
        paragraphs = (paragraph for document in training_documents(self.corpus) for paragraph in document)
        full = WordPieceTokenizer.from_pretrained("minilm")
        return WordPieceTokenizer(useful_pieces(count_words(paragraphs), full, self.size, leaned_on()))

    def packed(self, tokenizer: WordPieceTokenizer, kept: list[list[str]]) -> dict[str, PackedCorpus]:
        """`train`, `held out` and perhaps `wikitext`, packed once, in one reading of the texts.

        kept: where the held-out documents go if that is done now.
        """

        def held_out() -> Iterator[list[str]]:
            yield from kept or held_out_documents(self.corpus)

        texts = {
            "train": (training_documents(self.corpus, kept), self.corpus),
            "held out": (held_out(), self.corpus),
        }
        if self.wikitext is not None:
            texts["wikitext"] = articles(self.wikitext), [self.wikitext]
        return {
            name: pack_once(text, tokenizer, self.work / name.replace(" ", "_"), places)
            for name, (text, places) in texts.items()
        }

    def cost(self, tokenizer: WordPieceTokenizer, kept: list[list[str]]) -> dict[str, float]:
        """What the vocabulary costs on the held-out text; counted once, in `kept` if it is there."""
        path = self.work / "cost.json"
        with processes().main_process_first():
            if not path.is_file():
                held_out = kept or held_out_documents(self.corpus)
                words = count_words(paragraph for document in held_out for paragraph in document)
                write_json(path, cost_in_pieces(tokenizer, words))
        return read_json(path)


@dataclass(frozen=True, kw_only=True)
class TrapezoidOptions:
    """How many steps, how large they are, and how the learning rate goes up, stays, and goes down."""

    steps: Annotated[
        int, typer.Option(min=1, help="updates of the weights; with --resume and more of them it goes on")
    ] = 2400
    gradient_accumulation: Annotated[
        int, typer.Option(min=1, help="batches in a step, over all processes")
    ] = 2
    learning_rate: Annotated[float, typer.Option(help="at the end of the warm-up")] = 5e-4
    warmup_steps: Annotated[int, typer.Option(min=0, help="so many go up")] = 144
    decay_steps: Annotated[
        int, typer.Option(min=0, help="the last so many go down to 0; 0 while the end is not decided")
    ] = 2256
    second_beta: Annotated[
        float, typer.Option(min=0, max=1, help="AdamW's; 0.98 for large batches (Liu et al., 2019)")
    ] = 0.999
    last_share: Annotated[
        float, typer.Option(min=0, max=1, help="share of the decay that is read as the next options say")
    ] = 0.0
    last_mask_rate: Annotated[float, typer.Option(help="share of the pieces hidden at the end")] = 0.15
    long_every: Annotated[int, typer.Option(min=1, help="at the end, one batch in so many has long rows")] = 1
    long_length: Annotated[int, typer.Option(min=1, help="pieces in a long row")] = 512

    def __post_init__(self) -> None:
        self.schedule()  # what cannot be is said before a corpus is packed

    def schedule(self) -> Trapezoid:
        """Up, stay, down."""
        if not self.decay_steps:
            return Trapezoid(self.learning_rate, self.warmup_steps)
        decay_from = self.steps - self.decay_steps
        return Trapezoid(self.learning_rate, self.warmup_steps, decay_from, self.decay_steps)

    def batches(
        self, packed: PackedCorpus, tokenizer: WordPieceTokenizer, rows: RowOptions, seed: int
    ) -> OtherAtTheEnd:
        """Rows of the given length, and in the last share of the decay as many pieces in long ones."""
        end = replace(rows, mask_rate=self.last_mask_rate)
        many = max(1, rows.batch_size * rows.length // self.long_length)
        long = replace(end, length=self.long_length, batch_size=many)
        first, short, wide = (
            PretrainingBatches(kind.pairs(packed, tokenizer, seed), kind.masking())
            for kind in (rows, end, long if self.last_share else end)
        )
        last = self.schedule().steps
        begins = math.inf if last is None else last - round(self.last_share * self.decay_steps)
        in_turn = (*(self.long_every - 1) * (short,), wide)
        return OtherAtTheEnd(first, in_turn, self.last_share, begins * self.gradient_accumulation)
