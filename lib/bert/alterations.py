"""Models that are no longer what their config says: heads removed, matrices cut in two, weights computed.

Every change is a registered function of the model, the path of a module in it, and arguments that fit into
JSON. What was done is noted in `model.changes`; `save_pretrained` keeps the list with the weights, and
`from_pretrained` does it all again to a fresh model before the tensors are read. A package adds a kind of
its own with `@alteration`, or a parametrization with `@parametrization`:

    prune_heads(model, "encoder.layer.0.attention", heads=[3, 7])
    parametrize(model, "encoder.layer.0.intermediate.dense", "LoRA", rank=8)
    model.save_pretrained(folder)
"""

from __future__ import annotations

import inspect
import json
from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from functools import wraps
from typing import Any, Concatenate, NamedTuple, ParamSpec, TypeVar

from torch import Tensor, nn
from torch.nn.utils import parametrize as torch_parametrize
from torch.nn.utils import skip_init

from lib.bert import factors
from lib.bert.attention import Attention
from lib.bert.config import BertConfig
from lib.bert.embeddings import BertEmbeddings
from lib.bert.encoder import Encoder, EncoderLayer
from lib.bert.surgery import all_but, module_at, replace_module, select_features, unparametrize

P = ParamSpec("P")
M = TypeVar("M", bound=nn.Module)


class Change(NamedTuple):
    """Something that was done to a model: the name of an alteration, where, and with what."""

    name: str
    path: str  # of a module in the model, "" for the model itself
    arguments: dict[str, Any]


_alterations: dict[str, Callable[..., None]] = {}
_parametrizations: dict[str, type[nn.Module]] = {}


def alteration(
    function: Callable[Concatenate[nn.Module, str, P], None],
) -> Callable[Concatenate[nn.Module, str, P], None]:
    """Register `function(model, path, ...)`, which changes the module at `path` in place, under its name.

    Each call is noted in `model.changes`. The function is called again when the model is loaded, on tensors
    without numbers (the meta device): it may compute with them, but not branch on them.
    """
    name = function.__name__
    signature = inspect.signature(function)
    _register(_alterations, name, function)

    @wraps(function)
    def noted(model: nn.Module, path: str, *args: P.args, **kwargs: P.kwargs) -> None:
        arguments = signature.bind(model, path, *args, **kwargs).arguments
        del arguments[next(iter(signature.parameters))], arguments["path"]
        change = Change(name, path, _plain(name, arguments | arguments.pop("options", {})))
        function(model, path, *args, **kwargs)
        note(model, (*changes_of(model), change))

    _alterations[name] = noted
    return noted


def parametrization(kind: type[M]) -> type[M]:
    """Register a class of parametrizations, for `parametrize`, under its name.

    `kind(tensor, **options)` is made for one tensor, and `forward(tensor)` returns what stands in its place.
    """
    _register(_parametrizations, kind.__name__, kind)
    _parametrizations[kind.__name__] = kind
    return kind


def changes_of(model: nn.Module) -> tuple[Change, ...]:
    """What was done to a model, the first first."""
    changes: tuple[Change, ...] = getattr(model, "changes", ())
    return changes


def note(model: Any, changes: tuple[Change, ...]) -> None:
    """Make this the list of what was done to a model, for what undoes a part of it."""
    model.changes = changes  # Any: of a plain nn.Module, nobody knows that it has them


def replay(model: nn.Module, changes: Iterable[Change]) -> None:
    """Do to a fresh model what was done to another. ValueError names a change that nothing has registered."""
    for change in changes:
        alter = _registered(_alterations, change.name)
        try:
            inspect.signature(alter).bind(model, change.path, **change.arguments)
        except TypeError as error:
            raise ValueError(
                f"{change.name} was stored with arguments that it does not take ({error}): the model was "
                "saved by another version of this code."
            ) from None
        alter(model, change.path, **change.arguments)


def _plain(name: str, arguments: dict[str, Any]) -> dict[str, Any]:
    """The arguments as they come back from a file."""
    try:
        return dict(json.loads(json.dumps(arguments)))
    except TypeError as error:
        raise ValueError(
            f"{name} was called with arguments that no list of changes can hold ({error}): give numbers, "
            "text, and lists of them (tensor.tolist())."
        ) from None


def _register(there: dict[str, Any], name: str, made: Any) -> None:
    known = there.get(name)
    if known is not None and (known.__module__, known.__qualname__) != (made.__module__, made.__qualname__):
        raise ValueError(f"{known.__module__} has registered the name {name}: choose another.")


def _registered(there: dict[str, Any], name: str) -> Any:
    if name not in there:
        raise ValueError(
            f"Nothing has registered {name!r}, which is needed here: import the module that does, or call "
            f"lib.compression.packed.register_methods(). Known are {', '.join(sorted(there))}."
        )
    return there[name]


