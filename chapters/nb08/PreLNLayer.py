"""A pre-LN layer, whose draft has the norms on the residual path."""

from lib.bert import encoder
from lib.exercises.inside import DROPOUT_OF_LAYERS, layer_cases, run_layer
from lib.exercises.mistakes import Edit
from lib.exercises.spec import Exercise, Mistake, edit

ADDED, RETURNED = "hidden = hidden + half.dropout(update)", "return hidden + half.dropout(update)"
PATH = (
    ("self(half.LayerNorm", "self(hidden := half.LayerNorm"),
    ("intermediate(half.LayerNorm", "intermediate(hidden := half.LayerNorm"),
)
PLAIN = (
    ("self(half.LayerNorm(hidden)", "self(hidden"),
    ("intermediate(half.LayerNorm(hidden)", "intermediate(hidden"),
)


def sums(text: str) -> Edit:
    """Both sums in other words."""
    return edit(ADDED, f"hidden = {text}").then(RETURNED, f"return {text}")


# fmt: off
EXERCISE = Exercise(
    name="PreLNLayer", kind="bug", minutes=6, difficulty=2, reference=encoder.PreLNLayer,
    cases=lambda seed: layer_cases(encoder.PreLNLayer, seed, eps=1e-12), run=run_layer,
    invariants=DROPOUT_OF_LAYERS,
    mistakes=[
        Mistake("on_the_path", "As in the draft, the sums of both halves are not those of pre-LN. Follow"
            " hidden from the top down: is what reaches each plus sign still what came in?",
            edit(*PATH[0]).then(*PATH[1])),
        Mistake("one_half", "One half is fixed. In the other, hidden itself has to reach the sum as it came"
            " in.", (edit(*PATH[0]), edit(*PATH[1]))),
        Mistake("post_ln", "A sum is normalized, as in post-LN. In pre-LN the sums go on as they are: only"
            " what goes in is.",
            (encoder.EncoderLayer, sums("half.LayerNorm(hidden + half.dropout(update))"),
             edit(*PLAIN[0]).then(ADDED, "hidden = half.LayerNorm(hidden + half.dropout(update))"),
             edit(*PLAIN[1]).then(RETURNED, "return half.LayerNorm(hidden + half.dropout(update))"))),
        Mistake("norm_elsewhere", "half.LayerNorm(hidden) is what goes into an update, in both halves; what"
            " comes out is added as it is.",
            (edit(*PLAIN[0]).then(*PLAIN[1]),
             *(sums(f"hidden + {update}").then(*PLAIN[0]).then(*PLAIN[1])
               for update in ("half.LayerNorm(half.dropout(update))",
                   "half.dropout(half.LayerNorm(update))")))),
        Mistake("no_dropout", "Right in eval(). In train() the update, and it alone, goes through"
            " half.dropout, in both halves.",
            (sums("hidden + update"), sums("half.dropout(hidden + update)"))),
        Mistake("norms_swapped", "Each half has a norm of its own: self.attention.output.LayerNorm and"
            " self.output.LayerNorm.",
            edit("self(half.", "self(self.output.").then("te(half.", "te(self.attention.output.")),
    ],
    hints=("Follow what came in. In pre-LN it meets nothing but plus signs on its way; is that so in the"
           " draft?",
           "The norm's result needs no name of its own, and hidden must not be overwritten by it.",
           "hidden = hidden + half.dropout(half.dense(self.attention.self(half.LayerNorm(hidden), mask))),"
           " and the same in the other half."),
    why="Only the update is normalized; what came in meets nothing but sums.",
)
# fmt: on
