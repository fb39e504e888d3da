"""The exercises of notebook 09, the encoder."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from typing import Any

import torch
import torch.nn.functional as F
from torch import Tensor, nn

from lib.analysis import cost
from lib.bert import BertConfig, BertModel, encoder
from lib.bert.attention import SelfAttention
from lib.exercises.exercise import Exercise, Mistake
from lib.exercises.inside import load_weights

NOTEBOOK = "09_the_encoder"


# --- EncoderLayer ---------------------------------------------------------------------------------


class _Parts(nn.Module):
    """The parts of a layer under the names that checkpoints know; what is done with them varies."""

    def __init__(self, config: BertConfig):
        super().__init__()
        size, wide, eps = config.hidden_size, config.intermediate_size, config.layer_norm_eps
        self.attention = nn.ModuleDict({"self": SelfAttention(config), "output": _dense(size, size, eps)})
        self.intermediate = nn.ModuleDict({"dense": nn.Linear(size, wide)})
        self.output = _dense(wide, size, eps)
        self.dropout = nn.Dropout(config.hidden_dropout_prob)


def _dense(input_size: int, output_size: int, eps: float) -> nn.ModuleDict:
    return nn.ModuleDict(
        {"dense": nn.Linear(input_size, output_size), "LayerNorm": nn.LayerNorm(output_size, eps)}
    )


def _wrong(forward: Callable[[Any, Tensor, Tensor | None], Tensor]) -> type[nn.Module]:
    """A layer that does `forward` with the parts."""
    return type("EncoderLayer", (_Parts,), {"forward": forward})


def _right(
    attend: Any = lambda parts, hidden, mask: parts.attention["self"](hidden, mask),
    activate: Any = F.gelu,
    first: Any = lambda parts, hidden, update: hidden + parts.dropout(update),
    second: Any = lambda parts, hidden, update: hidden + parts.dropout(update),
    norm_first: Any = lambda parts, x: parts.attention["output"]["LayerNorm"](x),
    norm_second: Any = lambda parts, x: parts.output["LayerNorm"](x),
) -> type[nn.Module]:
    """A layer in six steps, one of which a mistake replaces."""

    def forward(parts: Any, hidden: Tensor, mask: Tensor | None = None) -> Tensor:
        update = parts.attention["output"]["dense"](attend(parts, hidden, mask))
        hidden = norm_first(parts, first(parts, hidden, update))
        update = parts.output["dense"](activate(parts.intermediate["dense"](hidden)))
        return norm_second(parts, second(parts, hidden, update))

    return _wrong(forward)


def _pre_ln(parts: Any, hidden: Tensor, mask: Tensor | None = None) -> Tensor:
    inside = parts.attention["output"]
    hidden = hidden + parts.dropout(
        inside["dense"](parts.attention["self"](inside["LayerNorm"](hidden), mask))
    )
    wide = F.gelu(parts.intermediate["dense"](parts.output["LayerNorm"](hidden)))
    return hidden + parts.dropout(parts.output["dense"](wide))


def _residual_from_the_start(parts: Any, hidden: Tensor, mask: Tensor | None = None) -> Tensor:
    update = parts.attention["output"]["dense"](parts.attention["self"](hidden, mask))
    middle = parts.attention["output"]["LayerNorm"](hidden + parts.dropout(update))
    update = parts.output["dense"](F.gelu(parts.intermediate["dense"](middle)))
    return parts.output["LayerNorm"](hidden + parts.dropout(update))


def _cases(seed: int) -> Iterator[tuple[Any, ...]]:
    """In eval() with and without a mask; in train() with all of the dropout there can be.

    With a rate of 1 both updates vanish, so a layer that drops out in the right two places is its two
    norms and nothing else: dropout is judged without depending on the order of random draws.
    """
    for sizes, length, masked, rate in [
        ((4, 2, 6), 3, False, 0.0),
        ((12, 3, 20), 5, True, 0.0),
        ((8, 2, 8), 4, False, 1.0),
    ]:
        size, heads, wide = sizes
        torch.manual_seed(seed)
        config = BertConfig(
            hidden_size=size,
            num_attention_heads=heads,
            intermediate_size=wide,
            hidden_dropout_prob=rate,
            attention_probs_dropout_prob=0.0,
        )
        state = encoder.EncoderLayer(config).state_dict()
        state = {name: tensor + 0.3 * torch.randn_like(tensor) for name, tensor in state.items()}
        mask = torch.arange(length) < torch.tensor([[length], [2]])  # [2, T]
        yield config, state, torch.randn(2, length, size), mask[:, None, None, :] if masked else None


def _run(
    candidate: Any, config: BertConfig, state: dict[str, Tensor], hidden: Tensor, mask: Tensor | None
) -> Tensor:
    """Build the layer, give it the reference's weights, call it; in train() where there is dropout."""
    layer = candidate(config)
    load_weights(layer, state)
    layer.train(config.hidden_dropout_prob > 0)
    return layer(hidden, mask)


