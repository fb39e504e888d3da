"""The exercises of notebook 09, the encoder."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from typing import Any

import torch
import torch.nn.functional as F
from torch import Tensor, nn

from lib.analysis.cost import formulas
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
    middle = _first_half(parts, hidden, mask)
    update = parts.output["dense"](F.gelu(parts.intermediate["dense"](middle)))
    return parts.output["LayerNorm"](hidden + parts.dropout(update))


def _feed_forward_from_the_start(parts: Any, hidden: Tensor, mask: Tensor | None = None) -> Tensor:
    update = parts.output["dense"](F.gelu(parts.intermediate["dense"](hidden)))
    return parts.output["LayerNorm"](_first_half(parts, hidden, mask) + parts.dropout(update))


def _pre_ln_in_the_first_half(parts: Any, hidden: Tensor, mask: Tensor | None = None) -> Tensor:
    inside = parts.attention["output"]
    update = inside["dense"](parts.attention["self"](inside["LayerNorm"](hidden), mask))
    return _second_half(parts, hidden + parts.dropout(update))


def _dropout_before_dense(parts: Any, hidden: Tensor, mask: Tensor | None = None) -> Tensor:
    inside = parts.attention["output"]
    update = inside["dense"](parts.dropout(parts.attention["self"](hidden, mask)))
    hidden = inside["LayerNorm"](hidden + update)
    update = parts.output["dense"](parts.dropout(F.gelu(parts.intermediate["dense"](hidden))))
    return parts.output["LayerNorm"](hidden + update)


def _tuple(parts: Any, hidden: Tensor, mask: Tensor | None = None) -> Any:
    return (_second_half(parts, _first_half(parts, hidden, mask)),)


def _always_dropped(parts: Any, hidden: Tensor, update: Tensor) -> Tensor:
    return hidden + F.dropout(update, parts.dropout.p)


def _attention_always_dropped(parts: Any, hidden: Tensor, mask: Tensor | None) -> Tensor:
    return F.dropout(parts.attention["self"](hidden, mask), parts.attention["self"].dropout.p)


def _default_eps(norm: Any, x: Tensor) -> Tensor:
    return F.layer_norm(x, x.shape[-1:], norm.weight, norm.bias)


def _no_attention_dense(parts: Any, hidden: Tensor, mask: Tensor | None = None) -> Tensor:
    update = parts.attention["self"](hidden, mask)
    return _second_half(parts, parts.attention["output"]["LayerNorm"](hidden + parts.dropout(update)))


def _first_half(parts: Any, hidden: Tensor, mask: Tensor | None = None) -> Tensor:
    update = parts.attention["output"]["dense"](parts.attention["self"](hidden, mask))
    return parts.attention["output"]["LayerNorm"](hidden + parts.dropout(update))


def _second_half(parts: Any, hidden: Tensor) -> Tensor:
    update = parts.output["dense"](F.gelu(parts.intermediate["dense"](hidden)))
    return parts.output["LayerNorm"](hidden + parts.dropout(update))


def _normalized_update(parts: Any, hidden: Tensor, mask: Tensor | None = None) -> Tensor:
    update = parts.attention["output"]["dense"](parts.attention["self"](hidden, mask))
    hidden = hidden + parts.attention["output"]["LayerNorm"](parts.dropout(update))
    update = parts.output["dense"](F.gelu(parts.intermediate["dense"](hidden)))
    return hidden + parts.output["LayerNorm"](parts.dropout(update))


def _cases(seed: int) -> Iterator[tuple[Any, ...]]:
    """In eval(), where every rate of 1 has to do nothing; with tiny sums; in train(), with a rate of 1.

    What is dropped out at a rate of 1 vanishes, so dropout is judged without depending on the order of
    random draws. `scale` makes the first sum and both updates so small that eps shows.
    """
    for sizes, length, masked, training, hidden_rate, attention_rate, scale in [
        ((4, 2, 6), 3, False, False, 1.0, 1.0, 1.0),
        ((12, 3, 20), 5, True, False, 1.0, 1.0, 1.0),
        ((8, 2, 8), 4, False, False, 0.0, 0.0, 1e-4),
        ((8, 2, 8), 4, False, True, 1.0, 0.0, 1.0),
        ((8, 2, 8), 4, True, True, 0.0, 1.0, 1.0),
    ]:
        size, heads, wide = sizes
        torch.manual_seed(seed)
        config = BertConfig(
            hidden_size=size,
            num_attention_heads=heads,
            intermediate_size=wide,
            hidden_dropout_prob=hidden_rate,
            attention_probs_dropout_prob=attention_rate,
        )
        state = encoder.EncoderLayer(config).state_dict()
        state = {name: tensor + 0.3 * torch.randn_like(tensor) for name, tensor in state.items()}
        for name in state:
            if name.startswith(("attention.output.", "output.dense.")):
                state[name] *= scale
        mask = torch.arange(length) < torch.tensor([[length], [2]])  # [2, T]
        hidden = scale * torch.randn(2, length, size)
        yield config, state, hidden, mask[:, None, None, :] if masked else None, training


def _run(
    candidate: Any,
    config: BertConfig,
    state: dict[str, Tensor],
    hidden: Tensor,
    mask: Tensor | None,
    training: bool,
) -> Tensor:
    """Build the layer, give it the reference's weights, call it in train() or eval()."""
    layer = candidate(config)
    load_weights(layer, state)
    layer.train(training)
    return layer(hidden, mask)


