"""A layer of BERT: attention, add and norm, feed-forward, add and norm."""

from collections.abc import Iterator

from torch import nn

from chapters.nb09.layers import EncoderLayer
from lib.exercises.inside import DROPOUT_OF_LAYERS, layer_cases, replaced, run_layer, with_weights_of
from lib.exercises.mistakes import Edit
from lib.exercises.spec import Exercise, Mistake, edit

ONE, TWO = 'self.attention["output"]', "self.output"  # what ends each half
SUM, NORM = "{0} + self.dropout({2})", '{1}["LayerNorm"]({0} + self.dropout({2}))'
PRE_LN = (
    edit("(hidden, mask)", f'({ONE}["LayerNorm"](hidden), mask)')
    .then('["dense"](middle)', f'["dense"]({TWO}["LayerNorm"](middle))')
    .then(NORM.format("hidden", ONE, "update"), SUM.format("hidden", ONE, "update"))
    .then(NORM.format("middle", TWO, "back"), SUM.format("middle", TWO, "back"))
)


def halves(old: str, *others: str) -> Iterator[Edit]:
    """Each change in the first half of the layer, in the second, and in both."""
    for new in others:
        names = ("hidden", ONE, "update", TWO), ("middle", TWO, "back", ONE)
        first, second = [(old.format(*half), new.format(*half)) for half in names]
        yield from (edit(*first), edit(*second), edit(*first).then(*second))


# fmt: off
EXERCISE = Exercise(
    name="EncoderLayer", minutes=8, difficulty=2, reference=EncoderLayer,
    cases=lambda seed: layer_cases(EncoderLayer, seed), run=run_layer,
    invariants=DROPOUT_OF_LAYERS,
    mistakes=[
        Mistake("pre_ln", "This is pre-LN: you normalize what goes into a half. BERT is post-LN: it adds,"
            " then normalizes.", PRE_LN),
        Mistake("no_residual", "Each half reads what the one before hands on, adds its update to that, and"
            " normalizes the sum. Yours lacks a half or a sum, or goes back to what came into the layer.",
            (*halves(SUM, "self.dropout({2})"),
             *(edit("middle + self", f"{other} + self") for other in ("hidden", "hidden + middle")),
             edit('"](middle)', '"](hidden)').then("middle + self", "hidden + self"),
             edit(NORM.format("middle", TWO, "back"), "middle"))),
        Mistake("wrong_norm", "Each half ends with the LayerNorm of its own, of the whole sum: the other"
            " half's has another weight and bias, and F.layer_norm alone has none, nor the config's eps.",
            (*halves(NORM, SUM, f'{{3}}["LayerNorm"]({SUM})', f"F.layer_norm({SUM}, hidden.shape[-1:])"),
             *halves(NORM, '{0} + {1}["LayerNorm"](self.dropout({2}))'))),
        Mistake("wrong_activation", "There is one GELU, the exact F.gelu(x), between the two dense layers of"
            " the feed-forward half.",
            (*(edit("F.gelu", f) for f in ("F.relu", "torch.tanh", "torch.sigmoid", "F.silu")),
             edit("(middle))", "(middle), approximate='tanh')"),
             edit(f'{TWO}["dense"](wide)', f'F.gelu({TWO}["dense"](wide))'))),
        Mistake("mask_changed", "The mask has to reach the attention, and just as it came: it is True where"
            " to look.",
            (edit("n, mask))", "n, ~mask))"), edit("n, mask))", "n, mask if mask is None else ~mask))"),
             edit("n, mask))", "n))"))),
        Mistake("no_dense", "What the heads bring goes through one more dense layer before it is added:"
            ' self.attention["output"]["dense"].',
            edit(f'{ONE}["dense"](self.attention["self"](hidden, mask))',
                 'self.attention["self"](hidden, mask)')),
        Mistake("wrong_dropout", "Right in eval(). In train() both updates, as they come out of their dense"
            " layers, go through self.dropout before they are added, and nothing else does.",
            (*halves(SUM, "{0} + {2}", "self.dropout({0} + {2})"),
             edit('["dense"](wide)', '["dense"](self.dropout(wide))').then("self.dropout(back)", "back"))),
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
