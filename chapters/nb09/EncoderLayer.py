"""A layer of BERT: attention, add and norm, feed-forward, add and norm."""

from collections.abc import Iterator

from torch import nn

from lib.bert import encoder
from lib.exercises.inside import DROPOUT_OF_LAYERS, layer_cases, replaced, run_layer, with_weights_of
from lib.exercises.mistakes import Edit
from lib.exercises.spec import Exercise, Mistake, edit

SHORT = "hidden = self.attention(hidden, mask)\n        return self.output(self.intermediate(hidden), hidden)"
STEPS = edit(
    SHORT,
    """one, two = self.attention.output, self.output
        update = one.dense(self.attention.self(hidden, mask))
        middle = one.LayerNorm(hidden + one.dropout(update))
        wide = F.gelu(self.intermediate.dense(middle))
        back = two.dense(wide)
        return two.LayerNorm(middle + two.dropout(back))""",
)
SUM, NORM = "{0} + {1}.dropout({2})", "{1}.LayerNorm({0} + {1}.dropout({2}))"


def halves(old: str, *others: str) -> Iterator[Edit]:
    """Each change in the first half of the layer, in the second, and in both."""
    for new in others:
        names = ("hidden", "one", "update", "two"), ("middle", "two", "back", "one")
        first, second = [(old.format(*half), new.format(*half)) for half in names]
        yield from (STEPS.then(*first), STEPS.then(*second), STEPS.then(*first).then(*second))


# fmt: off
EXERCISE = Exercise(
    name="EncoderLayer", minutes=8, difficulty=2, reference=encoder.EncoderLayer,
    cases=lambda seed: layer_cases(encoder.EncoderLayer, seed), run=run_layer,
    invariants=DROPOUT_OF_LAYERS, alike=[STEPS],
    mistakes=[
        Mistake("pre_ln", "This is pre-LN: you normalize what goes into a half. BERT is post-LN: it adds,"
            " then normalizes.", edit(SHORT, "return PreLNLayer.forward(self, hidden, mask)")),
        Mistake("no_residual", "Each half reads what the one before hands on, adds its update to that, and"
            " normalizes the sum. Yours lacks a half or a sum, or goes back to what came into the layer.",
            (*halves(SUM, "{1}.dropout({2})"),
             *(STEPS.then("middle + two", f"{other} + two") for other in ("hidden", "hidden + middle")),
             STEPS.then("dense(middle)", "dense(hidden)").then("middle + two", "hidden + two"),
             edit("self.output(self.intermediate(hidden), hidden)", "hidden"))),
        Mistake("wrong_norm", "Each half ends with the LayerNorm of its own, of the whole sum: the other"
            " half's has another weight and bias, and F.layer_norm alone has none, nor the config's eps.",
            (*halves(NORM, SUM, f"{{3}}.LayerNorm({SUM})", f"F.layer_norm({SUM}, hidden.shape[-1:])"),
             *halves(NORM, "{0} + {1}.LayerNorm({1}.dropout({2}))"))),
        Mistake("wrong_activation", "There is one GELU, the exact F.gelu(x), between the two dense layers of"
            " the feed-forward half.",
            (*(STEPS.then("F.gelu", f) for f in ("F.relu", "torch.tanh", "torch.sigmoid", "F.silu")),
             STEPS.then("dense(middle))", "dense(middle), approximate='tanh')"),
             STEPS.then("two.dense(wide)", "F.gelu(two.dense(wide))"))),
        Mistake("mask_changed", "The mask has to reach the attention, and just as it came: it is True where"
            " to look.",
            (edit("n, mask)\n", "n, ~mask)\n"), edit("n, mask)\n", "n, mask if mask is None else ~mask)\n"))),
        Mistake("wrong_dropout", "Right in eval(). In train() both updates, as they come out of their dense"
            " layers, go through self.dropout before they are added, and nothing else does.",
            (*halves(SUM, "{0} + {2}", "{1}.dropout({0} + {2})"),
             STEPS.then("dense(wide)", "dense(two.dropout(wide))").then("two.dropout(back)", "back"))),
    ],
    hints=("Twice the same: compute an update, drop some of it out, add it to what came in, normalize the"
           " sum.",
           "All is [batch, length, hidden_size], but the inside of the feed-forward half is"
           " intermediate_size.",
           'self.attention["output"]["LayerNorm"](hidden + self.dropout(update)) ends the first half.'),
    box="encoder",
    use=lambda candidate, model: replaced(model.encoder, "layer",
        nn.ModuleList(with_weights_of(layer, candidate(model.config)) for layer in model.encoder.layer)),
)
# fmt: on
