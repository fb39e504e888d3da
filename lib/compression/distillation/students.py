"""Students: some layers of the teacher, or a new and smaller model.

Both begin in eval(), as loaded models do; what was trained of a new one: nothing.
"""

from __future__ import annotations

import copy
from collections.abc import Sequence
from dataclasses import replace
from typing import Any, TypeVar

import torch
from torch import nn

from lib.bert import WordPieceTokenizer
from lib.bert.alterations import changes_of
from lib.bert.model import PreTrainedBert
from lib.training.features import encoder_of

M = TypeVar("M", bound=nn.Module)
P = TypeVar("P", bound=PreTrainedBert)

#: what a new student is like unless it is said otherwise
SMALL: dict[str, Any] = {"num_hidden_layers": 2, "hidden_size": 128, "num_attention_heads": 2}


def cut_student(teacher: M, layers: Sequence[int]) -> M:
    """A copy of the teacher with these of its layers, counted from 0, in this order; the rest is whole.

    `layer_maps.distilbert_layers(6, 12)` are DistilBERT's, `range(6)` PKD's. Ours and `transformers`' models.
    """
    if changes_of(teacher):
        raise ValueError(
            "The teacher was altered, in layers that the student numbers otherwise: cut the student from a "
            "plain model (lib.bert.alterations.simplify makes some plain), and alter it then."
        )
    count = len(encoder_of(teacher).encoder.layer)
    if not layers or not all(0 <= layer < count for layer in layers):
        raise ValueError(f"The layers {list(layers)} of {count}: give numbers from 0 to {count - 1}.")
    student = copy.deepcopy(teacher)
    student.requires_grad_(True).zero_grad()
    bert = encoder_of(student)
    # copied once more: a layer that is taken twice learns as two
    bert.encoder.layer = nn.ModuleList(copy.deepcopy(bert.encoder.layer[layer]) for layer in layers)
    _note(student, num_hidden_layers=len(layers))
    return student.eval()


def new_student(teacher: P, seed: int = 0, **sizes: Any) -> P:
    """A model like the teacher but small: 2 layers, 128 wide unless `sizes` says otherwise, random weights.

    sizes: entries of `BertConfig`, such as `vocab_size` for a tokenizer of its own. For attention to be
    matched it needs as many heads as the teacher: hidden_size=192, num_attention_heads=12.
    """
    usual = SMALL | {"intermediate_size": 4 * sizes.get("hidden_size", SMALL["hidden_size"])}
    torch.manual_seed(seed)
    config = replace(teacher.config, attention_head_size=None, other={})
    return type(teacher)(replace(config, **(usual | sizes))).eval()


def with_vocabulary(model: M, theirs: WordPieceTokenizer, own: WordPieceTokenizer) -> M:
    """A copy of the model that reads the pieces of another tokenizer, all of which it has to know.

    theirs: the tokenizer that the model has read so far. Its table keeps the rows of the other's pieces, in
    their order, so models of two vocabularies can read the same numbers. Not for one with a masked-LM head.
    """
    if missing := sorted(own.vocab.keys() - theirs.vocab.keys()):
        raise ValueError(
            f"{len(missing)} pieces are new to the model, such as {missing[0]!r}: give a part of its own."
        )
    if hasattr(model, "cls"):
        raise ValueError("The decoder of a masked-LM head knows the old pieces: take a model without one.")
    copied = copy.deepcopy(model)
    bert = encoder_of(copied)
    places = [theirs.vocab[piece] for piece in sorted(own.vocab, key=own.vocab.__getitem__)]
    table = bert.embeddings.word_embeddings.weight.detach()[places]
    bert.embeddings.word_embeddings = nn.Embedding.from_pretrained(table, False, own.pad_token_id)
    _note(copied, vocab_size=len(places))
    return copied


def _note(model: nn.Module, **sizes: int) -> None:
    """Let every config in the model say these sizes."""
    modules: list[Any] = [module for module in model.modules() if hasattr(module, "config")]
    for module in modules:
        for name, size in sizes.items():
            setattr(module.config, name, size)


def new_layers(teacher: P, count: int, seed: int = 0) -> P:
    """A student of so many new layers, as wide as the teacher's, over its embeddings, which stay as they are.

    Its layers and head are random, so no layer of it stands nearer to one of the teacher's than to another;
    and frozen embeddings are most of the weights that would be trained.
    """
    config = teacher.config
    student = new_student(
        teacher,
        seed,
        num_hidden_layers=count,
        hidden_size=config.hidden_size,
        num_attention_heads=config.num_attention_heads,
        intermediate_size=config.intermediate_size,
    )
    embeddings = encoder_of(student).embeddings
    embeddings.load_state_dict(encoder_of(teacher).embeddings.state_dict())
    embeddings.requires_grad_(False)
    return student
