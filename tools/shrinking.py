"""A fine-tuned model made smaller, step by step: layers, heads and neurons, zeros, bits."""

from __future__ import annotations

import copy
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Annotated, Any

import typer
from torch import nn

from lib.bert.alterations import parametrize
from lib.bert.model import PreTrainedBert
from lib.compression.distillation.knowledge import LABELS, TOKEN_LOGITS
from lib.compression.distillation.layer_maps import ANSWER
from lib.compression.distillation.losses import SoftenedKL, cross_entropy
from lib.compression.distillation.matches import Match
from lib.compression.distillation.methods import hinton, hinton_grades, hinton_spans
from lib.compression.distillation.objective import Distillation
from lib.compression.distillation.training import distill
from lib.compression.ledger.counting import unique_parameters
from lib.compression.parts import BERT_PARTS, OTHER, answering, left_out, paths_of
from lib.compression.pruning.choosing import least_important, least_important_of_each
from lib.compression.pruning.heads import remove_heads
from lib.compression.pruning.importance import gate_gradients, importance_of_heads, importance_of_neurons
from lib.compression.pruning.masks import add_masks, masks_of, prune
from lib.compression.pruning.neurons import remove_neurons
from lib.compression.quantizers.codebooks import CodebookQuantization
from lib.compression.quantizers.fake import LinearQuantization
from lib.compression.quantizers.linear import positive_codes, unsigned_codes
from lib.compression.quantizers.model import compute_weights
from lib.compression.quantizers.sparse_codes import SparseCodes
from lib.training.devices import processes
from lib.training.features import encoder_of
from lib.training.finetuning import Recipe
from lib.training.task_kinds import Regression, SpanExtraction, Tagging, TaskKind
from tools.own_models import OwnModel, keep_layers, layers_of

JUDGED_BY = 16  # batches of training rows, which say what heads and neurons are worth


@dataclass(frozen=True, kw_only=True)
class Smaller:
    """What is taken away."""

    layers: Annotated[int | None, typer.Option(help="keep so many layers")] = None
    heads: Annotated[
        float | None, typer.Option(help="take out this share of the attention heads, those worth least")
    ] = None
    neurons: Annotated[
        float | None, typer.Option(help="take out this share of each layer's neurons, those worth least")
    ] = None
    sparsity: Annotated[
        float | None, typer.Option(help="set this share of the layers' weights to 0, the smallest")
    ] = None
    bits: Annotated[int | None, typer.Option(help="round weights to so many bits: 2 to 8")] = None
    book: Annotated[
        bool, typer.Option("--book", help="with --bits: to the values of a book made for them, 1 to 8 bits")
    ] = False

    @property
    def trains(self) -> bool:
        """Whether something is cut that training mends."""
        cuts = (self.layers, self.heads, self.neurons, self.sparsity)
        return any(cut is not None for cut in cuts)

    def validate(self, model: Any) -> None:
        """ValueError, in a sentence, for what this model cannot become."""
        if self.book and self.bits is None:
            raise ValueError("--book needs to know how large: give --bits 3 with it.")
        if not self.trains and self.bits is None:
            raise ValueError("Say how it becomes small: --bits 8, --layers 3 --teach, --sparsity 0.7, ...")
        if self.bits is not None:
            unsigned_codes(self.bits) if self.book else positive_codes(self.bits)
        for name in ("heads", "neurons", "sparsity"):
            share = getattr(self, name)
            if share is not None and not 0 < share < 1:
                raise ValueError(f"--{name} {share}: give the share that goes, between 0 and 1, such as 0.5.")
        if self.layers is not None:
            count = len(layers_of(model))
            if not 1 <= self.layers < count:
                raise ValueError(
                    f"--layers {self.layers}: the model has {count}, so give 1 to {count - 1} to keep."
                )
        if not (self.heads or self.neurons):
            return
        if not isinstance(model, PreTrainedBert):
            raise ValueError(
                f"--heads and --neurons know the layers of a BERT, and this is a {type(model).__name__}: "
                "give --layers or --sparsity instead."
            )
        layers = encoder_of(model).encoder.layer[: self.layers]
        numbers = [layer.attention.self.num_heads for layer in layers]
        widths = min(layer.intermediate.dense.out_features for layer in layers)
        _validate_share("heads", self.heads, sum(numbers), sum(numbers) - len(numbers))
        _validate_share("neurons", self.neurons, widths, widths - 1)


def _validate_share(name: str, share: float | None, there: int, most: int) -> None:
    if share is not None and not 1 <= int(share * there) <= most:
        raise ValueError(
            f"--{name} {share} would take {int(share * there)} of {there}: 1 to {most} can go, since each "
            "layer keeps one."
        )


@dataclass(frozen=True, kw_only=True)
class Learning:
    """How the model learns again what a cut has cost."""

    teach: Annotated[
        bool, typer.Option("--teach", help="learn from the model's answers as it was, too (distillation)")
    ] = False
    epochs: Annotated[
        int, typer.Option(min=0, help="times that training rows are read after a cut; 0: not at all")
    ] = 3
    batch_size: Annotated[int, typer.Option(min=1, help="rows in a batch")] = 32
    learning_rate: Annotated[float, typer.Option(help="at the end of the warm-up")] = 1e-4

    def validate(self, trains: bool) -> None:
        """ValueError for a teacher with nobody to teach."""
        if self.teach and not (trains and self.epochs):
            raise ValueError(
                "--teach is for what learns: give it with --layers, --heads, --neurons or --sparsity, and "
                "with --epochs 1 or more."
            )


