"""Which positions of a learned table are alike."""

from lib.exercises.spec import Exercise, Mistake

DISTANCES = [1, 3, 6, 9]


def order_of_likeness() -> list[int]:
    """The distances, most alike positions first, in the learned table of MiniLM."""
    from lib.analysis.vectors import similarity
    from lib.bert import BertModel

    table = BertModel.from_pretrained("minilm").embeddings.position_embeddings.weight.detach()
    cosines = similarity.cosine(table, table)  # [512, 512]
    return sorted(DISTANCES, key=lambda distance: -float(cosines.diagonal(distance).mean()))


# fmt: off
EXERCISE = Exercise(
    name="order_of_likeness", kind="order", minutes=3, difficulty=2, reference=order_of_likeness,
    form="An answer is a list of the four distances, most alike first, such as [9, 6, 3, 1].",
    mistakes=[
        Mistake("steadily", "The nearer, the more alike: so it is with the sinusoidal table, and so most"
            " people guess. MiniLM's own table does not fall steadily. Its waves come back about every 6"
            " positions: which two of your distances have to change places?", DISTANCES),
        Mistake("not_each_once", "Each of 1, 3, 6, 9 is needed, and needed once.",
            lambda answer: sorted(answer) != DISTANCES, example=[1, 3, 6]),
        Mistake("far_is_alike", "The other way around, for the ends at least: neighbors are most alike. Put 1"
            " first.", lambda answer: answer[0] != 1, example=DISTANCES[::-1]),
        Mistake("half_a_turn", "1 comes first indeed. But after 9 positions the waves of the picture have"
            " turned once and a half, so where one of them was high, it is low.",
            lambda answer: answer[1] == 9, example=[1, 9, 6, 3]),
        Mistake("slow_waves", "1 and 6 are right. 3 and 9 are both half a turn of the fast waves away, so the"
            " slow waves decide: over which of the two distances do they change less?",
            lambda answer: answer[1] == 6, example=[1, 6, 9, 3]),
    ],
    hints=("Follow one wave of the picture: after how many positions is it high again, and after how many"
           " low?",
           "Where a wave has come round, the two positions are alike again. Half a turn away they differ"
           " most.",
           "6 is one turn; 3 is half a turn, 9 one and a half. Of these two, the nearer is more alike,"
           " because the slow waves have changed less."),
    why="The cosine falls and rises again: near is not always alike. The next picture shows all distances.",
)
# fmt: on
