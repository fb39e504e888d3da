"""The weights of each part of BERT, by formula."""

from lib.analysis.cost import formulas
from lib.bert import BertConfig
from lib.exercises.mistakes import Edit
from lib.exercises.spec import Exercise, Mistake, edit

ATTENTION = "4 * (size * size + size) + norm"
FEED_FORWARD = "(size * wide + wide) + (wide * size + size) + norm"


def either(attention: str, feed_forward: str) -> tuple[Edit, ...]:
    """One of the two gaps filled so, the other, and both."""
    one, other = edit(ATTENTION, attention), edit(FEED_FORWARD, feed_forward)
    return one, other, one.then(FEED_FORWARD, feed_forward)


# fmt: off
EXERCISE = Exercise(
    name="count_parameters", kind="gap", minutes=6, difficulty=2, reference=formulas.count_parameters,
    cases=lambda seed: [(BertConfig(53, 24, 2, 3, 40, max_position_embeddings=20),), (BertConfig(),),
        (BertConfig(hidden_size=1024, num_hidden_layers=24, num_attention_heads=16,
             intermediate_size=4096),)],
    gradients=False,
    mistakes=[
        Mistake("wrong_biases", "A dense layer from a to b features has b biases. Of attention's four layers"
            " each has `size`; the feed-forward network's first has `wide`, its second `size`.",
            (*either("4 * size * size + norm", "2 * size * wide + norm"),
             *(edit(ATTENTION, f"4 * size * size + {biases} + norm") for biases in ("size", "4")),
             *(edit(FEED_FORWARD, f"2 * size * wide + 2 * {biases} + norm") for biases in ("wide", "size")))),
        Mistake("no_norm", "Each half ends in one layer norm, however many dense layers come before it:"
            " `norm`, once.",
            (*either("4 * (size * size + size)", "2 * size * wide + wide + size"),
             *either(f"{ATTENTION} + norm", f"{FEED_FORWARD} + norm"),
             edit(ATTENTION, f"{ATTENTION} + 3 * norm"))),
        Mistake("bare_matrices", "Two things are missing: the biases of the dense layers, and `norm`.",
            either("4 * size * size", "2 * size * wide")),
        Mistake("no_output_projection", "Attention has four dense layers, not three: what the heads bring"
            " goes through one more.",
            tuple(edit(ATTENTION, f"3 * {weights}")
                for weights in ("(size * size + size) + norm", "(size * size + size)", "size * size"))),
        Mistake("half_a_feed_forward", "The feed-forward network has two dense layers: out to `wide` and back"
            " to `size`.", edit(FEED_FORWARD, "size * wide + wide + norm")),
        Mistake("times_heads", "Heads share the same size × size matrices, and the dictionary below"
            " multiplies by the layers: count one layer, whatever the number of heads.",
            (edit(ATTENTION, "config.num_hidden_layers * (4 * (size * size + size) + norm)"),
             edit(ATTENTION, "4 * (size * size // config.num_attention_heads + size) + norm"),
             *(edit(ATTENTION, f"config.num_attention_heads * {weights}")
               for weights in ("4 * (size * size + size) + norm", "(4 * (size * size + size) + norm)")))),
    ],
    hints=("A dense layer from a to b features has a * b weights and b biases.",
           "One layer: four dense layers size → size, one size → wide, one wide → size; a norm in each half.",
           "4 * (size * size + size) + norm, and (size * wide + wide) + (wide * size + size) + norm."),
)
# fmt: on
