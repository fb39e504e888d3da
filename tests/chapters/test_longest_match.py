"""The schematic of longest match: every look-up is drawn, and said."""

import pytest

from chapters.nb01 import drawings
from lib.bert import wordpiece

GIRAFFE = "giraffe", ["gi", "##raf", "##fe"]
TRIED = ["giraffe", "giraff", "giraf", "gira", "gir", "gi", "##raffe", "##raff", "##raf", "##fe"]


def test_every_look_up_is_drawn_in_order_inside_the_page():
    figure, _ = drawings.draw_longest_match(*GIRAFFE)
    drawn = [text for text in figure.axes[0].texts if text.get_text()]
    words = [text.get_text() for text in drawn]
    assert [word for word in words if word in TRIED] == TRIED
    assert words.count("in the list") == 3 and words.count("not in the list") == 7
    assert "step 2: “raffe” is left" in words
    page = figure.axes[0].get_window_extent()
    for text in drawn:
        extent = text.get_window_extent()
        assert page.x0 <= extent.x0 and extent.x1 <= page.x1, text.get_text()
        assert page.y0 <= extent.y0 and extent.y1 <= page.y1, text.get_text()


def test_what_is_drawn_is_what_longest_match_looks_up():
    asked = []

    class Vocabulary(set):
        def __contains__(self, piece):
            asked.append(piece)
            return super().__contains__(piece)

    found = wordpiece.wordpiece("giraffe", Vocabulary(GIRAFFE[1]))
    assert (found, asked) == (GIRAFFE[1], TRIED)


def test_the_words_name_every_look_up_and_count_them():
    _, told = drawings.draw_longest_match(*GIRAFFE)
    assert "10 look-ups in the vocabulary cut “giraffe” into 3" in told
    assert all(word in told for word in TRIED)
    _, told = drawings.draw_longest_match("kid", ["kid"])
    assert told.endswith("Step 1: kid: found. The pieces: kid.")


@pytest.mark.parametrize(
    ("word", "pieces", "said"),
    [
        ("giraffe", ["gi", "##raf"], "does not spell 'giraffe'"),
        ("giraffe", ["[UNK]"], r"\[UNK\] does not spell"),
        ("", [], "Nothing does not spell ''"),
        ("abcde", list("a") + [f"##{letter}" for letter in "bcde"], "5 letters and 5 pieces"),
        ("midfielderships", ["midfielder", "##ships"], "15 letters"),
    ],
)
def test_pieces_of_another_word_and_what_has_no_room_are_refused(word, pieces, said):
    with pytest.raises(ValueError, match=said):
        drawings.draw_longest_match(word, pieces)
