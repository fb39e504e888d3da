"""The pictures of heads and of span scores: what is drawn, what is said, and what is refused."""

import numpy as np
import pytest

from chapters.nb15 import drawings

HEADS = [
    drawings.HeadShape("class", "[CLS]", (3, 8), (2, 3), "cross-entropy, 3 classes", 1.098),
    drawings.HeadShape("span", "every token", (2, 8), (2, 5, 2), "cross-entropy, 5 tokens", 1.609),
]
TOKENS = ["[CLS]", "who", "[SEP]", "a", "seal", "[SEP]"]
START, END = np.array([0.5, -1, -2, 3.25, 1, 0]), np.array([0, -1, -2, 0.5, 2.5, 4])


def words_in(figure: object) -> set[str]:
    return {text.get_text() for axes in figure.axes for text in axes.texts}  # type: ignore[attr-defined]


def test_each_head_is_drawn_with_its_shapes_and_its_loss() -> None:
    written = words_in(drawings.draw_head_shapes(HEADS, "Two heads")[0])
    assert written >= {"Two heads", "class", "[3, 8]", "[2, 3]", "1.10", "span", "[2, 5, 2]", "1.61"}
    said = drawings.draw_head_shapes(HEADS, "a title")[1]
    assert "span: reads every token, a matrix of [2, 8] gives logits of [2, 5, 2]" in said
    assert "cross-entropy, 5 tokens: 1.61." in said


@pytest.mark.parametrize("count", [0, 7])
def test_no_head_and_too_many_are_refused(count: int) -> None:
    with pytest.raises(ValueError, match="room for 1 to 6"):
        drawings.draw_head_shapes(HEADS[:1] * count, "Heads")


def test_the_highest_scores_are_marked_and_the_span_is_said() -> None:
    figure = drawings.draw_span_scores(TOKENS, START, END, (3, 4))[0]
    assert words_in(figure) == {"3.2", "4.0"}, "the highest of each, wherever it stands"
    assert [label.get_text() for label in figure.axes[1].get_xticklabels()] == TOKENS
    said = drawings.draw_span_scores(TOKENS, START, END, (3, 4))[1]
    assert "The best span, a seal, has the sum 5.8." in said and "end logit 4.0 at [SEP]" in said


@pytest.mark.parametrize("span", [(4, 3), (0, 6), (-1, 2)])
def test_what_is_no_span_is_refused(span: tuple[int, int]) -> None:
    with pytest.raises(ValueError, match="is no span of 6 tokens"):
        drawings.draw_span_scores(TOKENS, START, END, span)


def test_as_many_ends_as_starts_are_asked_for() -> None:
    with pytest.raises(ValueError, match="as many end as start logits"):
        drawings.draw_span_scores(TOKENS, START, END[:-1], (3, 4))


MARGINS, ANSWERED = [-13.1, -1.2, 3.0], [True, True, False]


def test_margins_beyond_the_threshold_are_silent() -> None:
    axes = drawings.draw_margins(MARGINS, ANSWERED, -2, (-20, 8), "Three questions").axes[0]
    dots = [line for line in axes.lines if line.get_marker() == "o" and len(np.asarray(line.get_xdata()))]
    drawn = [(np.asarray(line.get_xdata()).tolist(), line.get_markerfacecolor() == "white") for line in dots]
    assert drawn == [([-13.1], False), ([-1.2], True), ([3.0], True)]
    assert [label.get_text() for label in axes.get_yticklabels()] == ["2 with an answer", "1 without"]
    said = drawings.describe_margins(MARGINS, ANSWERED, -2)
    assert "2 with an answer, from -13.1 to -1.2: 1 silent; 1 without, from 3.0 to 3.0: 1 silent." in said


def test_a_margin_off_the_scale_is_refused() -> None:
    with pytest.raises(ValueError, match="outside of the scale from -20 to 8"):
        drawings.draw_margins([-21, 0], [True, False], 0, (-20, 8))
    with pytest.raises(ValueError, match="both kinds"):
        drawings.draw_margins([-1, 0], [True, True], 0, (-20, 8))
