"""The drawings of notebook 24."""

from pictures import for_each_example, for_each_refusal

from chapters.nb24 import drawings as nb24

RUNGS = [nb24.Rung("real texts", "found"), nb24.Rung("neighbors", "the hardest", by_errors=True)]

test_a_drawing_says_what_it_shows = for_each_example({
    "a ladder of texts": (
        lambda: nb24.draw_ladder(RUNGS, "A title"),
        ["2 kinds of text", "the hardest (chosen by the KL)"],
        ["A title", "real texts", "found", "neighbors", "teacher", "student", "KL"],
    ),
})  # fmt: skip

test_what_cannot_be_drawn_is_refused_in_one_sentence = for_each_refusal({
    "one rung": (lambda: nb24.draw_ladder(RUNGS[:1], ""), "2 to 8 fit"),
})  # fmt: skip


def test_an_arrow_leads_back_to_what_errors_choose() -> None:
    figure, description = nb24.draw_ladder([nb24.Rung("one", "found"), nb24.Rung("two", "found")], "A title")
    assert len(nb24.draw_ladder(RUNGS, "A title")[0].axes[0].lines) == len(figure.axes[0].lines) + 1
    assert "chosen" not in description