@contextmanager
def _in_every_layer(candidate: Any, model: BertModel) -> Iterator[None]:
    """The model with a layer of the learner's in the place of each of its own, weights carried over."""
    layers = model.encoder.layer
    theirs = [candidate(model.config) for _ in layers]
    for mine, layer in zip(theirs, layers, strict=True):
        mine.load_state_dict(layer.state_dict())
    model.encoder.layer = nn.ModuleList(theirs).eval()
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
            "no_attention_dense",
            'The heads\' output goes through attention["output"]["dense"] before it is added.',
            _wrong(_no_attention_dense),
        ),
        Mistake(
            "first_half_only",
            "That is the first half of the layer; the feed-forward half is missing.",
            _wrong(_first_half),
        ),
        Mistake(
            "normalized_the_update",
            "You normalize the update and then add. Add first, then normalize the sum.",
            _wrong(_normalized_update),
        ),
        Mistake(
            "one_dropout",
            "Right in eval(). In train() the update of one half skips the dropout.",
            _right(first=lambda p, h, u: h + u),
        ),
        Mistake(
            "one_dropout",
            "Right in eval(). In train() the update of one half skips the dropout.",
            _right(second=lambda p, h, u: h + u),
        ),
        Mistake(
            "dropout_after_the_norm",
            "Right in eval(), but in train() you drop out the result. Drop out the update, then add and"
            " normalize.",
            _right(
                first=lambda p, h, u: h + u,
                second=lambda p, h, u: h + u,
                norm_first=lambda p, x: p.dropout(p.attention["output"]["LayerNorm"](x)),
                norm_second=lambda p, x: p.dropout(p.output["LayerNorm"](x)),
            ),
        ),
        Mistake(
            "no_second_norm",
            "The second sum is not normalized: the layer ends in output.LayerNorm.",
            _right(norm_second=lambda p, x: x),
        ),
        Mistake(
            "no_first_norm",
            "The first sum is not normalized before it goes on.",
            _right(norm_first=lambda p, x: x),
        ),
        Mistake(
            "gelu_twice",
            "GELU stands once, between the two dense layers.",
            _right(activate=lambda x: F.gelu(F.gelu(x))),
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
        Mistake(
            "norms_swapped",
            'The two LayerNorms have changed places: self.attention["output"]["LayerNorm"] ends the first'
            ' half, self.output["LayerNorm"] the second.',
            _right(
                norm_first=lambda p, x: p.output["LayerNorm"](x),
                norm_second=lambda p, x: p.attention["output"]["LayerNorm"](x),
            ),
        ),
        Mistake(
            "feed_forward_from_the_start",
            "Your feed-forward half reads what came into the layer. It should read what came out of the"
            " attention half, after its norm.",
            _wrong(_feed_forward_from_the_start),
        ),
        *(
            Mistake(
                "gelu_after_the_second_dense",
                "GELU stands between the two dense layers. After the second it would keep the update from"
                " ever being clearly negative.",
                _right(activate=between, second=lambda p, h, u: h + p.dropout(F.gelu(u))),
            )
            for between in (F.gelu, lambda x: x)
        ),
        *(
            Mistake(
                "gelu_at_the_end",
                "GELU goes between the two dense layers; what leaves the layer is the normalized sum as it"
                " stands.",
                _right(activate=between, norm_second=lambda p, x: F.gelu(p.output["LayerNorm"](x))),
            )
            for between in (F.gelu, lambda x: x)
        ),
        Mistake(
            "dropout_before_the_dense_layer",
            "Right in eval(), but in train() you drop out what goes into the dense layer. Drop out what"
            " comes out of it, the update.",
            _wrong(_dropout_before_dense),
        ),
        Mistake(
            "pre_ln_in_the_first_half",
            "The first half is pre-LN: you normalize what goes into the attention. Normalize the sum after"
            " it, as your second half does.",
            _wrong(_pre_ln_in_the_first_half),
        ),
        Mistake(
            "returns_a_tuple",
            "The layer is right, but it comes in a tuple. Return the tensor alone: the next layer reads it.",
            _wrong(_tuple),
        ),
        *(
            Mistake(
                "dropout_in_eval",
                "You drop out in eval() too: F.dropout does not know in which state the layer is. Give it"
                " training=self.training, or use self.dropout.",
                _right(**steps),
            )
            for steps in (
                {"first": _always_dropped, "second": _always_dropped},
                {"first": _always_dropped},
                {"second": _always_dropped},
                {"attend": _attention_always_dropped},
                {"attend": _attention_always_dropped, "first": _always_dropped, "second": _always_dropped},
            )
        ),
        *(
            Mistake(
                "default_eps",
                "Right until a sum hardly varies: nn.LayerNorm's own eps is 1e-5, BERT's is smaller. Give it"
                " eps=config.layer_norm_eps.",
                _right(**steps),
            )
            for steps in (
                {
                    "norm_first": lambda p, x: _default_eps(p.attention["output"]["LayerNorm"], x),
                    "norm_second": lambda p, x: _default_eps(p.output["LayerNorm"], x),
                },
                {"norm_first": lambda p, x: _default_eps(p.attention["output"]["LayerNorm"], x)},
                {"norm_second": lambda p, x: _default_eps(p.output["LayerNorm"], x)},
            )
        ),
        Mistake(
            "no_attention_dropout",
            "Right in eval(), but in train() every attention weight survives: they go through dropout too,"
            " after the softmax, with config.attention_probs_dropout_prob.",
            _right(attend=lambda p, h, m: p.attention["self"].eval()(h, m)),
        ),
    ],
    hints=(
        "Twice the same gesture: compute an update, drop some of it out, add it to what came in,"
        " normalize the sum.",
        "Everything is [batch, length, hidden_size], but the inside of the feed-forward half, which is"
        " intermediate_size wide.",
        'hidden = self.attention["output"]["LayerNorm"](hidden + self.dropout(update)) ends the first half;'
        ' update = self.output["dense"](F.gelu(self.intermediate["dense"](hidden))) begins the second, and'
        ' self.output["LayerNorm"](hidden + self.dropout(update)) ends it.',
    ),
    box="encoder",
    use=_use,
)


