"""AutoTinyBERT: one network of which every leading part is a BERT of another design (Yin et al., 2021).

A design is a depth, a hidden size, a number of neurons, and how many heads of which size; all layers are
alike. Its weights are the first rows and columns of the large network's matrices, so that training one design
trains a part of all larger ones. In each step one design, drawn at random, learns from a teacher.

Sizes in the comments: B texts, T tokens, D hidden size, H heads, K head size.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import astuple, dataclass, fields, replace
from functools import partial
from typing import Any, TypeVar

import torch
import torch.nn.functional as F
from torch import Tensor, nn

from lib.bert.alterations import changes_of
from lib.bert.hooks import replace_forward
from lib.bert.model import PreTrainedBert
from lib.bert.validation import validate_ours
from lib.compression.distillation.knowledge import HIDDEN_STATES, LOGITS, observe
from lib.compression.distillation.layer_maps import ANSWER, LayerPairs
from lib.compression.distillation.losses import SoftCrossEntropy, squared_error
from lib.compression.distillation.matches import Match, named, parts_of, terms_of
from lib.compression.distillation.objective import Distillation
from lib.compression.elastic.depth import LayerRule, only_layers
from lib.compression.elastic.width import first_outputs
from lib.training.features import encoder_of
from lib.training.loop import Term

P = TypeVar("P", bound=PreTrainedBert)


@dataclass(frozen=True)
class Design:
    """The sizes of a BERT, in the order in which AutoTinyBERT's search changes them."""

    layers: int
    hidden_size: int
    neurons: int
    heads: int
    head_size: int

    def __str__(self) -> str:
        return f"{self.layers} layers, {self.heads} heads, {self.neurons} neurons"

    def multiply_adds(self, length: int) -> int:
        """Those of the layers, for one text of so many tokens."""
        attention_size = self.heads * self.head_size
        matrices = self.hidden_size * (4 * attention_size + 2 * self.neurons)
        return self.layers * length * (matrices + 2 * length * attention_size)


def design_of(model: PreTrainedBert) -> Design:
    """The design of one of our models, as its config has it."""
    validate_ours("model", model, "a model with its head")
    config = model.config
    return Design(
        config.num_hidden_layers,
        config.hidden_size,
        config.intermediate_size,
        config.num_attention_heads,
        config.head_size,
    )


def head_rows(num_heads: int, head_size: int, kept: int) -> list[int]:
    """The first `kept` rows of each head, of a query matrix whose rows are num_heads * head_size.

    AutoTinyBERT's code takes these where a teacher's heads are matched, so that all heads stay; where masked
    words are learned it takes whole heads, the first ones.
    """
    if not 1 <= kept <= head_size:
        raise ValueError(f"{kept} rows of heads of {head_size}: keep from 1 to {head_size} of each.")
    return [head * head_size + row for head in range(num_heads) for row in range(kept)]


def first_layers(num_layers: int, depth: float) -> list[int]:
    """The first layers, as AutoTinyBERT takes them: a share `depth` of so many."""
    return list(range(round(depth * num_layers)))


# --- running a design, and taking it out ------------------------------------------------------------


@contextmanager
def at_design(model: PreTrainedBert, design: Design, keep: LayerRule = first_layers) -> Iterator[None]:
    """Inside this context a model with a head for texts runs as this design, on its own weights.

    Gradients reach the rows and columns that run and no others. Norms take mean and variance of the features
    that there are. keep: which layers run, of so many and this share. ValueError where the design does not
    fit in.
    """
    bert, rows = encoder_of(model), _rows(model, design)
    classifier: Any = model.classifier
    with ExitStack() as stack:

        def run(module: nn.Module, forward: Callable[..., Tensor], *first: Any) -> None:
            stack.enter_context(replace_forward(module, partial(forward, module, *first)))

        stack.enter_context(only_layers(model, _layers(model, design, keep)))
        for norm in (module for module in bert.modules() if isinstance(module, nn.LayerNorm)):
            run(norm, _first_features, design.hidden_size)
        for layer in dict.fromkeys(bert.encoder.layer):
            attention = layer.attention.self
            stack.callback(setattr, attention, "num_heads", attention.num_heads)
            attention.num_heads = design.heads
            for part in (attention.query, attention.key, attention.value):
                run(part, _some_outputs, rows)
            run(layer.attention.output.dense, _from_some_inputs, rows, design.hidden_size)
            run(layer.intermediate.dense, first_outputs, design.neurons)
            run(layer.output.dense, first_outputs, design.hidden_size)
        run(bert.pooler.dense, first_outputs, design.hidden_size)
        run(classifier, first_outputs, classifier.out_features)
        yield


