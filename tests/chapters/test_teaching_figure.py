"""The kinds of text that a student may read, drawn as a ladder."""

import pytest

from chapters.nb24 import drawings
from chapters.nb24.drawings import Rung
from lib import figures

RUNGS = [Rung("real texts", "found"), Rung("neighbors", "the hardest", by_errors=True)]


def test_every_kind_is_a_rung_beside_its_two_readers() -> None:
    page, said = drawings.draw_ladder(RUNGS, "A title")
    written = {text.get_text() for text in page.axes[0].texts}
    assert {"A title", "real texts", "found", "neighbors", "teacher", "student", "KL"} <= written
    assert said.startswith("2 kinds of text") and "the hardest (chosen by the KL)" in said
    assert figures.png(page)


def test_an_arrow_leads_back_to_what_errors_choose() -> None:
    without = drawings.draw_ladder([Rung("one", "found"), Rung("two", "found")], "A title")
    assert len(drawings.draw_ladder(RUNGS, "A title")[0].axes[0].lines) == len(without[0].axes[0].lines) + 1
    assert "chosen" not in without[1]


def test_what_does_not_fit_is_refused() -> None:
    with pytest.raises(ValueError, match="2 to 8 fit"):
        drawings.draw_ladder(RUNGS[:1], "A title")
