"""In how many of twelve sizes one head of one layer runs, and learns."""

from lib.compression.elastic.depth import layers_kept
from lib.compression.elastic.dyna_bert import DEPTHS, WIDTHS
from lib.compression.elastic.width import part_of_layer
from lib.exercises.spec import Exercise, Mistake

LAYERS, HEADS, LAYER, HEAD = 6, 12, 1, 4


def networks_with_head() -> int:
    """How many sizes of the notebook's grid run head 4 of layer 1."""
    widths = sum(part_of_layer(HEADS, HEADS, width)[0] > HEAD for width in WIDTHS)
    return widths * sum(LAYER in layers_kept(LAYERS, depth) for depth in DEPTHS)


# fmt: off
EXERCISE = Exercise(
    name="networks_with_head", kind="predict", minutes=3, difficulty=1, reference=networks_with_head,
    answer="6",
    form="An answer is a whole number, such as 9.",
    mistakes=[
        Mistake("all_of_them", "A size of width 0.25 runs the first three heads alone. In which widths is"
            " head 4 among those that run?", 12),
        Mistake("widths_alone", "Three widths run head 4, and each of them meets every depth at which layer 1"
            " runs.", 3),
        Mistake("depths_alone", "Layer 1 runs at so many depths, and at each of them in every width that has"
            " head 4.", 2),
        Mistake("added", "You added widths and depths. Every width meets every depth, so multiply.", 5),
        Mistake("layer_counted_from_1", "That is right for layer 0, the first. Layers count from 0: write"
            " down which run at a depth of 2/3 and of 1/2.", 9),
        Mistake("head_in_all_widths", "A width of 0.25 runs heads 0 to 2. Head 4 is not among them.", 8),
        Mistake("half_too_narrow", "A width of 0.5 runs heads 0 to 5, so head 4 is among them.", 4),
    ],
    hints=("Go through the widths first: 12, 9, 6 and 3 heads, counted from 0. Which have a head 4?",
           "Then the depths: all six layers, layers 0, 1, 3 and 4, and layers 0, 2 and 4. Which have layer"
           " 1?",
           "Three widths times two depths."),
    why="Head 0 of layer 0 learns in all twelve: what runs often has to serve everyone.",
)
# fmt: on