def _first_features(norm: nn.LayerNorm, size: int, hidden: Tensor) -> Tensor:
    return F.layer_norm(hidden[..., :size], (size,), norm.weight[:size], norm.bias[:size], norm.eps)


def _some_outputs(linear: nn.Linear, rows: Tensor, hidden: Tensor) -> Tensor:
    return F.linear(hidden, linear.weight[rows, : hidden.size(-1)], linear.bias[rows])


def _from_some_inputs(linear: nn.Linear, columns: Tensor, size: int, heads: Tensor) -> Tensor:
    return F.linear(heads, linear.weight[:size, columns], linear.bias[:size])


@torch.no_grad()
def extracted_design(model: P, design: Design, keep: LayerRule = first_layers) -> P:
    """A plain BERT of its own with a copy of these weights, which answers as the model does at the design."""
    if changes_of(model):
        raise ValueError("The model was altered, and a design is cut out of a plain one: extract it first.")
    rows, layers = _rows(model, design).cpu(), _layers(model, design, keep)
    wide = design.heads * design.head_size != design.hidden_size
    config = replace(
        model.config,
        num_hidden_layers=design.layers,
        hidden_size=design.hidden_size,
        intermediate_size=design.neurons,
        num_attention_heads=design.heads,
        attention_head_size=design.head_size if wide else None,
    )
    small, whole = type(model)(config), model.state_dict()
    for name, tensor in small.state_dict().items():
        head, layer, rest = name.partition("encoder.layer.")
        if layer:
            number, _, part = rest.partition(".")
            name = f"{head}{layer}{layers[int(number)]}.{part}"
        source = whole[name].cpu()
        if ".attention.self." in name:
            source = source[rows]
        elif name.endswith("attention.output.dense.weight"):
            source = source[:, rows]
        tensor.copy_(source[tuple(map(slice, tensor.shape))])
    return small.to(next(model.parameters()).device).eval()


def _rows(model: PreTrainedBert, design: Design) -> Tensor:
    """The rows of query, key and value that a design has."""
    whole = design_of(model)
    for field, size, most in zip(fields(design), astuple(design), astuple(whole), strict=True):
        if not 1 <= size <= most:
            raise ValueError(f"A design of {size} {field.name} in one of {most}: give from 1 to {most}.")
    rows = head_rows(design.heads, whole.head_size, design.head_size)
    return torch.tensor(rows, device=next(model.parameters()).device)


def _layers(model: PreTrainedBert, design: Design, keep: LayerRule) -> list[int]:
    count = design_of(model).layers
    return keep(count, design.layers / count)


# --- training ---------------------------------------------------------------------------------------


def last_lesson(layers: int, teacher_layers: int) -> list[Match]:
    """What a design of so many layers learns here: the teacher's answers, and its last hidden states.

    AutoTinyBERT learns no answers, since it pretrains: the last layer's attention scores and its states,
    widened by a dense layer where a design has fewer features (`layer_maps.Projected`).
    """
    return [
        Match(LOGITS, ANSWER, SoftCrossEntropy()),
        Match(HIDDEN_STATES, LayerPairs(((layers, teacher_layers),)), squared_error),
    ]


class OneDesignAStep(Distillation):
    """A student that runs in each step as one of these designs, drawn at random; the teacher runs whole.

    The draw is PyTorch's, so a run's seed settles it. lesson: what a design of so many layers learns.
    """

    def __init__(
        self,
        student: PreTrainedBert,
        teacher: nn.Module | None,
        designs: Sequence[Design],
        lesson: Callable[[int], list[Match]],
        keep: LayerRule = first_layers,
    ) -> None:
        depths = sorted({design.layers for design in designs})
        super().__init__(student, teacher, [match for depth in depths for match in lesson(depth)])
        self.designs, self.lesson, self.keep = tuple(designs), lesson, keep

    def forward(self, **batch: Tensor) -> dict[str, Term]:
        design = self.designs[int(torch.randint(len(self.designs), ()))]
        matches = named(self.lesson(design.layers))
        student: Any = self.student
        with at_design(student, design, self.keep):
            seen = observe(student, batch, parts_of(matches.values()))
        return terms_of(matches, seen, self._observed_teacher(batch), batch)

    @property
    def fingerprint(self) -> Any:
        return {**super().fingerprint, "designs": [list(astuple(design)) for design in self.designs]}
