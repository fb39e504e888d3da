"""A layer without some of its heads: rows of three matrices go, and columns of one."""

import copy
from collections.abc import Iterator, Sequence
from typing import Any

import torch
from torch import Tensor, nn

from lib.bert import BertConfig
from lib.bert.encoder import EncoderLayer
from lib.bert.surgery import select_features
from lib.compression.pruning import heads as of_heads
from lib.exercises.spec import Exercise, Mistake, Unfit, edit

FEATURES = "[head * size + feature for head in kept for feature in range(size)]"
COPIED = "copy.deepcopy(layer)"
PARTS = "(attention.query, attention.key, attention.value)"
COLUMNS = "    select_features(pruned.attention.output.dense, features, dim=1)\n"
COUNT = "    attention.num_heads = len(kept)\n"


def layer_of(heads: int, size: int, seed: int) -> EncoderLayer:
    """A layer with biases that are not 0, and heads of a size that may not make up the width."""
    torch.manual_seed(seed)
    config = BertConfig(
        20, 6, 1, heads, 10, hidden_dropout_prob=0.0, attention_probs_dropout_prob=0.0,
        attention_head_size=size, max_position_embeddings=8,
    )  # fmt: skip
    layer = EncoderLayer(config).eval()
    with torch.no_grad():
        for parameter in layer.parameters():
            parameter.add_(0.3 * torch.randn_like(parameter))
    return layer


def cases(seed: int) -> Iterator[tuple[EncoderLayer, list[int]]]:
    """Three heads of two without one; without the first, the last, two, in any order; and without none."""
    for number, (heads, size, gone) in enumerate(
        [(3, 2, [1]), (3, 2, [0]), (4, 3, [3, 1]), (4, 2, [1, 2]), (2, 3, [1]), (3, 2, [])]
    ):
        yield layer_of(heads, size, seed + number), gone


def run(candidate: Any, layer: EncoderLayer, heads: Sequence[int]) -> tuple[Any, ...]:
    """The tensors of the new layer, what it makes of a text, and how far the given layer moved."""
    before = {name: tensor.clone() for name, tensor in layer.state_dict().items()}
    counted = layer.attention.self.num_heads
    found = candidate(layer, heads)
    if not isinstance(found, nn.Module) or not hasattr(found, "attention"):
        raise Unfit("prune_heads returns a layer like the given one, with fewer heads: return the copy.")
    pruned: Any = found
    part, mixing = pruned.attention.self, pruned.attention.output.dense
    same = layer.attention.self.num_heads == counted and all(
        name in before and before[name].shape == tensor.shape and torch.equal(before[name], tensor)
        for name, tensor in layer.state_dict().items()
    )
    hidden = torch.randn(2, 4, 6, generator=torch.Generator().manual_seed(0))
    try:
        with torch.no_grad():
            made: Tensor = pruned(hidden)
    except (RuntimeError, ValueError):  # its tensors do not fit each other, and say more about it
        made = torch.zeros(0)
    return (
        part.num_heads,
        *(tensor.detach() for one in (part.query, part.key, part.value) for tensor in (one.weight, one.bias)),
        mixing.weight.detach(),
        mixing.bias.detach(),
        made,
        same,
    )


def biases_left(layer: EncoderLayer, heads: Sequence[int]) -> EncoderLayer:
    pruned = of_heads.prune_heads(layer, heads)
    new, given = pruned.attention.self, layer.attention.self
    for left, whole in ((new.query, given.query), (new.key, given.key), (new.value, given.value)):
        left.bias = nn.Parameter(whole.bias.detach())
    return pruned


def others_removed(layer: EncoderLayer, heads: Sequence[int]) -> EncoderLayer:
    others = [head for head in range(layer.attention.self.num_heads) if head not in heads]
    return of_heads.prune_heads(layer, others if heads else [])


def zeroed(layer: EncoderLayer, heads: Sequence[int]) -> EncoderLayer:
    silent = copy.deepcopy(layer)
    size = silent.attention.self.query.out_features // silent.attention.self.num_heads
    features = [head * size + feature for head in heads for feature in range(size)]
    with torch.no_grad():
        silent.attention.output.dense.weight[:, features] = 0
    return silent


def rows_zeroed(layer: EncoderLayer, heads: Sequence[int]) -> EncoderLayer:
    silent = copy.deepcopy(layer)
    part = silent.attention.self
    size = part.query.out_features // part.num_heads
    features = [head * size + feature for head in heads for feature in range(size)]
    with torch.no_grad():
        for linear in (part.query, part.key, part.value):
            linear.weight[features] = 0
            linear.bias[features] = 0
    return silent


def counted_from_one(layer: EncoderLayer, heads: Sequence[int]) -> EncoderLayer:
    count = layer.attention.self.num_heads
    return of_heads.prune_heads(layer, [(head - 1) % count for head in heads])


def without_bias(layer: EncoderLayer, heads: Sequence[int]) -> EncoderLayer:
    pruned = of_heads.prune_heads(layer, heads)
    nn.init.zeros_(pruned.attention.output.dense.bias)
    return pruned


