"""The pocket BERT: a small vocabulary, an encoder that starts from MiniLM's, and pretraining, by one command.

python -m lib.experiments.pocket_bert --corpus FOLDER --corpus FOLDER --work FOLDER --out FOLDER
"""

from __future__ import annotations

import json
import re
import string
from collections import Counter
from collections.abc import Iterable
from dataclasses import asdict, replace
from itertools import chain
from pathlib import Path
from typing import Annotated, Any

import numpy as np
import torch
import typer
from torch import Tensor

from lib import command
from lib.analysis.prediction.held_out import score, score_pieces
from lib.bert import BertConfig, BertModel, WordPieceTokenizer
from lib.bert.heads import BertForPreTraining
from lib.bert.vocabulary import count_words
from lib.bert.wordpiece import wordpiece
from lib.experiments.inputs import digest_of_model, digests
from lib.experiments.records import write as write_record
from lib.text import cast, documents, senses
from lib.text.pair_rows import SHORTEST_ROW, PairRows
from lib.text.pair_tasks import NEXT_SENTENCE
from lib.text.pretraining_batches import PretrainingBatches
from lib.text.wikitext import wikitext as articles
from lib.training.preparing import (
    check_early,
    named,
    pack_once,
    processes,
    refuse_other,
    refuse_other_pieces,
    tokenizer_once,
    write_json,
)
from lib.training.pretraining import Run, Schedule, fit_pair_head, has_bf16, read_log

NO_DROPOUT: dict[str, Any] = {"hidden_dropout_prob": 0.0, "attention_probs_dropout_prob": 0.0}
SCORED = 96  # batches of held-out text
HELD_OUT = 50  # one document in so many is never trained on
ROUNDS = 8  # in which the vocabulary is thinned


def training_documents(places: Iterable[Path]) -> Iterable[list[str]]:
    """All documents but every fiftieth."""
    every = chain.from_iterable(documents(place) for place in places)
    return (document for number, document in enumerate(every) if number % HELD_OUT != HELD_OUT - 1)


def held_out_documents(places: Iterable[Path]) -> Iterable[list[str]]:
    """Every fiftieth document."""
    every = chain.from_iterable(documents(place) for place in places)
    return (document for number, document in enumerate(every) if number % HELD_OUT == HELD_OUT - 1)


def useful_pieces(
    words: Counter[str], tokenizer: WordPieceTokenizer, size: int, always: Iterable[str] = ()
) -> list[str]:
    """The `size` pieces of a vocabulary that save most on these words, in the order of their old ids.

    Kept in any case: special tokens, printable ASCII and its ## twins, and `always`. Of the others, those go
    first that save least: occurrences times the pieces that would stand in for one, less one. It is done in
    rounds, for what a piece saves depends on which others are there.
    """
    kept = set(tokenizer.vocab)
    needed = {*tokenizer.all_special_tokens, *always}
    for character in string.ascii_lowercase + string.digits + string.punctuation:
        needed |= {character, f"##{character}"}
    needed &= kept
    if size < len(needed):
        raise ValueError(f"{len(needed):,} pieces are kept in any case: {size:,} are too few.")
    for round_ in range(1, ROUNDS + 1):
        target = round(len(tokenizer) * (size / len(tokenizer)) ** (round_ / ROUNDS))
        uses: Counter[str] = Counter()
        for word, count in words.items():
            for piece in wordpiece(word, kept):
                uses[piece] += count
        saved = {piece: uses[piece] * (_pieces_without(piece, kept) - 1) for piece in kept - needed}
        best = sorted(saved, key=lambda piece: (-saved[piece], piece))
        kept = needed | set(best[: target - len(needed)])
    return sorted(kept, key=tokenizer.vocab.__getitem__)


def _pieces_without(piece: str, kept: set[str]) -> int:
    """How many other pieces would stand in for this one; 20 if it could not be written at all."""
    prefix, text = ("##", piece[2:]) if piece.startswith("##") else ("", piece)
    start = count = 0
    while start < len(text):
        end = len(text)
        while end > start and (prefix + text[start:end] not in kept or prefix + text[start:end] == piece):
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
            refuse_other(folder, json.loads(path.read_text(encoding="utf-8")), {"start": start})
        elif processes().is_main_process:
            write_json(path, {"start": start})


def curve(log: list[dict[str, float]], points: int = 50) -> dict[str, list[float]]:
    """A run's log as means over stretches of equal length, each at the tokens seen by its end."""
    tokens = np.cumsum([entry["tokens"] for entry in log])
    parts = np.array_split(np.arange(len(log)), min(points, len(log)))
    found: dict[str, list[float]] = {"tokens": [int(tokens[part[-1]]) for part in parts]}
    for name in ("masked_lm", "right", "pairs_right"):
        found[name] = [round(float(np.mean([log[i][name] for i in part])), 4) for part in parts]
    return found


def followed(before: dict[str, Any], after: dict[str, list[float]]) -> dict[str, list[float]]:
    """The curve of a run that went on, after that of the run before it: tokens are counted through."""
    if not before:
        return after
    seen = before["tokens"][-1]
    moved = after | {"tokens": [seen + tokens for tokens in after["tokens"]]}
    return {name: [*before[name], *moved[name]] for name in after}


def _earlier(start: str) -> dict[str, Any]:
    """What the run in the folder `start` recorded; nothing where `start` names no run."""
    path = Path(start, "record.json")
    return dict(json.loads(path.read_text(encoding="utf-8"))["results"][0]) if path.is_file() else {}


