"""The drawings of notebook 01."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from matplotlib.patches import FancyBboxPatch, Rectangle

from chapters.nb01 import drawings
from lib import figures


@settings(max_examples=20, deadline=None)
@given(
    st.dictionaries(
        st.text("abc", min_size=1, max_size=12),
        st.lists(st.sampled_from(["i", "think", "##ing", "[UNK]", "[SEP]"]), min_size=1, max_size=40),
        min_size=1,
        max_size=4,
    )
)
def test_pieces_are_drawn_in_order_with_their_number(rows):
    figure = drawings.draw_pieces(rows)
    written = [text.get_text() for text in figure.axes[0].texts]
    assert written == [word for label, pieces in rows.items() for word in [label, *pieces, str(len(pieces))]]
    right = max(box.get_window_extent().x1 for box in figure.axes[0].patches)
    assert right <= figure.axes[0].get_window_extent().x1
    assert figures.png(figure)


def test_pieces_of_a_word_touch_and_words_do_not():
    boxes = drawings.draw_pieces({"kids": ["kid", "##s", "!"]}, "Two words").axes[0].patches
    edges = [(box.get_window_extent().x0, box.get_window_extent().x1) for box in boxes]
    assert edges[0][1] == pytest.approx(edges[1][0])
    assert edges[1][1] < edges[2][0]
    assert drawings.describe_pieces({"kids": ["kid", "##s", "!"]}).endswith("kids: kid | ##s | ! (3).")


def test_a_word_is_broken_between_lines_only_if_it_is_longer_than_one():
    long, short = ["w", *20 * ["##o"]], ["k", *9 * ["##i"]]
    patches = drawings.draw_pieces({"a": [*short, *short, *long]}).axes[0].patches
    lines = [round(box.get_y(), 2) for box in patches if isinstance(box, FancyBboxPatch | Rectangle)]
    assert len(set(lines[:10])) == len(set(lines[10:20])) == 1
    assert lines[10] > lines[9] and lines[20] >= lines[19] and len(set(lines[20:])) == 2


EXPLORED: dict = {
    "question": "What happens to it?",
    "options": ["it grows", "it shrinks"],
    "answer": "it grows",
    "why": "Because 2 > 1.",
    "alt": "{size} large".format,
    "controls": {"size": [1, 2, 3]},
    "presets": {"small": {"size": 1}, "large": {"size": 3}},
}


def test_pieces_of_any_length_can_be_given_one_frame():
    with pytest.raises(ValueError, match=r"inches .* lines="):
        figures.Explorer(**EXPLORED, draw=lambda size: drawings.draw_pieces({"a": 40 * size * ["a"]}))
    figures.Explorer(**EXPLORED, draw=lambda size: drawings.draw_pieces({"a": 40 * size * ["a"]}, lines=6))


WRONG = {
    "few lines": (lambda: drawings.draw_pieces({"a": 60 * ["a"]}, lines=1), "lines, so lines=1"),
    "no pieces": (lambda: drawings.draw_pieces({"a": []}), "a text without pieces"),
    "no texts": (lambda: drawings.describe_pieces({}), "or none at all"),
}


@pytest.mark.parametrize("case", WRONG)
def test_what_cannot_be_drawn_is_refused_in_one_sentence(case):
    call, message = WRONG[case]
    with pytest.raises(ValueError, match=message) as error:
        call()
    assert "\n" not in str(error.value)
