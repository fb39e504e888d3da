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
    assert alt.startswith("apart: layers 0, 1, 2 run, 3 with weights of their own; shared")
