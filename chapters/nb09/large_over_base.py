"""How many times the work of base large takes."""

from functools import partial

from lib.exercises.spec import Exercise, Mistake, near

close = partial(near, within=0.03, share=0.03)


def ratio() -> float:
    """The multiplications of large for 128 pieces over those of base."""
    # Not above: only who answers or solves this exercise waits for the models' code.
    from lib.analysis.cost.formulas import count_multiplications
    from lib.bert import BertConfig

    large = BertConfig(hidden_size=1024, num_hidden_layers=24, num_attention_heads=16, intermediate_size=4096)
    work = [sum(count_multiplications(config, 128).values()) for config in (large, BertConfig())]
    return work[0] / work[1]


# fmt: off
EXERCISE = Exercise(
    name="large_over_base", kind="predict", minutes=5, difficulty=2, reference=ratio, tolerance=0.025,
    answer="2 * (1024 / 768) ** 2",
    form="An answer is a number, such as 2.5.",
    mistakes=[
        Mistake("printed", "That is the ratio of the printed figures, 1857 to 123. Compute it: twice the"
            " layers, and matrices larger by the square of 1024/768.", close(1857 / 123), example=15.1),
        Mistake("parameters", "That is how many times the parameters it has, many of which are a table that"
            " is only looked up.", close(3.06, 340 / 110), example=3.06),
        Mistake("twice_the_work", "Twice too much. A multiply-add is two floating-point operations: count"
            " both models in one unit.", close(7.04, 7.11), example=7.06),
        Mistake("one_layer", "That is one layer of large against one layer of base. Large also has twice as"
            " many.", close((1024 / 768) ** 2), example=1.78),
        Mistake("layers_only", "Twice the layers, yes. Each of them is also wider: 1024 features instead of"
            " 768.", close(2), example=2),
        Mistake("width_not_squared", "Nearly all the work is in matrices of size × size, so the width counts"
            " twice, and the layers once.", close(1024 / 768, 2 * 1024 / 768), example=2.67),
        Mistake("width_cubed", "The width counts twice, not three times: more heads split the same matrices.",
            close(2 * (1024 / 768) ** 3), example=4.74),
        Mistake("upside_down", "Large needs more work than base: what you divide is a number above 1. Divide"
            " the other way round.", lambda answer: answer < 1, example=0.28),
    ],
    hints=("Count the multiplications, not the parameters, and leave the lookups out.",
           "Large has 24 layers of 1024 features, base 12 of 768; both feed-forward networks are 4 times as"
           " wide.",
           "Twice the layers, times (1024 / 768) squared."),
)
# fmt: on