@contextmanager
def _in_every_layer(candidate: Any, model: BertModel) -> Iterator[None]:
    """The model with a layer of the learner's in the place of each of its own, weights carried over."""
    layers = model.encoder.layer
    theirs = nn.ModuleList(candidate(model.config) for _ in layers)
    for mine, layer in zip(theirs, layers, strict=True):
        mine.load_state_dict(layer.state_dict())
    model.encoder.layer = theirs.eval()
    try:
        yield
    finally:
        model.encoder.layer = layers


def _use(candidate: Any, model: BertModel) -> AbstractContextManager[None]:
    return _in_every_layer(candidate, model)


LAYER = Exercise(
    name="EncoderLayer",
    notebook=NOTEBOOK,
    reference=encoder.EncoderLayer,
    cases=_cases,
    run=_run,
    mistakes=[
        Mistake(
            "pre_ln",
            "This is pre-LN: you normalize what goes into each half. BERT is post-LN: it adds first and"
            " normalizes the sum.",
            _wrong(_pre_ln),
        ),
        Mistake(
            "no_residual",
            "Nothing is added: each half replaces what came in. A residual layer says hidden + update.",
            _right(first=lambda p, h, u: p.dropout(u), second=lambda p, h, u: p.dropout(u)),
        ),
        Mistake(
            "no_first_residual",
            "The attention half forgets its input: normalize hidden + update, not the update alone.",
            _right(first=lambda p, h, u: p.dropout(u)),
        ),
        Mistake(
            "no_second_residual",
            "The feed-forward half forgets its input: normalize hidden + update, not the update alone.",
            _right(second=lambda p, h, u: p.dropout(u)),
        ),
        Mistake(
            "residual_from_the_start",
            "Your second sum adds what came into the layer. It should add what came out of the attention"
            " half, after its norm.",
            _wrong(_residual_from_the_start),
        ),
        Mistake(
            "relu",
            "The shape of the network is right, but the activation is ReLU. BERT uses GELU.",
            _right(activate=F.relu),
        ),
        Mistake(
            "no_activation",
            "Two dense layers with nothing between them are one dense layer. GELU goes in between.",
            _right(activate=lambda x: x),
        ),
        Mistake(
            "tanh_gelu",
            "Nearly: this is the tanh approximation of GELU. BERT's checkpoints were trained with the"
            " exact one, F.gelu without arguments.",
            _right(activate=lambda x: F.gelu(x, approximate="tanh")),
        ),
        Mistake(
            "mask_ignored",
            "Right on whole sentences; with padding it is not, because the mask never reaches the attention.",
            _right(attend=lambda p, h, m: p.attention["self"](h)),
        ),
        Mistake(
            "no_dropout",
            "Right in eval(), but in train() nothing is dropped out: both updates go through dropout"
            " before they are added.",
            _right(first=lambda p, h, u: h + u, second=lambda p, h, u: h + u),
        ),
        Mistake(
            "dropout_after_the_sum",
            "Right in eval(), but in train() you drop out the sum, so the residual path loses features"
            " too. Drop out the update, then add.",
            _right(first=lambda p, h, u: p.dropout(h + u), second=lambda p, h, u: p.dropout(h + u)),
        ),
        Mistake(
            "no_norms",
            "Nothing is normalized: each sum goes through its LayerNorm.",
            _right(norm_first=lambda p, x: x, norm_second=lambda p, x: x),
        ),
        Mistake(
            "one_norm_twice",
            "You use the attention half's LayerNorm in both places. Each half has its own weights.",
            _right(norm_second=lambda p, x: p.attention["output"]["LayerNorm"](x)),
        ),
    ],
    hints=(
        "Twice the same gesture: compute an update, drop some of it out, add it to what came in,"
        " normalize the sum.",
        "Everything is [batch, length, hidden_size], but the inside of the feed-forward half, which is"
        " intermediate_size wide.",
        'hidden = self.attention["output"]["LayerNorm"](hidden + self.dropout(update)) ends the first'
        " half; the second ends the same way.",
    ),
    box="encoder",
    use=_use,
)


# --- count_parameters -----------------------------------------------------------------------------


