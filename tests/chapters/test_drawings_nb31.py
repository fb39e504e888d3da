"""The drawings of notebook 31."""

from matplotlib.patches import Rectangle
from pictures import for_each_example

from chapters.nb31 import drawings as nb31

SHARED = {"apart": [0, 1, 2], "shared": [0, 0, 0], "one": [0]}

test_a_drawing_says_what_it_shows = for_each_example({
    "what runs and what is shared": (
        lambda: nb31.draw_stacks(SHARED, "Layers"),
        ["apart: layers 0, 1, 2 run, 3 with weights of their own; shared"],
        ["shared\n1 set of weights, 3 runs", "one\n1 set of weights, 1 run"],
    ),
})  # fmt: skip


def test_a_set_of_weights_looks_the_same_in_every_stack() -> None:
    figure, _ = nb31.draw_stacks({"apart": range(6), "pairs": ["0, 1", "0, 1", 2], "mean": ["m", "m"]})
    boxes = [patch for patch in figure.axes[0].patches if isinstance(patch, Rectangle)][::2]
    looks = [(box.get_facecolor(), box.get_hatch()) for box in boxes]
    assert looks[2] == looks[8] and looks[6] == looks[7] and looks[9] == looks[10]
    assert len(set(looks)) == 8