def shrunk(read: OwnModel, small: Smaller, learning: Learning, seconds: float) -> Any:
    """The model after all that is asked for, in eval(); weights under masks and in few bits are computed.

    seconds: that the model as it is needs for a row.
    """
    model = copy.deepcopy(read.model) if small.layers is None else keep_layers(read.model, small.layers)
    if small.layers is not None:
        print(f"{small.layers} of {len(layers_of(read.model))} layers are kept.")
        _learn(model, read, learning, seconds)
    if small.heads or small.neurons:
        _remove(model, read, small, learning.batch_size)
    if small.sparsity:
        add_masks(model)
        prune(model, small.sparsity)
        count = len(masks_of(model))
        print(f"{small.sparsity:.0%} of the weights of {count} matrices in the layers are 0 now.")
    if small.heads or small.neurons or small.sparsity:
        _learn(model, read, learning, seconds)
    if small.bits is not None:
        matrices, sparse = matrices_of(model), masks_of(model)
        kind = (CodebookQuantization if small.book else LinearQuantization).__name__
        compute_weights(model, kind, [path for path in matrices if path not in sparse], bits=small.bits)
        for path in sparse:
            parametrize(model, path, SparseCodes.__name__, quantizer=kind, bits=small.bits)
        print(f"{len(matrices)} matrices and tables have {small.bits} bits a weight now.")
        print(_left(model, matrices))
    return model


def matrices_of(model: nn.Module) -> list[str]:
    """The paths of all Linears and Embeddings but the one that gives the answer, which is small."""
    answer = answering(model)
    return [path for path in paths_of(model, [*BERT_PARTS, OTHER]) if path != answer]


def _left(model: nn.Module, paths: Sequence[str]) -> str:
    """Which parameters are none of these matrices, in a sentence."""
    kinds = Counter[str]()
    for name, count in left_out(model, paths).items():
        path, _, last = name.rpartition(".")
        kinds["biases" if last == "bias" else type(model.get_submodule(path)).__name__] += count
    counted = ", ".join(f"{name} {count:,}" for name, count in kinds.most_common())
    return f"As they were stay {kinds.total():,} of {unique_parameters(model):,} parameters: {counted}."


def _remove(model: Any, read: OwnModel, small: Smaller, batch_size: int) -> None:
    """Take out the heads and neurons that the loss on the training rows misses least."""
    task = read.own.task
    rows = task.kind.rows(task.train, read.tokenizer, read.max_length)
    batches = Recipe(batch_size=batch_size).batches(rows, read.tokenizer.pad_token_id, seed=0)
    gradients = gate_gradients(model, map(batches, range(min(batches.size, JUDGED_BY))))
    heads, neurons = importance_of_heads(gradients), importance_of_neurons(gradients)
    if small.heads:
        count = int(small.heads * sum(map(len, heads)))
        remove_heads(model, least_important(heads, count))
        print(f"{count} of {sum(map(len, heads))} heads are out.")
    if small.neurons:
        count = int(small.neurons * min(map(len, neurons)))
        remove_neurons(model, least_important_of_each(neurons, count))
        print(f"{count} of {len(neurons[0]):,} neurons of each layer are out.")


def _learn(model: Any, read: OwnModel, learning: Learning, seconds: float) -> None:
    """Some epochs of the training rows, from their labels and, if it is taught, from the model's answers."""
    if not learning.epochs:
        return
    task, teacher = read.own.task, read.model if learning.teach else None
    rows = task.kind.rows(task.train, read.tokenizer, read.max_length)
    recipe = Recipe(
        epochs=learning.epochs, batch_size=learning.batch_size, learning_rate=learning.learning_rate
    )
    batches = recipe.batches(rows, read.tokenizer.pad_token_id, seed=0)
    # forwards once and backwards at twice the price; its teacher forwards
    passes = 3 * _multiplied(model) / _multiplied(read.model) + learning.teach
    expected = passes * seconds * learning.epochs * len(task.train)
    print(
        f"Learning from {len(task.train):,} rows in {recipe.steps(batches, recipe.epochs)} steps"
        f"{', and from what the model said of them' if learning.teach else ''}: about "
        f"{max(expected, 1):,.0f} s, for --epochs {learning.epochs}."
    )
    models = [trained.to(processes().device) for trained in (model, teacher) if trained is not None]
    matches = [match for match in _matches(task.kind, 0.5 * learning.teach) if match.weight]
    distill(Distillation(model, teacher, matches), batches, recipe)
    for trained in models:
        trained.cpu()


def _multiplied(model: nn.Module) -> int:
    """The weights that a text is multiplied with: tables are looked up only."""
    return sum(module.weight.numel() for module in model.modules() if isinstance(module, nn.Linear))


def _matches(kind: TaskKind, alpha: float) -> list[Match]:
    """What is learned: the teacher's answers, which weigh alpha, and the labels, which weigh the rest."""
    if isinstance(kind, Regression):
        return hinton_grades(alpha)
    if isinstance(kind, SpanExtraction):
        return hinton_spans(alpha=alpha)
    if isinstance(kind, Tagging):
        return [
            Match(TOKEN_LOGITS, ANSWER, SoftenedKL(2.0), alpha),
            Match(LABELS, ANSWER, cross_entropy, 1 - alpha),
        ]
    return hinton(alpha=alpha)
