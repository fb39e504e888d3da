"""A layer of BERT: attention, add and norm, feed-forward, add and norm."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any
from unittest.mock import patch

import torch
import torch.nn.functional as F
from torch import nn

from lib.bert import BertConfig, BertModel, encoder
from lib.exercises.inside import replaced, run_layer
from lib.exercises.mistakes import Edit
from lib.exercises.spec import Exercise, Invariant, Mistake, edit

SHORT = "hidden = self.attention(hidden, mask)\n        return self.output(self.intermediate(hidden), hidden)"
ATTEND = "self.attention.self(hidden, mask)"
SUM_1, NORM_1 = "hidden + one.dropout(update)", "one.LayerNorm(hidden + one.dropout(update))"
WIDE, GELU = "self.intermediate.dense(middle)", "F.gelu(self.intermediate.dense(middle))"
SUM_2, NORM_2 = "middle + two.dropout(back)", "two.LayerNorm(middle + two.dropout(back))"
STEPS = edit(
    SHORT,
    f"""one, two = self.attention.output, self.output
        update = one.dense({ATTEND})
        middle = {NORM_1}
        wide = {GELU}
        back = two.dense(wide)
        return {NORM_2}""",
)


def either(first: tuple[str, str], second: tuple[str, str]) -> tuple[Edit, ...]:
    """A change in the first half of the layer, one in the second, and both."""
    return STEPS.then(*first), STEPS.then(*second), STEPS.then(*first).then(*second)


def cases(seed: int) -> Iterator[tuple[Any, ...]]:
    """In eval(), with a mask and without; in train(), with a rate of 1.

    What is dropped out at a rate of 1 vanishes, so dropout is judged without depending on random draws.
    """
    for (size, heads, wide), length, masked, training, rate, attention_rate in [
        ((4, 2, 6), 3, False, False, 0.5, 0.5),
        ((12, 3, 20), 5, True, False, 0.5, 0.5),
        ((8, 2, 8), 4, False, True, 1.0, 0.0),
        ((8, 2, 8), 4, True, True, 0.0, 1.0),
    ]:
        torch.manual_seed(seed)
        config = BertConfig(
            hidden_size=size,
            num_attention_heads=heads,
            intermediate_size=wide,
            hidden_dropout_prob=rate,
            attention_probs_dropout_prob=attention_rate,
            layer_norm_eps=0.1,
        )
        state = encoder.EncoderLayer(config).state_dict()
        state = {name: tensor + 0.5 * torch.randn_like(tensor) for name, tensor in state.items()}
        mask = torch.arange(length) < torch.tensor([[length], [2]])  # [2, T]
        hidden = torch.randn(2, length, size)
        yield config, state, hidden, mask[:, None, None, :] if masked else None, training


def eval_draws_nothing(candidate: Any, arguments: tuple[Any, ...], result: Any) -> bool:
    config, _, hidden, mask, _ = arguments
    layer = candidate(config).eval()
    return torch.equal(layer(hidden.clone(), mask), layer(hidden.clone(), mask))


def at_most_two_dropouts(candidate: Any, arguments: tuple[Any, ...], result: Any) -> bool:
    """What is [B, T, D]: attention written by hand drops out its weights, [B, H, T, T], as well."""
    config, _, hidden, mask, _ = arguments
    with patch.object(F, "dropout", wraps=F.dropout) as dropout:
        candidate(config).train()(hidden.clone(), mask)
    given = [[*call.args, *call.kwargs.values()][0] for call in dropout.call_args_list]
    return sum(tensor.dim() == hidden.dim() for tensor in given) <= 2


@contextmanager
def use(candidate: Any, model: BertModel) -> Iterator[None]:
    """The model with a layer of the learner's in the place of each of its own, weights carried over."""
    layers = model.encoder.layer
    theirs = [candidate(model.config) for _ in layers]
    for mine, layer in zip(theirs, layers, strict=True):
        mine.load_state_dict(layer.state_dict())
    with replaced(model.encoder, "layer", nn.ModuleList(theirs).eval()):
        yield