# --- count_parameters -----------------------------------------------------------------------------


def _count(
    attention: Callable[..., int] = lambda size, norm, **_: 4 * (size * size + size) + norm,
    feed_forward: Callable[..., int] = lambda size, wide, norm, **_: 2 * size * wide + wide + size + norm,
) -> Callable[[BertConfig], dict[str, int]]:
    """The stub with its two gaps filled, one of them wrongly."""

    def count(config: BertConfig) -> dict[str, int]:
        sizes = {"size": config.hidden_size, "wide": config.intermediate_size, "norm": 2 * config.hidden_size}
        right = formulas.count_parameters(config)
        return right | {
            "attention": config.num_hidden_layers * attention(config=config, **sizes),
            "feed-forward": config.num_hidden_layers * feed_forward(config=config, **sizes),
        }

    return count


def _no_attention_bias(size: int, norm: int, **_: Any) -> int:
    return 4 * size * size + norm


def _no_wide_bias(size: int, wide: int, norm: int, **_: Any) -> int:
    return 2 * size * wide + norm


_BIASES = "Every dense layer has biases too: from a to b features it has a * b weights and b biases."
_NORM = "Each half ends in a layer norm: add `norm` to both."
_NORM_TWICE = "One norm in each half; you counted two here."
_SAME_BIASES = (
    "Your two biases have one length. The first layer ends in `wide` features, the second in `size`."
)

