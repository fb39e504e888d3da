"""How many bytes the codes of a stack take, before anything is trained."""

from collections.abc import Iterator
from typing import Any

from torch import Tensor

from chapters.nb33 import stacking
from lib.exercises.spec import Exercise, Mistake, Unfit, edit

LAYERS, TABLE, LAST = "layers * (attention + feed_forward)", "pieces * 384 * word_bits", "table_bits) / 8"


def cases(seed: int) -> Iterator[tuple[int, float, int, int, int]]:
    """The disk of the text, all of MiniLM in 8 bits, other layers, shares, bits and words."""
    yield 3, 0.25, 2, 3, 6467
    yield 6, 1.0, 8, 8, 30522
    yield 1, 0.5, 4, 2, 1000
    yield 4, 0.25, 3, 4, 5373
    yield 2, 0.75, 2, 2, 3000
    yield 5, 0.5, 5, 3, 100


def run(candidate: Any, *arguments: Any) -> Any:
    """The number, whether it is Python's or a tensor's."""
    given = candidate(*arguments)
    if isinstance(given, Tensor) and given.dim() == 0:
        given = given.item()
    if isinstance(given, bool) or not isinstance(given, int | float):
        raise Unfit("It should return one number, the bytes of all codes together.")
    return float(given)


# fmt: off
EXERCISE = Exercise(
    name="stack_bytes", minutes=6, difficulty=2, reference=stacking.stack_bytes, cases=cases, run=run,
    gradients=False, tolerance=1e-5,
    mistakes=[
        Mistake("bits", "These are bits. A byte has eight of them: divide by 8.",
            edit(LAST, "table_bits)")),
        Mistake("one_layer", "You counted one layer, whatever `layers` says.",
            edit(LAYERS, "(attention + feed_forward)")),
        Mistake("pooler_forgotten", "The pooler is missing: 384 x 384 weights, in `bits` as the layers.",
            edit(f"({LAYERS} + pooler)", LAYERS)),
        Mistake("pooler_in_each_layer", "There is one pooler, after the last layer, not one in each.",
            edit(f"({LAYERS} + pooler)", "layers * (attention + feed_forward + pooler)")),
        Mistake("pooler_cut", "The pooler has no heads and no neurons: the share leaves it whole.",
            edit("pooler = 384 * 384", "pooler = 384 * 384 * share")),
        Mistake("words_cut", "The share is one of heads and neurons. The table of words keeps its 384 numbers"
            " a piece.", edit(TABLE, f"{TABLE} * share")),
        Mistake("words_in_layer_bits", "The table of words has bits of its own, word_bits.",
            edit(TABLE, "pieces * 384 * bits")),
        Mistake("layers_in_word_bits", "The layers and the pooler have `bits`, and the table word_bits: they"
            " seem exchanged.",
            (edit("+ pooler) * bits", "+ pooler) * word_bits"),
             edit("+ pooler) * bits", "+ pooler) * word_bits").then(TABLE, "pieces * 384 * bits"))),
        Mistake("words_forgotten", "The table of words is missing, the largest part of all.",
            edit("(layer_bits + table_bits)", "layer_bits")),
        Mistake("share_twice", "A quarter of the heads leaves a quarter of each matrix: only its rows go, or"
            " only its columns.",
            (edit("384 * 384 * share", "384 * 384 * share * share"),
             edit("384 * 384 * share", "384 * 384 * share * share").then(
                 "1536 * share", "1536 * share * share"))),
        Mistake("attention_whole", "The share cuts the heads too, so the four matrices of attention shrink"
            " as those of the neurons do.", edit("4 * 384 * 384 * share", "4 * 384 * 384")),
        Mistake("neurons_whole", "The share cuts the neurons too, so the two matrices of the feed-forward"
            " network shrink as those of the heads do.", edit("2 * 384 * 1536 * share", "2 * 384 * 1536")),
        Mistake("one_of_two", "A layer has two matrices of 384 x 1,536: one into the neurons, one out.",
            edit("2 * 384 * 1536", "384 * 1536")),
        Mistake("three_of_four", "A layer has four matrices of 384 x 384: query, key, value, and the one"
            " after them.", (edit("4 * 384 * 384", "3 * 384 * 384"), edit("4 * 384 * 384", "384 * 384"))),
        Mistake("kilobytes", "You divide by 1,024, or by 1,000. Bytes are asked for.",
            (edit(LAST, "table_bits) / 8 / 1024"), edit(LAST, "table_bits) / 8 / 1000"))),
    ],
    hints=("Add up weights that have the same bits, multiply by their bits, and divide by 8 at the end.",
           "One layer: 4 * 384 * 384 weights of attention and 2 * 384 * 1536 of neurons, both times share.",
           "(layers * (attention + feed_forward) + 384 * 384) * bits + pieces * 384 * word_bits, over 8"),
    why="A file holds a little more: steps, biases, norms and the pieces themselves.",
)
# fmt: on