EXERCISE = Exercise(
    name="EncoderLayer",
    minutes=8,
    difficulty=2,
    reference=encoder.EncoderLayer,
    cases=cases,
    run=run_layer,
    invariants=[
        Invariant(
            "dropout_in_eval",
            "You drop out in eval() too: called twice, your layer gives two results. F.dropout does not know"
            " in which state the layer is: give it training=self.training, or use self.dropout.",
            eval_draws_nothing,
        ),
        Invariant(
            "dropped_out_too_often",
            "In train() you drop out too often: drop out the two updates, as they come from their last dense"
            " layer, once each, and nothing else.",
            at_most_two_dropouts,
        ),
    ],
    alike=[STEPS],
    mistakes=[
        Mistake(
            "pre_ln",
            "This is pre-LN: you normalize what goes into a half. BERT is post-LN: it adds first and"
            " normalizes the sum.",
            (
                edit(SHORT, "return PreLNLayer.forward(self, hidden, mask)"),
                STEPS.then(ATTEND, "self.attention.self(one.LayerNorm(hidden), mask)").then(NORM_1, SUM_1),
                STEPS.then(WIDE, "self.intermediate.dense(two.LayerNorm(middle))").then(NORM_2, SUM_2),
            ),
        ),
        Mistake(
            "no_residual",
            "A sum is missing: each half adds its update to what came in, hidden + update, and normalizes"
            " that.",
            either((SUM_1, "one.dropout(update)"), (SUM_2, "two.dropout(back)")),
        ),
        Mistake(
            "from_the_start",
            "Your second half goes back to what came into the layer. It should read, and add, what came out"
            " of the attention half, after its norm.",
            (
                *either((WIDE, "self.intermediate.dense(hidden)"), (SUM_2, "hidden + two.dropout(back)")),
                STEPS.then(SUM_2, "hidden + middle + two.dropout(back)"),
            ),
        ),
        Mistake(
            "normalized_the_update",
            "You normalize the update and then add. Add first, then normalize the sum.",
            either(
                (NORM_1, "hidden + one.LayerNorm(one.dropout(update))"),
                (NORM_2, "middle + two.LayerNorm(two.dropout(back))"),
            ),
        ),
        Mistake(
            "first_half_alone",
            "That is the first half of the layer; the feed-forward half is missing.",
            edit("self.output(self.intermediate(hidden), hidden)", "hidden"),
        ),
        Mistake(
            "no_norm",
            "A sum is not normalized: each of the two goes through the LayerNorm of its half.",
            either((NORM_1, SUM_1), (NORM_2, SUM_2)),
        ),
        Mistake(
            "norms_exchanged",
            'self.attention["output"]["LayerNorm"] ends the first half, self.output["LayerNorm"] the second:'
            " each has its own weights.",
            either((NORM_1, f"two.LayerNorm({SUM_1})"), (NORM_2, f"one.LayerNorm({SUM_2})")),
        ),
        Mistake(
            "another_norm",
            "That is not what your LayerNorm does: it has a weight, a bias and the config's eps. Call it.",
            tuple(
                version
                for more in ("", ", {0}.LayerNorm.weight, {0}.LayerNorm.bias", ", eps={0}.LayerNorm.eps")
                for version in either(
                    (NORM_1, f"F.layer_norm({SUM_1}, hidden.shape[-1:]{more.format('one')})"),
                    (NORM_2, f"F.layer_norm({SUM_2}, hidden.shape[-1:]{more.format('two')})"),
                )
            ),
        ),
        Mistake(
            "another_activation",
            "The shape of the network is right, but its activation is another one. BERT uses GELU, the exact"
            " one, without arguments: F.gelu(x).",
            tuple(
                STEPS.then("F.gelu", other)
                for other in (
                    *("F.relu", "torch.tanh", "torch.sigmoid", "F.silu"),
                    *('(lambda x: F.gelu(x, approximate="tanh"))', "(lambda x: x * (1.702 * x).sigmoid())"),
                )
            ),
        ),
        Mistake(
            "gelu_elsewhere",
            "GELU stands in one place: between the dense layer that widens and the one that leads back.",
            tuple(
                between.then(*change)
                for between in (STEPS, STEPS.then(GELU, WIDE))
                for change in (
                    ("two.dense(wide)", "F.gelu(two.dense(wide))"),
                    (NORM_2, f"F.gelu({NORM_2})"),
                    (f"one.dense({ATTEND})", f"F.gelu(one.dense({ATTEND}))"),
                    ("dense(middle)", "dense(F.gelu(middle))"),
                )
            ),
        ),
        Mistake(
            "mask_ignored",
            "Right on whole sentences; with padding it is not, because the mask never reaches the attention.",
            edit("(hidden, mask)\n", "(hidden)\n"),
        ),
        Mistake(
            "mask_changed",
            "The mask reaches the attention, but not as it came. It is True where to look, as"
            ' self.attention["self"] wants it: hand it on.',
            tuple(
                edit("(hidden, mask)\n", f"(hidden, {other})\n")
                for other in (
                    "~mask",
                    "mask if mask is None else ~mask",
                    "mask if mask is None else 1.0 * mask",
                )
            ),
        ),
        Mistake(
            "called_a_module_dict",
            "An nn.ModuleDict only holds layers by name and cannot be called. Call the layers in it, as in"
            ' self.intermediate["dense"](hidden).',
            STEPS.then(WIDE, "nn.ModuleDict()(middle)"),
        ),
        Mistake(
            "no_dropout",
            "Right in eval(), but in train() an update is not dropped out: both go through self.dropout"
            " before they are added.",
            either((SUM_1, "hidden + update"), (SUM_2, "middle + back")),
        ),
        Mistake(
            "dropout_after_the_sum",
            "Right in eval(), but in train() you drop out a sum, so the residual path loses features too."
            " Drop out the update, then add and normalize.",
            (
                *either((SUM_1, "one.dropout(hidden + update)"), (SUM_2, "two.dropout(middle + back)")),
                STEPS.then(NORM_2, f"two.dropout({NORM_2})"),
            ),
        ),
        Mistake(
            "dropout_before_the_dense_layer",
            "Right in eval(), but in train() you drop out what goes into a dense layer. Drop out what"
            " comes out of it, the update.",
            (
                STEPS.then(ATTEND, f"one.dropout({ATTEND})").then(SUM_1, "hidden + update"),
                STEPS.then("two.dense(wide)", "two.dense(two.dropout(wide))").then(SUM_2, "middle + back"),
            ),
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
    use=use,
)
