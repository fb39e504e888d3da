"""The pocket BERT: a small vocabulary, an encoder that starts from MiniLM's, and pretraining, by one command.

python -m lib.training.pocket --corpus FOLDER --corpus FOLDER --work FOLDER
"""

from __future__ import annotations

import re
import string
from collections import Counter
from collections.abc import Iterable
from itertools import chain
from pathlib import Path
from typing import Annotated, Any

import torch
import typer
from torch import Tensor

from lib.bert import BertConfig, BertModel, WordPieceTokenizer
from lib.bert.heads import BertForPreTraining
from lib.bert.vocabulary import count_words
from lib.bert.wordpiece import wordpiece
from lib.text import cast, documents, senses
from lib.text.packing import PackedCorpus, pack
from lib.training.held_out import score
from lib.training.pairs import PairBatches
from lib.training.pretraining import Run, Schedule, has_bf16

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


def main(
    corpus: Annotated[list[Path], typer.Option(help="a text file or a folder of them; may be given again")],
    out: Annotated[
        Path, typer.Option(help="the run's folder: vocabulary, packed corpora, checkpoints, model")
    ],
    size: Annotated[int, typer.Option(help="pieces in the vocabulary")] = 9000,
    length: Annotated[int, typer.Option(help="pieces in a row")] = 128,
    batch_size: Annotated[int, typer.Option(help="rows that a process reads at a time")] = 16,
    chunks: Annotated[int, typer.Option(help="batches in a step, over all processes")] = 8,
    steps: Annotated[int, typer.Option(help="updates of the weights")] = 4000,
    learning_rate: Annotated[float, typer.Option(help="at the end of the warm-up")] = 7e-4,
    resume: Annotated[bool, typer.Option(help="go on with the run in OUT, exactly where it stood")] = False,
) -> None:
    """Make the pocket BERT: choose its pieces, pack the corpora, pretrain from MiniLM's weights, score it.

    Every fiftieth document is held out; the scores at the end are on those.
    """
    tokenizer = _tokenizer(corpus, out / "vocabulary", size)
    train, held_out = (
        PackedCorpus(out / name) if (out / name).exists() else pack(chosen(corpus), tokenizer, out / name)
        for name, chosen in (("train", training_documents), ("held_out", held_out_documents))
    )
    torch.manual_seed(0)
    model = from_minilm(list(tokenizer.vocab), hidden_dropout_prob=0.0, attention_probs_dropout_prob=0.0)
    batches = PairBatches(train, tokenizer, length, batch_size)
    schedule = Schedule(steps, chunks, learning_rate, warmup=0.06)
    precision = "bf16" if has_bf16() else "no"
    Run(model, batches, schedule, out, precision, save_every=100, resume=resume).train()
    found = score(model.eval(), PairBatches(held_out, tokenizer, length, batch_size), count=64)
    typer.echo("held out: " + ", ".join(f"{name} {value:.3f}" for name, value in found.items()))


def _tokenizer(corpus: list[Path], folder: Path, size: int) -> WordPieceTokenizer:
    """The tokenizer in `folder`, chosen on the training documents if there is none."""
    if not folder.exists():
        paragraphs = (paragraph for document in training_documents(corpus) for paragraph in document)
        full = WordPieceTokenizer.from_pretrained("minilm")
        pieces = useful_pieces(count_words(paragraphs), full, size, leaned_on())
        WordPieceTokenizer(pieces).save_pretrained(folder)
    return WordPieceTokenizer.from_pretrained(folder)


if __name__ == "__main__":
    typer.run(main)