COUNT = Exercise(
    name="count_parameters",
    notebook=NOTEBOOK,
    kind="gap",
    reference=formulas.count_parameters,
    cases=lambda seed: [
        (BertConfig(53, 24, 2, 3, 40, max_position_embeddings=20),),
        (BertConfig(),),
        (BertConfig(hidden_size=1024, num_hidden_layers=24, num_attention_heads=16, intermediate_size=4096),),
    ],
    gradients=False,
    mistakes=[
        Mistake("no_biases", _BIASES, _count(_no_attention_bias, _no_wide_bias)),
        Mistake("no_biases", _BIASES, _count(_no_attention_bias)),
        Mistake("no_biases", _BIASES, _count(feed_forward=_no_wide_bias)),
        Mistake(
            "no_norms",
            _NORM,
            _count(
                lambda size, **_: 4 * (size * size + size),
                lambda size, wide, **_: 2 * size * wide + wide + size,
            ),
        ),
        Mistake("no_norms", _NORM, _count(lambda size, **_: 4 * (size * size + size))),
        Mistake(
            "no_norms", _NORM, _count(feed_forward=lambda size, wide, **_: 2 * size * wide + wide + size)
        ),
        Mistake(
            "norm_twice",
            _NORM_TWICE,
            _count(lambda size, norm, **_: 4 * (size * size + size) + 2 * norm),
        ),
        Mistake(
            "norm_twice",
            _NORM_TWICE,
            _count(feed_forward=lambda size, wide, norm, **_: 2 * size * wide + wide + size + 2 * norm),
        ),
        Mistake(
            "no_biases_no_norms",
            "Two things are missing: the biases of the dense layers, and `norm` in both halves.",
            _count(lambda size, **_: 4 * size * size, lambda size, wide, **_: 2 * size * wide),
        ),
        Mistake(
            "a_norm_per_dense_layer",
            "You count a norm for every dense layer. There is one in each half, after the sum.",
            _count(
                lambda size, norm, **_: 4 * (size * size + size + norm),
                lambda size, wide, norm, **_: 2 * size * wide + wide + size + 2 * norm,
            ),
        ),
        Mistake(
            "no_output_projection",
            "Attention has four dense layers, not three: what the heads bring goes through one more.",
            _count(lambda size, norm, **_: 3 * (size * size + size) + norm),
        ),
        Mistake(
            "half_a_feed_forward",
            "The feed-forward network has two dense layers: out to `wide` and back to `size`.",
            _count(feed_forward=lambda size, wide, norm, **_: size * wide + wide + norm),
        ),
        Mistake(
            "same_biases",
            _SAME_BIASES,
            _count(feed_forward=lambda size, wide, norm, **_: 2 * (size * wide + wide) + norm),
        ),
        Mistake(
            "same_biases",
            _SAME_BIASES,
            _count(feed_forward=lambda size, wide, norm, **_: 2 * (size * wide + size) + norm),
        ),
        Mistake(
            "times_heads",
            "Heads split the same matrices among themselves; they add none.",
            _count(
                lambda size, norm, config, **_: config.num_attention_heads * 4 * (size * size + size) + norm
            ),
        ),
        Mistake(
            "times_layers",
            "The dictionary below already multiplies by the layers: count one.",
            _count(
                lambda size, norm, config, **_: config.num_hidden_layers * (4 * (size * size + size) + norm),
                lambda size, wide, norm, config, **_: (
                    config.num_hidden_layers * (2 * size * wide + wide + size + norm)
                ),
            ),
        ),
    ],
    hints=(
        "A dense layer from a to b features has a * b weights and b biases.",
        "One layer: four dense layers size → size, one size → wide, one wide → size; a norm in each half.",
        "attention = 4 * (size * size + size) + norm; feed_forward = (size * wide + wide) + (wide * size +"
        " size) + norm.",
    ),
)


# --- large_over_base ------------------------------------------------------------------------------


def _ratio() -> float:
    large = BertConfig(hidden_size=1024, num_hidden_layers=24, num_attention_heads=16, intermediate_size=4096)
    work = [sum(formulas.count_multiplications(config, 128).values()) for config in (large, BertConfig())]
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
            "That is how many times the parameters it has. More than a fifth of base's parameters are a table"
            " that is only looked up, so the work grows faster than the size.",
            lambda answer: abs(answer - 3.06) < 0.05,
            example=3.06,
        ),
        Mistake(
            "twice_the_work",
            "Twice too much: a multiply-add is two floating-point operations, and you took those for large"
            " but multiply-adds for base. Count both in one unit.",
            lambda answer: abs(answer - 2 * _ratio()) < 0.12,
            example=7.06,
        ),
        Mistake(
            "one_layer",
            "That is one layer of large against one layer of base. Large also has twice as many.",
            lambda answer: abs(answer - (1024 / 768) ** 2) < 0.05,
            example=1.78,
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