def _count(
    bias: int = 1,
    norms: int = 1,
    projections: int = 4,
    tables: int = 3,
    wide_layers: int = 2,
    layers: int | None = None,
) -> Callable[[BertConfig], dict[str, int]]:
    """The count with one number changed."""

    def count(config: BertConfig) -> dict[str, int]:
        size, wide = config.hidden_size, config.intermediate_size
        depth = config.num_hidden_layers if layers is None else layers
        norm = norms * 2 * size
        rows = sum([config.vocab_size, config.max_position_embeddings, config.type_vocab_size][:tables])
        dense = [size * wide + bias * wide, wide * size + bias * size][:wide_layers]
        return {
            "embeddings": rows * size + norm,
            "attention": depth * (projections * (size * size + bias * size) + norm),
            "feed-forward": depth * (sum(dense) + norm),
            "pooler": size * size + bias * size,
        }

    return count


COUNT = Exercise(
    name="count_parameters",
    notebook=NOTEBOOK,
    kind="gap",
    reference=cost.count_parameters,
    cases=lambda seed: [
        (BertConfig(53, 24, 2, 3, 40, max_position_embeddings=20),),
        (BertConfig(),),
        (BertConfig(hidden_size=1024, num_hidden_layers=24, num_attention_heads=16, intermediate_size=4096),),
    ],
    gradients=False,
    mistakes=[
        Mistake("no_biases", "The matrices are right; every dense layer has a bias as well.", _count(bias=0)),
        Mistake(
            "no_norms",
            "You left the layer norms out: a weight and a bias for each feature, after the embeddings and"
            " twice in a layer.",
            _count(norms=0),
        ),
        Mistake(
            "no_output_projection",
            "Attention has four dense layers, not three: what the heads bring together goes through"
            " `output.dense`.",
            _count(projections=3),
        ),
        Mistake(
            "pieces_only",
            "The vocabulary is not the only table that is looked up: positions and token types have one"
            " each.",
            _count(tables=1),
        ),
        Mistake(
            "no_token_types",
            "Two rows are missing from the embeddings, one for each token type.",
            _count(tables=2),
        ),
        Mistake(
            "half_a_feed_forward",
            "The feed-forward network has two dense layers: out to intermediate_size and back.",
            _count(wide_layers=1),
        ),
        Mistake("one_layer", "That is one layer. The model has num_hidden_layers of them.", _count(layers=1)),
    ],
    hints=(
        "A dense layer from a to b features has a × b weights and b biases, an embedding rows × features.",
        "One layer: four dense layers size → size, one size → wide, one wide → size, two norms.",
        "attention = 4 * (size * size + size) + norm, and all layers together num_hidden_layers times that.",
    ),
)


# --- large_over_base ------------------------------------------------------------------------------


def _ratio() -> float:
    large = BertConfig(hidden_size=1024, num_hidden_layers=24, num_attention_heads=16, intermediate_size=4096)
    work = [sum(cost.count_multiplications(config, 128).values()) for config in (large, BertConfig())]
    return work[0] / work[1]


RATIO = Exercise(
    name="large_over_base",
    notebook=NOTEBOOK,
    kind="predict",
    reference=_ratio,
    tolerance=0.06,
    answer="2 * (1024 / 768) ** 2",
    form="An answer is a number, such as 2.5.",
    mistakes=[
        Mistake(
            "printed",
            "That is the ratio of the printed figures, 1857 to 123. Compute it: twice the layers, and"
            " matrices larger by the square of 1024/768.",
            lambda answer: abs(answer - 15.1) < 0.3,
            example=15.1,
        ),
        Mistake(
            "parameters",
            "That is how many times the parameters it has. A quarter of base's parameters are lookups,"
            " which cost next to nothing, so the work grows faster than the size.",
            lambda answer: abs(answer - 3.06) < 0.12,
            example=3.06,
        ),
        Mistake(
            "layers_only",
            "Twice the layers, yes. Each of them is also wider: 1024 features instead of 768.",
            lambda answer: abs(answer - 2) < 0.05,
            example=2,
        ),
        Mistake(
            "width_not_squared",
            "Nearly all the work is in matrices that are size × size, or four times that, so the width"
            " counts twice.",
            lambda answer: abs(answer - 2 * 1024 / 768) < 0.05,
            example=2.67,
        ),
    ],
    hints=(
        "Count the multiplications, not the parameters, and leave the lookups out.",
        "Large has 24 layers of 1024 features, base 12 layers of 768; both feed-forward networks are four"
        " times as wide.",
        "Twice the layers, times (1024 / 768) squared.",
    ),
)

EXERCISES = [LAYER, COUNT, RATIO]