def cost_in_pieces(tokenizer: WordPieceTokenizer, words: Counter[str]) -> dict[str, float]:
    """Pieces a word, and the shares of words that are split and that are [UNK]: what a vocabulary costs."""
    kept, total = set(tokenizer.vocab), words.total()
    cut = {word: wordpiece(word, kept) for word in words}
    return {
        "pieces a word": sum(count * len(cut[word]) for word, count in words.items()) / total,
        "words split": sum(count for word, count in words.items() if len(cut[word]) > 1) / total,
        "words unknown": sum(count for word, count in words.items() if cut[word] == ["[UNK]"]) / total,
    }


def main(
    corpus: Annotated[list[Path], typer.Option(help="a text file or a folder of them; may be given again")],
    work: Annotated[Path, typer.Option(help="vocabulary and packed corpora: made once, shared by all runs")],
    out: Annotated[Path, typer.Option(help="this run's folder: checkpoints, model, record.json")],
    start: Annotated[
        str, typer.Option("--start-from", help="minilm, random (the twin), or the folder of a run")
    ] = "minilm",
    wikitext: Annotated[
        Path | None, typer.Option(exists=True, dir_okay=False, help="a WikiText file, scored at the end too")
    ] = None,
    size: Annotated[int, typer.Option(min=1, help="pieces in the vocabulary")] = 9000,
    length: Annotated[int, typer.Option(min=SHORTEST_ROW, help="pieces in a row")] = 128,
    batch_size: Annotated[int, typer.Option(min=1, help="rows that a process reads at a time")] = 16,
    chunks: Annotated[int, typer.Option(min=1, help="batches in a step, over all processes")] = 2,
    steps: Annotated[int, typer.Option(min=1, help="updates of the weights")] = 2400,
    learning_rate: Annotated[float, typer.Option(help="at the end of the warm-up")] = 5e-4,
    seed: Annotated[int, typer.Option(help="of order and masks; a run that goes on takes another")] = 0,
    resume: Annotated[bool, typer.Option(help="go on with the run in OUT, exactly where it stood")] = False,
) -> None:
    """Make the pocket BERT: choose its pieces, pack the corpora, pretrain from MiniLM's weights, score it.

    Every fiftieth document is held out, and the scores are on those. OUT/half holds the model in half
    precision, OUT/record.json its curve and scores. The twin is the same command with --start-from random.

    Several GPUs: accelerate launch -m lib.experiments.pocket_bert, and the same options

    Two CPU processes: torchrun --nproc_per_node 2 -m lib.experiments.pocket_bert, and the same options
    """

    schedule = Schedule(steps, chunks, learning_rate, warmup=0.06)
    check_early(corpus, schedule.chunks, length, "minilm" if start == "random" else start, out, resume)
    keep_start(out, start, resume)

    def choose() -> WordPieceTokenizer:
        paragraphs = (paragraph for document in training_documents(corpus) for paragraph in document)
        full = WordPieceTokenizer.from_pretrained("minilm")
        return WordPieceTokenizer(useful_pieces(count_words(paragraphs), full, size, leaned_on()))

    source = {"pieces": size, "corpus": named(corpus)}
    tokenizer = tokenizer_once(work / "vocabulary", source, choose)
    if start not in ("minilm", "random"):
        refuse_other_pieces(start, tokenizer)
    texts = {"train": (training_documents(corpus), corpus), "held out": (held_out_documents(corpus), corpus)}
    if wikitext is not None:
        texts["wikitext"] = articles(wikitext), [wikitext]
    packed = {
        name: pack_once(text, tokenizer, work / name.replace(" ", "_"), places)
        for name, (text, places) in texts.items()
    }
    rows = {name: PairRows(part, tokenizer, length, batch_size) for name, part in packed.items()}
    torch.manual_seed(0)
    model = start_of(start, list(tokenizer.vocab))
    train = PretrainingBatches(replace(rows.pop("train"), seed=seed))
    fit_pair_head(model, NEXT_SENTENCE)
    # before training: a corpus that is moved meanwhile takes nothing with it
    words = count_words(paragraph for document in held_out_documents(corpus) for paragraph in document)
    precision = "bf16" if has_bf16() else "no"
    Run(model, train, schedule, out, precision, save_every=100, resume=resume).train()
    if not processes().is_main_process:
        return
    model.half().float()  # what is scored is what is stored
    scores = {}
    for name, pairs in rows.items():
        held_out = PretrainingBatches(pairs)
        scores[name] = score_pieces(model.eval(), held_out, SCORED) | {
            "words": score(model, held_out, SCORED)["words"]
        }
        typer.echo(f"{name}: " + ", ".join(f"{what} {value:.3f}" for what, value in scores[name].items()))
    model.half().save_pretrained(out / "half")
    tokenizer.save_pretrained(out / "half")
    log, before = read_log(out), _earlier(start)
    this = asdict(schedule) | {"seed": seed, "rows": batch_size * chunks, "scores": scores}
    result = {
        "start": before.get("start", start),
        "runs": [*before.get("runs", []), this],
        "length": length,
        "tokens in the corpus": packed["train"].card["tokens"],
        "vocabulary": cost_in_pieces(tokenizer, words),
        "scores": scores,
        **followed(before, curve(log)),
    }
    seconds = sum(entry["seconds"] for entry in log) + before.get("seconds", 0.0)
    result["seconds"] = round(seconds)
    inputs = digests(["minilm"]) | (
        {} if result["start"] == "random" else {"pocket": digest_of_model(out / "half")}
    )
    read = {name: part.card["fingerprint"] for name, part in packed.items()}
    about = "A pretraining run of the pocket BERT's recipe"
    write_record("record", about, seconds, (seed,), (result,), out, inputs, {"fingerprints": read})


if __name__ == "__main__":
    command.run(lambda: typer.run(main))