# --- the kinds of this course ---------------------------------------------------------------------


@alteration
def prune_heads(model: nn.Module, path: str, heads: Sequence[int]) -> None:
    """Remove some heads, counted from 0, of the `Attention` at `path` (Michel et al., 2019).

    Their rows leave query, key and value, and their columns leave the dense layer that mixes the heads.
    """
    attention = module_at(model, path, Attention)
    part = attention.self
    kept = all_but(part.num_heads, heads, f"heads in {path}")
    size = module_at(part, "query", nn.Linear).out_features // part.num_heads
    features = [head * size + feature for head in kept for feature in range(size)]
    for name in ("query", "key", "value"):
        select_features(module_at(part, name, nn.Linear), features, dim=0)
    select_features(module_at(attention, "output.dense", nn.Linear), features, dim=1)
    part.num_heads = len(kept)


@alteration
def prune_neurons(model: nn.Module, path: str, neurons: Sequence[int]) -> None:
    """Remove some neurons, counted from 0, from the feed-forward network of the `EncoderLayer` at `path`."""
    layer = module_at(model, path, EncoderLayer)
    wide = module_at(layer, "intermediate.dense", nn.Linear)
    kept = all_but(wide.out_features, neurons, f"neurons in {path}")
    select_features(wide, kept, dim=0)
    select_features(module_at(layer, "output.dense", nn.Linear), kept, dim=1)


@alteration
def cut_positions(model: nn.Module, path: str, count: int) -> None:
    """Keep the first `count` positions of the `BertEmbeddings` at `path`: longer texts have to be cut.

    The model's config says so as well, so that a text with too many tokens is refused.
    """
    embeddings = module_at(model, path, BertEmbeddings)
    table = embeddings.position_embeddings
    if not 1 <= count <= table.num_embeddings:
        raise ValueError(f"{count} of {table.num_embeddings} positions: give a number from 1 to that.")
    place: dict[str, Any] = {"device": table.weight.device, "dtype": table.weight.dtype}
    short = skip_init(nn.Embedding, count, table.embedding_dim, **place)
    short.weight = nn.Parameter(table.weight.detach()[:count].clone())
    embeddings.position_embeddings = short
    parts: list[Any] = list(model.modules())
    for part in parts:
        if isinstance(config := getattr(part, "config", None), BertConfig):
            part.config = replace(config, max_position_embeddings=count)


@alteration
def factorize(model: nn.Module, path: str, rank: int) -> None:
    """Two matrices of this rank for the one of the `nn.Linear` or `nn.Embedding` at `path`: the best two.

    The `nn.Sequential` in its place holds rank * (rows + columns) weights instead of rows * columns.
    """
    module = _factorizable(model, path)
    most = min(module.weight.shape)
    if not 1 <= rank <= most:
        raise ValueError(f"A rank of {rank} for {path}: give one from 1 to {most}.")
    _put_factors(model, path, module, *factors.factorize(module.weight, rank))


def put_factors(model: nn.Module, path: str, left: Tensor, right: Tensor) -> None:
    """Let left [rows, rank] times right [rank, columns] stand for the weight at `path`, as `factorize` does.

    It is noted as a `factorize` of this rank: when the model is loaded, the factors come out of its file.
    """
    module = _factorizable(model, path)
    if left.dim() != 2 or right.dim() != 2 or left.size(1) != len(right):
        raise ValueError(f"Factors {list(left.shape)} and {list(right.shape)}: give [rows, r], [r, columns].")
    if (len(left), right.size(1)) != module.weight.shape:
        raise ValueError(
            f"The factors make {[len(left), right.size(1)]}, and {path} has {list(module.weight.shape)}: "
            "factorize its own weight."
        )
    _put_factors(model, path, module, left, right)
    note(model, (*changes_of(model), Change("factorize", path, {"rank": len(right)})))


def _factorizable(model: nn.Module, path: str) -> Any:
    """The Linear or Embedding at `path`; ValueError if its weight is computed, or another module's too."""
    there = module_at(model, path, nn.Module)
    kind: type[nn.Module] = nn.Embedding if isinstance(there, nn.Embedding) else nn.Linear
    module: Any = module_at(model, path, kind)
    if torch_parametrize.is_parametrized(module):
        raise ValueError(f"The weights of {path} are computed: change its shape before you parametrize it.")
    if any(module.weight is p for m in model.modules() if m is not module for p in m.parameters(False)):
        raise ValueError(
            f"The weight of {path} is another module's as well: factorize a model without a masked-LM head."
        )
    return module


