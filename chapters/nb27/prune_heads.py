"""A layer without some of its heads: rows of three matrices go, and columns of one."""

import copy
from collections.abc import Iterator
from typing import Any

import torch

from lib.bert import BertConfig
from lib.bert.encoder import EncoderLayer
from lib.compression.pruning import heads as of_heads
from lib.exercises import compare
from lib.exercises.spec import Exercise, Mistake, Unfit, edit

MATRICES = ("self.query", "self.key", "self.value", "output.dense")
TENSORS = [f"attention.{matrix}.{tensor}" for matrix in MATRICES for tensor in ("weight", "bias")]
KEPT = 'all_but(attention.num_heads, heads, "heads in this layer")'
FEATURES = "[head * size + feature for head in kept for feature in range(size)]"
PARTS = "(attention.query, attention.key, attention.value)"
ROWS = "select_features(projection, features, dim=0)"
COLUMNS = "select_features(pruned.attention.output.dense, features, dim=1)"


FEWER = [
    *("[attention.query, attention.key]", "[attention.query, attention.value]"),
    *("[attention.key, attention.value]", "[attention.query]", "[attention.key]", "[attention.value]", "[]"),
]
ROWS_INDEXED = (
    "dense = pruned.attention.output.dense\n"
    "    dense.weight.data, dense.bias.data = dense.weight[features], dense.bias[features]"
)
GONE = edit(KEPT, "heads").then("attention.num_heads = len(kept)", "")
SCALED_UP = "pruned.attention.output.dense.weight.data *= attention.num_heads / len(kept)"
ROWS_OF_ZEROS = "projection.weight.data[features] = 0"
ZEROS = (f"{ROWS_OF_ZEROS}; projection.bias.data[features] = 0", ROWS_OF_ZEROS)
COLUMNS_OF_ZEROS = "pruned.attention.output.dense.weight.data[:, features] = 0"


def cases(seed: int) -> Iterator[tuple[EncoderLayer, list[int]]]:
    """Three heads of two without one; other numbers of heads, and of those that go, among them none."""
    torch.manual_seed(seed)
    for heads, size, gone in [(3, 2, [1]), (4, 3, [3, 1]), (4, 2, [1, 2]), (2, 3, [0]), (3, 2, [])]:
        layer = EncoderLayer(BertConfig(20, 6, 1, heads, 10, attention_head_size=size)).eval()
        for parameter in layer.parameters():
            parameter.data += 0.3 * torch.randn_like(parameter)  # no bias is 0
        yield layer, gone


def numbers(layer: EncoderLayer) -> tuple[Any, ...]:
    """Its number of heads, and its tensors with the heads sorted: in which order they stand is open."""
    count, tensors = layer.attention.self.num_heads, [layer.state_dict()[name] for name in TENSORS]
    size = len(tensors[1])  # of the query's bias, by whose first entry of each head they are sorted
    if count and size % count == 0:
        heads = tensors[1].view(count, -1)[:, 0].argsort()
        features = torch.arange(size).view(count, -1)[heads].flatten()
        tensors[:6] = [tensor[features] if len(tensor) == size else tensor for tensor in tensors[:6]]
        tensors[6] = tensors[6][:, features] if tensors[6].size(1) == size else tensors[6]
    return count, *tensors


def run(candidate: Any, layer: EncoderLayer, heads: list[int]) -> tuple[Any, ...]:
    """The numbers of the new layer, what it makes of a text, and whether the given layer is as it was."""
    before = copy.deepcopy(numbers(layer))
    pruned = candidate(layer, heads)
    if not isinstance(pruned, EncoderLayer):
        raise Unfit("prune_heads returns a layer like the given one, with fewer heads: return the copy.")
    try:
        made = pruned(torch.linspace(-1, 1, 48).sin().view(2, 4, 6)).detach()
    except (RuntimeError, ValueError):  # its tensors do not fit each other, and say more about it
        made = torch.zeros(0)
    return *numbers(pruned), made, compare.agree(numbers(layer), before, 0)


