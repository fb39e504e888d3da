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


EXERCISE = Exercise(
    name="count_parameters",
    kind="gap",
    minutes=6,
    difficulty=2,
    reference=formulas.count_parameters,
    cases=lambda seed: [
        (BertConfig(53, 24, 2, 3, 40, max_position_embeddings=20),),
        (BertConfig(),),
        (BertConfig(hidden_size=1024, num_hidden_layers=24, num_attention_heads=16, intermediate_size=4096),),
    ],
    gradients=False,
    mistakes=[
        Mistake(
            "no_biases",
            "Every dense layer has biases too: from a to b features it has a * b weights and b biases.",
            either("4 * size * size + norm", "2 * size * wide + norm"),
        ),
        Mistake(
            "wrong_biases",
            "A dense layer from a to b features has b biases. Of attention's four layers each has `size`; the"
            " feed-forward network's first has `wide`, its second `size`.",
            (
                edit(ATTENTION, "4 * size * size + size + norm"),
                edit(ATTENTION, "4 * (size * size + 1) + norm"),
                *(
                    edit(FEED_FORWARD, f"2 * size * wide + {biases} + norm")
                    for biases in ("2 * wide", "2 * size", "wide", "size", "1", "2")
                ),
            ),
        ),
        Mistake(
            "no_norm",
            "Each half ends in a layer norm: add `norm` to both.",
            either("4 * (size * size + size)", "2 * size * wide + wide + size"),
        ),
        Mistake(
            "too_many_norms",
            "There is one norm in each half, after the sum, however many dense layers come before it; `norm`"
            " already holds its weights and its biases.",
            (
                *either(f"{ATTENTION} + norm", f"{FEED_FORWARD} + norm"),
                *either(f"{ATTENTION} + 3 * norm", f"{FEED_FORWARD} + norm"),
            ),
        ),
        Mistake(
            "bare_matrices",
            "Two things are missing: the biases of the dense layers, and `norm`.",
            either("4 * size * size", "2 * size * wide"),
        ),
        Mistake(
            "no_output_projection",
            "Attention has four dense layers, not three: what the heads bring goes through one more.",
            tuple(
                edit(ATTENTION, other)
                for other in (
                    *("3 * (size * size + size) + norm", "3 * (size * size + size)"),
                    *("3 * size * size + norm", "3 * size * size"),
                )
            ),
        ),
        Mistake(
            "half_a_feed_forward",
            "The feed-forward network has two dense layers: out to `wide` and back to `size`.",
            tuple(
                edit(FEED_FORWARD, f"size * wide + {biases}norm")
                for biases in ("wide + ", "", "size + ", "wide + size + ")
            ),
        ),
        Mistake(
            "times_heads",
            "Heads share the same matrices among them: whatever their number, query, key and value are"
            " size × size together. They neither multiply the weights nor divide them.",
            tuple(
                edit(ATTENTION, other.replace("heads", "config.num_attention_heads"))
                for other in (
                    *("heads * 4 * (size * size + size) + norm", "heads * (4 * (size * size + size) + norm)"),
                    *("heads * 3 * (size * size + size) + norm", "4 * (size * size // heads + size) + norm"),
                    *("heads * 3 * (size * size + size) + size * size + size + norm",),
                )
            ),
        ),
        Mistake(
            "times_layers",
            "The dictionary below already multiplies by the layers: count one.",
            either(
                f"config.num_hidden_layers * ({ATTENTION})", f"config.num_hidden_layers * ({FEED_FORWARD})"
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