def _put_factors(model: nn.Module, path: str, module: Any, left: Tensor, right: Tensor) -> None:
    rank = len(right)
    place: dict[str, Any] = {"device": module.weight.device, "dtype": module.weight.dtype}
    first: Any
    if isinstance(module, nn.Embedding):
        first = skip_init(nn.Embedding, len(left), rank, module.padding_idx, **place)
        second = skip_init(nn.Linear, rank, right.size(1), bias=False, **place)
        weights = left, right.T
    else:
        first = skip_init(nn.Linear, right.size(1), rank, bias=False, **place)
        second = skip_init(nn.Linear, rank, len(left), bias=False, **place)
        second.bias = module.bias
        weights = right, left
    # contiguous, as they come back from a file: products of other layouts differ in the last bit
    first.weight, second.weight = (nn.Parameter(weight.detach().contiguous()) for weight in weights)
    replace_module(model, path, nn.Sequential(first, second).train(module.training))


@alteration
def share_layers(model: nn.Module, path: str, layers: Sequence[int]) -> None:
    """Let the `Encoder` at `path` run these layers, in this order, any of them more than once.

    [0, 0, 0, 0] is ALBERT's way, one layer four times (Lan et al., 2020); [0, 2, 4] leaves out every second.
    """
    encoder = module_at(model, path, Encoder)
    count = len(encoder.layer)
    if not layers or not all(0 <= layer < count for layer in layers):
        raise ValueError(f"The layers {list(layers)} of {count}: give numbers from 0 to {count - 1}.")
    encoder.layer = nn.ModuleList(encoder.layer[layer] for layer in layers).train(encoder.training)


@alteration
def parametrize(model: nn.Module, path: str, kind: str, tensor: str = "weight", **options: Any) -> None:
    """Let a registered parametrization compute a tensor of the module at `path`, its weight as a rule.

    kind: the name of its class; options: what the class takes. `torch.nn.utils.parametrize` does the rest:
    the tensor that was there becomes `parametrizations.weight.original`. Where other modules have the same
    tensor, as a masked-LM head has the word vectors, it is computed for them as well.
    """
    module = module_at(model, path, nn.Module)
    there = getattr(module, tensor, None)
    if not isinstance(there, Tensor):
        raise ValueError(f"{path or 'The model'} has no tensor {tensor}: name the module that has it.")
    computed = _registered(_parametrizations, kind)(there, **options).to(there.device)
    tied = [
        (other, name)
        for other in model.modules()
        for name, parameter in other.named_parameters(recurse=False)
        if parameter is there and other is not module
    ]
    for owner, name in [(module, tensor), *tied]:
        torch_parametrize.register_parametrization(owner, name, computed)
        owner.get_submodule("parametrizations").train(owner.training)


def simplify(model: nn.Module) -> None:
    """Make permanent what can be, so that the model needs no change list for it, and is a plain BERT again
    where nothing else was done.

    Parametrized tensors get the values that they compute now. Neurons removed from all layers alike become
    `config.intermediate_size`.
    """
    settled = {"parametrize"}
    parts: list[Any] = list(model.modules())
    computed = [
        (part, name, getattr(part, name).detach().clone())
        for part in parts
        for name in getattr(part, "parametrizations", ())
    ]
    for module, name, values in computed:
        unparametrize(module, name, keep_value=True)
        getattr(module, name).data.copy_(values)  # again: tied tensors were computed of each other's result
    layers: list[Any] = [layer for layer in model.modules() if isinstance(layer, EncoderLayer)]
    widths: set[int] = {getattr(layer.intermediate.dense, "out_features", 0) for layer in layers}
    if len(widths) == 1 and 0 not in widths:  # 0: cut in two, so that no config says how wide it is
        settled.add("prune_neurons")
        for part in parts:
            if isinstance(config := getattr(part, "config", None), BertConfig):
                part.config = replace(config, intermediate_size=min(widths))
    note(model, tuple(change for change in changes_of(model) if change.name not in settled))


def validate_replay(model: nn.Module, fresh: nn.Module) -> None:
    """Raise a ValueError if `fresh`, built from a model's config and changes, is not built as the model is.

    It may have more, such as a pooler; its numbers do not matter.
    """
    for named in (_kinds, _shapes):
        there = named(fresh)
        for name, mine in named(model).items():
            if there.get(name) != mine:
                raise ValueError(
                    f"{name} is {mine}, and the model's config and list of changes give "
                    f"{there.get(name, 'nothing')}, so it could not be loaded again: change it by "
                    "lib.bert.alterations, whose list is saved with the weights."
                )


def _kinds(model: nn.Module) -> dict[str, str]:
    return {name: f"of type {type(module).__name__}" for name, module in model.named_modules()}


def _shapes(model: nn.Module) -> dict[str, str]:
    return {name: f"of shape {list(tensor.shape)}" for name, tensor in model.state_dict().items()}