# fmt: off
EXERCISE = Exercise(
    name="prune_heads", minutes=8, difficulty=2, reference=of_heads.prune_heads, cases=cases, run=run,
    returns=("num_heads", *TENSORS, "what it makes of a text", "whether the given layer is as it was"),
    gradients=False,
    mistakes=[
        Mistake("given_layer_changed", "The given layer lost its heads as well, so nobody can compare: work"
            " on copy.deepcopy(layer).", edit("copy.deepcopy(layer)", "layer")),
        Mistake("columns_left", "attention.output.dense reads the heads that are gone: it has to lose their"
            " columns (dim=1).",
            (edit(COLUMNS, ""), edit(COLUMNS, COLUMNS.replace("1", "0")), edit(COLUMNS, ROWS_INDEXED))),
        Mistake("heads_not_counted", "num_heads is not the number of heads that are left, so they are cut"
            " into heads of another size.",
            (edit("attention.num_heads = len(kept)", ""),
             edit("attention.num_heads = len(kept)", "attention.num_heads -= 1"),
             edit("num_heads = len(kept)", "num_heads = len(heads)"))),
        Mistake("other_heads", "Other heads are gone than those that should go. `heads` counts them from 0.",
            (edit("kept = all_but(", "kept = sorted(heads) or all_but("), edit(KEPT, "list(heads)"),
             edit(KEPT, "[head for head in range(attention.num_heads) if head + 1 not in heads]"),
             edit(KEPT, "[head for head in range(attention.num_heads) if head not in heads[:1]]"),
             edit(KEPT, "[head for head in range(attention.num_heads) if head not in heads[-1:]]"),
             edit("for head in kept", "for head in range(len(kept))"),
             edit("heads, heads", "heads, [(head - 1) % attention.num_heads for head in heads]"))),
        Mistake("part_left_out", "Query, key and value all lose the same rows, and a row and its bias go"
            " together.",
            (*(edit(PARTS, left) for left in FEWER),
             edit(ROWS, "projection.weight = nn.Parameter(projection.weight[features])"))),
        Mistake("nothing_removed", "The layer that comes back is as large as the given one: zeros take as"
            " many bytes, too.",
            (edit("return pruned", "return copy.deepcopy(layer)"), edit(ROWS, "pass").then(COLUMNS, ""),
             edit(ROWS, "pass").then(COLUMNS, "").then("copy.deepcopy(layer)", "layer"),
             GONE.then(ROWS, "pass").then(COLUMNS, COLUMNS_OF_ZEROS),
             *(GONE.then(ROWS, rows).then(COLUMNS, "") for rows in ZEROS),
             *(GONE.then(PARTS, "[attention.value]").then(ROWS, rows).then(COLUMNS, "") for rows in ZEROS),
             *(GONE.then(ROWS, rows).then(COLUMNS, COLUMNS_OF_ZEROS) for rows in ZEROS))),
        Mistake("heads_interleaved", "You take every num_heads-th feature. A head's features lie side by"
            " side: head h owns h * size to h * size + size - 1.",
            edit("head * size + feature", "feature * attention.num_heads + head")),
        Mistake("heads_for_features", "You give select_features the numbers of heads. It wants those of"
            " features, and head h owns `size` of them: h * size to h * size + size - 1.",
            (edit(FEATURES, "list(kept)"), edit(FEATURES, "[head * size for head in kept]"))),
        Mistake("size_of_fewer_heads", "You take heads for larger than they are, and ask for features that"
            " there aren't. A head's size doesn't change: query.out_features divided by the old number of"
            " heads, not the new one.",
            (edit("attention.num_heads\n", "(attention.num_heads - len(heads))\n"),
             edit("attention.num_heads\n", "max(len(heads), 1)\n"))),
        Mistake("size_from_the_text", "You divide the features of a token by the number of heads. Heads may"
            " be of another size: the query's outputs, query.out_features, are what the heads share.",
            edit("query.out_features", "query.in_features")),
        Mistake("numbers_shifted", "You take one head out after the other, and behind each the others move"
            " up, so that the next number means another head. Find all that stay before you cut.",
            edit(KEPT, "list(range(attention.num_heads))\n    for head in heads:\n        kept.pop(head)")),
        Mistake("dimensions_exchanged", "You cut the other way round. Query, key and value lose *outputs*"
            " (dim=0), with their biases, and attention.output.dense loses the *inputs* that read them"
            " (dim=1).",
            (edit(ROWS, ROWS.replace("0", "1")).then(COLUMNS, COLUMNS.replace("1", "0")),
             edit(ROWS, ROWS.replace("0", "1")))),
        Mistake("bias_of_the_output", "You change the bias of attention.output.dense. It is added once for"
            " all heads and belongs to none, so it stays.",
            (edit(COLUMNS, f"{COLUMNS}\n    pruned.attention.output.dense.bias.data.zero_()"),
             edit(COLUMNS, f"{COLUMNS}\n    pruned.attention.output.dense.bias = None"))),
        Mistake("scaled_up", "You make up for the heads that are gone, as dropout does. The output sums over"
            " the heads, so those that stay give what they gave.",
            edit(COLUMNS, f"{COLUMNS}\n    {SCALED_UP}")),
        Mistake("other_features", "The sizes are right, but other features are kept than those of the heads"
            " that stay: head h owns h * size to h * size + size - 1, in all four matrices.",
            when=lambda _, answer, right: answer[0] == right[0] and answer[8].equal(right[8]) and answer[-1],
            example=edit("head * size + feature", "head * size + size - 1")),
    ],
    hints=("The features of the heads that stay cut four matrices: three write them, and one reads them.",
           "Head h owns features h · size to h · size + size - 1. Rows are outputs (dim=0), columns inputs.",
           "select_features(attention.query, features, dim=0), the same for key and value, then"
           " select_features(pruned.attention.output.dense, features, dim=1), then the new num_heads."),
    why="No zeros are stored or multiplied any more: the matrices are smaller.",
)
# fmt: on