def scaled_up(layer: EncoderLayer, heads: Sequence[int]) -> EncoderLayer:
    pruned, count = of_heads.prune_heads(layer, heads), layer.attention.self.num_heads
    with torch.no_grad():
        pruned.attention.output.dense.weight *= count / pruned.attention.self.num_heads
    return pruned


def columns_of_the_inputs(layer: EncoderLayer, heads: Sequence[int]) -> EncoderLayer:
    pruned = copy.deepcopy(layer)
    part = pruned.attention.self
    size = part.query.out_features // part.num_heads
    kept = [head for head in range(part.num_heads) if head not in heads]
    features = [head * size + feature for head in kept for feature in range(size)]
    for linear in (part.query, part.key, part.value):
        select_features(linear, features, dim=1)
    select_features(pruned.attention.output.dense, features, dim=0)
    part.num_heads = len(kept)
    return pruned


EXERCISE = Exercise(
    name="prune_heads",
    minutes=8,
    difficulty=2,
    reference=of_heads.prune_heads,
    cases=cases,
    run=run,
    returns=(
        "num_heads",
        "the query's weight",
        "the query's bias",
        "the key's weight",
        "the key's bias",
        "the value's weight",
        "the value's bias",
        "the weight of attention.output.dense",
        "the bias of attention.output.dense",
        "what the new layer makes of a text",
        "whether the given layer is as it was",
    ),
    gradients=False,
    mistakes=[
        Mistake(
            "given_layer_changed",
            "The new layer is right, but the one that was given lost its heads as well, so nobody can"
            " compare the two. Work on copy.deepcopy(layer).",
            edit(COPIED, "layer"),
        ),
        Mistake(
            "columns_left",
            "Query, key and value lost the rows of the heads, but attention.output.dense still expects the"
            " heads that are gone: it has to lose their columns, select_features(..., dim=1).",
            edit(COLUMNS, ""),
        ),
        Mistake(
            "rows_of_the_output",
            "attention.output.dense reads the heads, so it loses inputs, which are columns: dim=1. Its rows"
            " write the hidden state, whose width stays.",
            edit("output.dense, features, dim=1", "output.dense, features, dim=0"),
        ),
        Mistake(
            "columns_of_the_inputs",
            "You cut what query, key and value read. Every head reads the whole hidden state; what goes is"
            " what they write, their rows (dim=0), and what attention.output.dense reads (dim=1).",
            columns_of_the_inputs,
        ),
        Mistake(
            "heads_not_counted",
            "num_heads still has the old number, so the features that are left are cut into heads of another"
            " size. Set it to the number of heads that stay.",
            edit(COUNT, ""),
        ),
        Mistake(
            "the_others_removed",
            "You removed the heads that should stay, and kept those that should go.",
            others_removed,
        ),
        Mistake(
            "one_feature_a_head",
            "You kept one feature for each head. Head h owns the features h · size to h · size + size - 1.",
            edit(FEATURES, "list(kept)"),
        ),
        Mistake(
            "every_nth_feature",
            "A head's features lie side by side: head h owns h · size to h · size + size - 1, not every"
            " num_heads-th feature.",
            edit(
                FEATURES, "[head + feature * attention.num_heads for head in kept for feature in range(size)]"
            ),
        ),
        Mistake(
            "counted_from_one",
            "You count heads from 1, so the one before goes. Head 0 is the first.",
            counted_from_one,
        ),
        Mistake(
            "part_left_out",
            "Of query, key and value, not all lost rows. All three lose the same ones.",
            (
                edit(PARTS, "(attention.query, attention.key)"),
                edit(PARTS, "(attention.query, attention.value)"),
                edit(PARTS, "(attention.key, attention.value)"),
                edit(PARTS, "(attention.query,)"),
                edit(PARTS, "(attention.key,)"),
                edit(PARTS, "(attention.value,)"),
            ),
        ),
        Mistake(
            "biases_left",
            "The rows of query, key and value are gone, but their biases still have a number for each of the"
            " old rows. A row and its bias go together.",
            biases_left,
        ),
        Mistake(
            "nothing_removed",
            "The layer that comes back is as large as the given one.",
            (lambda layer, heads: layer, lambda layer, heads: copy.deepcopy(layer)),
        ),
        Mistake(
            "zeros_for_removal",
            "The heads are silent, but they are still there: zeros take as many bytes and as much time as"
            " other numbers. Make the matrices smaller.",
            (zeroed, rows_zeroed),
        ),
        Mistake(
            "bias_lost",
            "The bias of attention.output.dense belongs to no head. It stays as it was.",
            without_bias,
        ),
        Mistake(
            "scaled_up",
            "You scaled up what the other heads give. They go on as before: a closed gate takes one summand"
            " away and changes no other.",
            scaled_up,
        ),
    ],
    hints=(
        "Which features belong to the heads that stay? The same list then cuts four matrices: three that"
        " write these features, and one that reads them.",
        "With size = out_features // num_heads, head h owns features h · size to h · size + size - 1. Rows"
        " are outputs (dim=0), columns are inputs (dim=1).",
        "select_features(attention.query, features, dim=0), the same for key and value, then"
        " select_features(pruned.attention.output.dense, features, dim=1), then the new num_heads.",
    ),
    why="No zeros are stored or multiplied any more: the matrices are smaller.",
)
