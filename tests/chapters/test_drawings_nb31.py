"""The stacks of notebook 31: one box for each run, and one look for each set of weights."""

from matplotlib.patches import Rectangle

from chapters.nb31.drawings import draw_stacks


def test_stacks_say_what_runs_and_what_is_shared() -> None:
    figure, alt = draw_stacks({"apart": [0, 1, 2], "shared": [0, 0, 0], "one": [0]}, "Layers")
    boxes = [patch for patch in figure.axes[0].patches if isinstance(patch, Rectangle)]
    assert len(boxes) == 2 * 7  # each with its frame
    assert len({box.get_facecolor() for box in boxes[::2]}) == 3
    texts = [text.get_text() for text in figure.axes[0].texts]
    assert "shared\n1 set of weights, 3 runs" in texts and "one\n1 set of weights, 1 run" in texts
    assert texts.count("0") == 5  # one box of the first network, three of the second, one of the third
    assert alt.startswith("apart: layers 0, 1, 2 run, 3 with weights of their own; shared")


def test_a_set_of_weights_looks_the_same_in_every_stack() -> None:
    figure, _ = draw_stacks({"apart": range(6), "pairs": ["0, 1", "0, 1", 2], "mean": ["m", "m"]})
    boxes = [patch for patch in figure.axes[0].patches if isinstance(patch, Rectangle)][::2]
    looks = [(box.get_facecolor(), box.get_hatch()) for box in boxes]
    assert looks[2] == looks[8] and looks[6] == looks[7] and looks[9] == looks[10]
    assert len(set(looks)) == 8
