"""A layer in which some heads are left, in a given order: rows of three matrices, and columns of one."""

import copy
from collections.abc import Iterator
from typing import Any

import torch

from chapters.nb27 import cutting
from lib.bert import BertConfig
from lib.bert.encoder import EncoderLayer
from lib.exercises.spec import Exercise, Mistake, Unfit, edit

MATRICES = ("self.query", "self.key", "self.value", "output.dense")
TENSORS = [f"attention.{matrix}.{tensor}" for matrix in MATRICES for tensor in ("weight", "bias")]


SIZE = "len(attention.query.weight) // attention.num_heads"
FEATURE = "head * size + feature"
PARTS = "(attention.query, attention.key, attention.value)"
ROWS = "matrix.weight.data = matrix.weight.data[features]"
BIASES = "matrix.bias.data = matrix.bias.data[features]"
COLUMNS = "output.weight.data = output.weight.data[:, features]"
COUNTED = "attention.num_heads = len(kept)"
FEWER = [
    *("(attention.query, attention.key)", "(attention.query, attention.value)"),
    *(
        "(attention.key, attention.value)",
        "(attention.query,)",
        "(attention.key,)",
        "(attention.value,)",
        "()",
    ),
]
GONE = "[one for one in range(attention.num_heads) if one not in kept]"
LOST = edit(PARTS, "()").then(COUNTED, "pass")  # with the columns at 0, as many as before
UNSEEN = "features = [one for one in range(output.weight.size(1)) if one not in features]\n    {}"


def cases(seed: int) -> Iterator[tuple[EncoderLayer, list[int]]]:
    """Three heads of two without one; other numbers of heads, and other orders of those that stay."""
    torch.manual_seed(seed)
    for heads, size, kept in [(3, 2, [0, 2]), (4, 3, [2, 0]), (4, 2, [1, 3]), (2, 3, [1]), (3, 2, [2, 0, 1])]:
        layer = EncoderLayer(BertConfig(20, 6, 1, heads, 10, attention_head_size=size)).eval()
        for parameter in layer.parameters():
            parameter.data += 0.3 * torch.randn_like(parameter)  # no bias is 0
        yield layer, kept


def run(candidate: Any, layer: EncoderLayer, kept: list[int]) -> tuple[Any, ...]:
    """The numbers of the layer afterwards, and what it makes of a text; of a copy, since it changes."""
    given = copy.deepcopy(layer)
    returned = candidate(given, list(kept))
    if isinstance(returned, EncoderLayer) and returned is not given:
        raise Unfit("You return a new layer. Change the given one, which is a copy where one is wanted.")
    try:
        made = given(torch.linspace(-1, 1, 48).sin().view(2, 4, 6)).detach()
    except (RuntimeError, ValueError):  # its tensors do not fit each other, and say more about it
        made = torch.zeros(0)
    tensors = given.state_dict()
    return given.attention.self.num_heads, *[tensors[name] for name in TENSORS], made


