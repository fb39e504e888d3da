"""Which positions of a learned table are alike."""

from lib.exercises.spec import Exercise, Mistake

DISTANCES = [1, 4, 8, 16, 64]


def order_of_likeness() -> list[int]:
    """The distances, most alike positions first, in the learned table of MiniLM."""
    from lib.analysis.vectors import similarity
    from lib.bert import BertModel

    table = BertModel.from_pretrained("minilm").embeddings.position_embeddings.weight.detach()
    cosines = similarity.cosine(table, table)  # [512, 512]
    return sorted(DISTANCES, key=lambda distance: -float(cosines.diagonal(distance).mean()))


EXERCISE = Exercise(
    name="order_of_likeness",
    kind="order",
    minutes=3,
    difficulty=2,
    reference=order_of_likeness,
    form="An answer is a list of the five distances, most alike first, such as [64, 16, 8, 4, 1].",
    mistakes=[
        Mistake(
            "steadily",
            "The nearer, the more alike: so it is with the sinusoidal table, and so most people guess."
            " MiniLM's own table does not fall steadily. Its stripes repeat down the picture: which two of"
            " your distances could have changed places?",
            DISTANCES,
        ),
        Mistake(
            "not_each_once",
            "Each of 1, 4, 8, 16, 64 is needed, and needed once.",
            lambda answer: sorted(answer) != DISTANCES,
            example=[1, 4, 8, 16],
        ),
        Mistake(
            "far_is_alike",
            "The other way around, for the ends at least: neighbors are most alike. Put 1 first.",
            lambda answer: answer[0] != 1,
            example=DISTANCES[::-1],
        ),
        Mistake(
            "the_farthest_not_last",
            "1 comes first indeed. But of the five, positions 64 apart are least alike.",
            lambda answer: answer[-1] != 64,
            example=[1, 4, 16, 64, 8],
        ),
        Mistake(
            "near_is_alike",
            "1 first and 64 last, so far so good. But 4 apart is still near: more alike than 8 or 16 apart.",
            lambda answer: answer[1] in (8, 16),
            example=[1, 16, 4, 8, 64],
        ),
    ],
    hints=(
        "Look along one column of the learned table, from the top down: does what it shows come back?",
        "Where it comes back after n positions, positions n apart are alike again.",
        "Two neighbors of the list of plain distances change places. 1 stays first and 64 last.",
    ),
    why="The cosine falls and rises again: near is not always alike. The next picture shows all distances.",
)
