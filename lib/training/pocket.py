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
from typing import Any

import torch
from torch import Tensor

from lib.bert import BertConfig, BertModel, WordPieceTokenizer
from lib.bert.heads import BertForPreTraining
from lib.text import cast, documents, senses

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


def count_words(texts: Iterable[list[str]], tokenizer: WordPieceTokenizer) -> Counter[str]:
    """How often each word occurs, as the tokenizer sees words: cut at spaces and punctuation."""
    from lib.text.packing import fast_tokenizer

    fast = fast_tokenizer(tokenizer)
    words: Counter[str] = Counter()
    for document in texts:
        for paragraph in document:
            normal = fast.normalizer.normalize_str(paragraph)
            words.update(re.findall(r"\w+|[^\w\s]", normal))
    return words


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
        vocabulary = WordPieceTokenizer(sorted(kept, key=tokenizer.vocab.__getitem__))
        uses: Counter[str] = Counter()
        for word, count in words.items():
            for piece in vocabulary._pieces(word):
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