# fmt: off
EXERCISE = Exercise(
    name="keep_heads", minutes=8, difficulty=2, reference=cutting.keep_heads, cases=cases, run=run,
    returns=("num_heads", *TENSORS, "what it makes of a text"),
    gradients=False,
    mistakes=[
        Mistake("columns_left", "attention.output.dense reads the heads that are gone: it has to lose their"
            " columns, weight[:, features].",
            (edit(COLUMNS, ""), edit(COLUMNS, COLUMNS.replace("[:, features]", "[features]")),
             edit(COLUMNS, COLUMNS.replace("[:, features]", "[features]")
                 + "\n    output.bias.data = output.bias.data[features]"))),
        Mistake("heads_not_counted", "num_heads is not the number of heads that are left, so they are cut"
            " into heads of another size.",
            (edit(COUNTED, ""), edit(COUNTED, "attention.num_heads -= 1"),
             edit(COUNTED, "attention.num_heads -= len(kept)"))),
        Mistake("order_lost", "The right heads stay, but not in the order of `kept`: notebook and you will"
            " sort heads by it.",
            (edit("for head in kept", "for head in sorted(kept)"),
             edit("for head in kept", "for head in reversed(kept)"),
             edit("for head in kept", "for head in range(attention.num_heads) if 1 else kept")
                .then("for feature in range(size):", "for feature in range(size) if head in kept else ():"))),
        Mistake("other_heads", "Other heads stay than those in `kept`, which counts them from 0 and names"
            " those that stay.",
            (edit("for head in kept", f"for head in {GONE} or kept")
                .then(COUNTED, "attention.num_heads = len(features) // size"),
             edit("for head in kept", "for head in range(len(kept))"),
             edit(FEATURE, "(head - 1) * size + feature"),
             edit(FEATURE, "(head + 1) % attention.num_heads * size + feature"))),
        Mistake("part_left_out", "Query, key and value all lose the same rows, and a row and its bias go"
            " together.", (*(edit(PARTS, fewer) for fewer in FEWER), edit(BIASES, ""), edit(ROWS, ""))),
        Mistake("nothing_removed", "The layer is as large as before: zeros take as many bytes, and as much"
            " time.",
            (LOST.then(COLUMNS, ""), LOST.then(COLUMNS, UNSEEN.format("output.weight.data[:, features] = 0")),
             edit(ROWS, "pass").then(BIASES, "pass").then(COLUMNS, "").then(COUNTED, ""))),
        Mistake("heads_interleaved", "You take every num_heads-th feature. A head's features lie side by"
            " side: head h owns h * size to h * size + size - 1.",
            edit(FEATURE, "feature * attention.num_heads + head")),
        Mistake("heads_for_features", "You index rows by the numbers of heads. A head owns `size` rows:"
            " h * size to h * size + size - 1.",
            (edit(FEATURE, "head").then("range(size)", "range(1)"), edit(FEATURE, "head * size")
                .then("range(size)", "range(1)"))),
        Mistake("size_of_fewer_heads", "You take heads for larger than they are, and ask for features that"
            " there aren't. Divide by the old number of heads: a head's size doesn't change.",
            edit(SIZE, "len(attention.query.weight) // len(kept)")),
        Mistake("size_from_the_text", "You divide the features of a token by the number of heads. Heads may"
            " be of another size: the query's rows are what the heads share.",
            edit(SIZE, "attention.query.weight.size(1) // attention.num_heads")),
        Mistake("dimensions_exchanged", "You cut the other way round. Query, key and value lose rows, with"
            " their biases, and attention.output.dense loses the columns that read them.",
            (edit(ROWS, ROWS.replace("[features]", "[:, features]")).then(COLUMNS,
                COLUMNS.replace("[:, features]", "[features]")),
             edit(ROWS, ROWS.replace("[features]", "[:, features]")),
             edit(ROWS, ROWS.replace("[features]", "[:, features]")).then(BIASES, ""))),
        Mistake("bias_of_the_output", "You change the bias of attention.output.dense. It is added once for"
            " all heads and belongs to none, so it stays.",
            (edit(COLUMNS, f"{COLUMNS}\n    output.bias.data.zero_()"),
             edit(COLUMNS, f"{COLUMNS}\n    output.bias = None"))),
        Mistake("scaled_up", "You make up for the heads that are gone, as dropout does. The output sums over"
            " the heads, so those that stay give what they gave.",
            edit(COLUMNS, f"{COLUMNS}\n    output.weight.data *= attention.num_heads / len(kept)")),
        Mistake("other_features", "The sizes are right, but other features are kept than those of the heads"
            " that stay: head h owns h * size to h * size + size - 1, in all four matrices.",
            when=lambda _, answer, right: answer[0] == right[0] and answer[8].equal(right[8]),
            example=edit(FEATURE, "head * size + size - 1")),
    ],
    hints=("The features of the heads that stay cut four matrices: three write them, and one reads them.",
           "Head h owns features h · size to h · size + size - 1. Rows are weight[features], columns are"
           " weight[:, features].",
           "Collect `features` for each head in kept; then for query, key and value weight.data and bias.data"
           " become [features], the output's weight.data becomes [:, features], and num_heads len(kept)."),
    why="No zeros are stored or multiplied any more: the matrices are smaller.",
)
# fmt: on
