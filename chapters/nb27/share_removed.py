"""What share of a model's numbers goes with half of its heads and half of its neurons."""

from lib.exercises.spec import Exercise, Mistake

LAYERS, WIDTH, NEURONS, ALL = 6, 384, 1536, 22_713_216
ATTENTION, FEED_FORWARD = 4 * WIDTH**2, 2 * WIDTH * NEURONS  # matrices of one layer


def share_removed() -> float:
    """Half of the matrices of six layers, over everything; biases change the third digit."""
    return LAYERS * (ATTENTION + FEED_FORWARD) / 2 / ALL


# fmt: off
EXERCISE = Exercise(
    name="share_removed", kind="predict", minutes=4, difficulty=2, reference=share_removed, tolerance=0.006,
    answer="6 * (4 * 384**2 + 2 * 384 * 1536) / 2 / 22713216",
    form="An answer is a share from 0 to 1, such as 0.42.",
    mistakes=[
        Mistake("half_of_everything", "Half of the heads and neurons is half of the layers' matrices. The"
            " table of word vectors, which is half of MiniLM, has neither, and stays whole.", 0.5),
        Mistake("heads_alone", "That is what the heads take with them. The neurons are missing: two matrices"
            " of 384 · 1,536 in each layer lose half as well.", LAYERS * ATTENTION / 2 / ALL),
        Mistake("neurons_alone", "That is what the neurons take with them. The heads are missing: four"
            " matrices of 384 · 384 in each layer lose half as well.", LAYERS * FEED_FORWARD / 2 / ALL),
        Mistake("what_stays", "That is the share that stays. What goes is 1 minus it.", 1 - share_removed()),
        Mistake("not_halved", "Those are all matrices of the layers. Half of them go.", 2 * share_removed()),
        Mistake("one_layer", "That is one layer. There are six.", share_removed() / 6),
        Mistake("attention_has_four", "A head owns rows of query, key and value and columns of a fourth"
            " matrix, so all four lose half.", LAYERS * (3 * ATTENTION / 4 + FEED_FORWARD) / 2 / ALL),
    ],
    hints=("Which matrices of a layer lose half, and how large are they? Then: how many layers, and divided"
           " by what?",
           "Attention has four matrices of 384 · 384, the feed-forward network two of 384 · 1,536. Six"
           " layers; 22,713,216 numbers in all.",
           "6 · (4 · 384 · 384 + 2 · 384 · 1,536) / 2 / 22,713,216"),
    why="Half of every layer is less than a quarter of the file.",
)
# fmt: on
