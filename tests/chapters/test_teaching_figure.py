"""One training step in several ways, drawn."""

import pytest

from chapters.nb24 import drawings
from chapters.nb24.drawings import TeachingRow
from lib import figures

ROWS = [
    TeachingRow("Hinton", "labeled texts", "the teacher", "softened answers", "KL"),
    TeachingRow(
        "annealing", "labeled texts", "the teacher", "logits, times 1/5 to 1", "squares", ("target",)
    ),
]


def test_every_way_is_a_row_and_what_it_changes_is_dark() -> None:
    page = drawings.draw_teaching_step(ROWS, "A title")[0]
    written = {text.get_text(): text.get_color() for text in page.axes[0].texts}
    assert {"A title", "Hinton", "annealing", "KL", "squares", "which text"} <= written.keys()
    assert written["logits, times 1/5 to 1"] == "white" != written["softened answers"]
    assert figures.png(page)


def test_the_words_say_what_is_changed() -> None:
    said = drawings.draw_teaching_step(ROWS, "a title")[1]
    assert "in 2 ways" in said and said.count("(changed)") == 1
    assert "what the student shall say: logits, times 1/5 to 1 (changed)" in said


def test_what_does_not_fit_is_refused() -> None:
    with pytest.raises(ValueError, match="1 to 9 fit"):
        drawings.draw_teaching_step([], "A title")
    with pytest.raises(ValueError, match="changes 'mood'"):
        TeachingRow("one", "", "", "", "", ("mood",))
