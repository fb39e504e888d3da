"""A layer of a large network with its first heads and its first neurons alone."""

from collections.abc import Iterator

import torch
from torch import Tensor

from chapters.nb32 import corners
from lib.bert import BertConfig
from lib.bert.encoder import EncoderLayer
from lib.exercises.spec import Exercise, Invariant, Mistake, edit

SIZE = "attention.query.out_features // attention.num_heads"
SPLIT = "part.unflatten(2, (heads, size)).transpose(1, 2)"
MERGED = ".transpose(1, 2).flatten(2)"
CONTEXT = f"F.scaled_dot_product_attention(query, key, value, mask){MERGED}"
ROWS = "matrix.weight[:rows], matrix.bias[:rows]"
COLUMNS = "dense.weight[:, :rows]"
FIRST_NORM = "layer.attention.output.LayerNorm(hidden + update)"
WIDE = "wide.weight[:neurons], wide.bias[:neurons]"
NARROW = "F.linear(inner, narrow.weight[:, :neurons], narrow.bias)"
LAST_NORM = f"layer.output.LayerNorm(hidden + {NARROW})"


def cases(seed: int) -> Iterator[tuple[EncoderLayer, Tensor, Tensor, int, int]]:
    """Half of the heads and neurons; one of each; padding; a whole layer; large heads."""
    torch.manual_seed(seed)
    for heads, size, kept, neurons, texts, tokens, real in [
        (4, 2, 2, 5, 1, 3, 3),
        (3, 4, 1, 1, 2, 4, 3),
        (2, 3, 2, 9, 2, 5, 4),
        (4, 3, 3, 7, 1, 2, 2),
    ]:
        config = BertConfig(20, 8, 1, heads, 9, attention_head_size=size)
        layer = EncoderLayer(config).eval()
        for parameter in layer.parameters():
            parameter.data += 0.3 * torch.randn_like(parameter)  # no bias is 0
        mask = (torch.arange(tokens) < real).expand(texts, 1, 1, tokens)
        yield layer, torch.randn(texts, tokens, 8), mask, kept, neurons


# fmt: off
EXERCISE = Exercise(
    name="layer_at_design", minutes=12, difficulty=3, reference=corners.layer_at_design, cases=cases,
    invariants=[
        Invariant("of_the_same_shape", "A layer gives as many features as it gets: what comes out has the"
            " shape of `hidden`, [B, T, D].",
            lambda _, arguments, result: result.shape == arguments[1].shape),
    ],
    mistakes=[
        Mistake("whole_layer", "You run the whole layer. Take the first rows of query, key and value and the"
            " first neurons, and in the matrices behind them the columns that read these.",
            edit("attention = layer.attention.self", "return layer(hidden, mask)")),
        Mistake("all_heads", "All heads run. Take the first heads * size rows of query, key and value.",
            edit("rows = heads * size", "heads = attention.num_heads\n    rows = heads * size")),
        Mistake("all_neurons", "All neurons run. Take the first `neurons` rows of the wide matrix, and as"
            " many columns of the narrow one.",
            edit("wide, narrow =", "neurons = layer.intermediate.dense.out_features\n    wide, narrow =")),
        Mistake("size_of_fewer_heads", "You make heads larger than they are: a head's size is all rows over"
            " *all* heads of the layer, and doesn't change when fewer of them run.",
            edit(SIZE, "attention.query.out_features // heads")),
        Mistake("last_heads", "You take the last heads. A design has the first ones, so that small designs"
            " lie inside larger ones.", edit(ROWS, "matrix.weight[-rows:], matrix.bias[-rows:]").then(COLUMNS,
                "dense.weight[:, -rows:]")),
        Mistake("other_columns", "Query, key and value are right, and the dense layer behind them reads other"
            " columns than those of the first heads: weight[:, :rows].",
            edit(COLUMNS, "dense.weight[:, -rows:]")),
        Mistake("last_neurons", "You take the last neurons, or their columns. A design has the first ones.",
            (edit(WIDE, "wide.weight[-neurons:], wide.bias[-neurons:]").then("narrow.weight[:, :neurons]",
                "narrow.weight[:, -neurons:]"),
             edit("narrow.weight[:, :neurons]", "narrow.weight[:, -neurons:]"))),
        Mistake("heads_interleaved", "You cut features into heads as if they were interleaved. The rows of a"
            " head are neighbors: unflatten into (heads, size), in this order.",
            edit(SPLIT, "part.unflatten(2, (size, heads)).permute(0, 3, 1, 2)")),
        Mistake("heads_mixed_up", "You glue the heads together without turning the dimensions back: from [B,"
            " heads, T, size] first to [B, T, heads, size], and then flatten the last two.",
            edit(MERGED, ".reshape(*hidden.shape[:2], rows)")),
        Mistake("one_head", "You treat all rows as one large head. Cut them into heads of `size` before"
            " attention.", edit(SPLIT, "part[:, None]")),
        Mistake("mask_forgotten", "Padding is looked at. Give the mask to attention.",
            edit("value, mask)", "value)")),
        Mistake("not_scaled", "The scores aren't divided by the root of the size of a head.",
            edit(CONTEXT, CONTEXT.replace("mask)", "mask, scale=1.0)"))),
        Mistake("first_residual", "After attention the hidden states are added, before the norm.",
            edit(FIRST_NORM, "layer.attention.output.LayerNorm(update)")),
        Mistake("last_residual", "After the feed-forward network what went into it is added, before"
            " the norm.",
            edit(LAST_NORM, f"layer.output.LayerNorm({NARROW})")),
        Mistake("first_norm", "After attention the sum isn't normalized.",
            edit(FIRST_NORM, "hidden + update")),
        Mistake("last_norm", "At its end the layer normalizes: layer.output.LayerNorm.",
            edit(LAST_NORM, f"hidden + {NARROW}")),
        Mistake("bias_of_the_output", "A bias of the output belongs to features, not to heads or neurons, so"
            " it stays and is added once.",
            (edit(f"{COLUMNS}, dense.bias", COLUMNS),
             edit("narrow.weight[:, :neurons], narrow.bias", "narrow.weight[:, :neurons]"))),
        Mistake("bias_of_the_rows", "A row and its bias go together: the first rows of query, key and value,"
            " and the first neurons, have biases.",
            (edit(ROWS, "matrix.weight[:rows]"), edit(WIDE, "wide.weight[:neurons]"))),
        Mistake("another_bend", "Between its two matrices BERT has F.gelu.",
            (edit("F.gelu(", "F.relu("), edit("F.gelu(", "("))),
        Mistake("scaled_up", "You make up for the parts that are gone. A design is what these rows and"
            " columns compute, and no more.",
            edit("F.linear(context,", "F.linear(context * attention.num_heads / heads,")),
    ],
    hints=("A layer in five lines of words: queries, keys and values of the first heads; attention; the dense"
           " layer behind it, added and normalized; the first neurons; the narrow matrix, added and"
           " normalized.",
           "size = attention.query.out_features // attention.num_heads and rows = heads * size. What makes"
           " heads or neurons is cut to weight[:rows] and bias[:rows], what reads them to weight[:, :rows],"
           " with its whole bias.",
           "split.append(F.linear(hidden, matrix.weight[:rows], matrix.bias[:rows]).unflatten(2, (heads,"
           " size)).transpose(1, 2)) for the three; F.scaled_dot_product_attention(query, key, value,"
           " mask).transpose(1, 2).flatten(2) is [B, T, rows]."),
    why="All designs are corners of one network's matrices, so this function runs any of them.",
)
# fmt: on
