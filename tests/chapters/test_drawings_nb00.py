"""The drawings of notebook 00."""

import numpy as np
import pytest

from chapters.nb00 import drawings
from lib import figures

EVENTS = [
    ("2018-10", "BERT", "Both sides."),
    ("2013", "word2vec", "One vector."),
    ("2018-02", "ELMo", "Two."),
]


# The timeline


def test_a_timeline_is_in_order_with_one_event_lit():
    figure, told = drawings.draw_timeline(EVENTS, "Title", lit="BERT")
    written = [text.get_text() for text in figure.axes[0].texts]
    assert [word for word in written if word in ("word2vec", "ELMo", "BERT")] == ["word2vec", "ELMo", "BERT"]
    assert [word for word in written if word[-4:].isdigit()] == ["2013", "Feb 2018", "Oct 2018"]
    dots = [line for line in figure.axes[0].lines if line.get_marker() == "o"]
    assert [float(np.asarray(dot.get_ydata())[0]) for dot in dots] == [0, 1, 2]
    assert dots[2].get_markersize() > dots[0].get_markersize() == dots[1].get_markersize()
    assert figures.png(figure)
    assert told == (
        "A timeline of 3 events. 2013, word2vec: One vector. Feb 2018, ELMo: Two. Oct 2018, BERT: Both sides."
    )


WRONG = {
    "events": (lambda: drawings.draw_timeline(EVENTS[:1]), "There are 1 events"),
    "date": (lambda: drawings.draw_timeline([*EVENTS, ("2018-13", "x", "y")]), "'2018-13' of x"),
    "sentence": (lambda: drawings.draw_timeline([*EVENTS, ("2018", "x", 81 * "y")]), "81 characters; 80 fit"),
    "no event": (lambda: drawings.draw_timeline(EVENTS, lit="GPT"), "called 'GPT'"),
}


@pytest.mark.parametrize("case", WRONG)
def test_what_cannot_be_drawn_is_refused_in_one_sentence(case):
    call, message = WRONG[case]
    with pytest.raises(ValueError, match=message) as error:
        call()
    assert "\n" not in str(error.value)


def test_masks_are_drawn_side_by_side() -> None:
    causal = np.tril(np.ones((7, 7)))
    figure = drawings.draw_masks({"causal": causal, "all": np.ones((1, 7))}, list("abcdefg"))
    assert [axes.get_title() for axes in figure.axes] == ["causal", "all"]
    crossed = [
        sum(len(np.asarray(marks.get_offsets())) for marks in axes.collections) for axes in figure.axes
    ]
    assert crossed == [21, 0]
    with pytest.raises(ValueError, match="not boolean"):
        drawings.draw_masks({"weights": causal / 2})
    with pytest.raises(ValueError, match="no mask"):
        drawings.draw_masks({})
