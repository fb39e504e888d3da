"""The drawings of notebook 12."""

from functools import partial
from typing import Any

import pytest
from pictures import for_each_example, for_each_refusal

from chapters.nb12 import drawings as nb12

BLANKS = {"the keys [MASK] old": "are", "i [MASK] this class": "love"}


def pretraining_step(norm: float) -> Any:
    numbers = nb12.StepNumbers(["a", "key"], ["a", "[MASK]"], 32, 418, 57, 1000, 7.05, norm, 12345, 4e-3, 6.7)
    return nb12.draw_pretraining_step(numbers)


test_a_drawing_says_what_it_shows = for_each_example({
    "a step that is cut": (
        partial(pretraining_step, 4.0),
        ["times 0.25", "a [MASK]", "418", "57", "1,000", "7.05", "4.00", "12,345", "0.004", "6.70"],
        ["a [MASK]", "418", "57", "1,000", "7.05", "4.00", "12,345", "0.004", "6.70"],
    ),
    "a step that is left": (partial(pretraining_step, 0.5), ["left as it is", "0.50"], ["0.50"]),
})  # fmt: skip

test_what_cannot_be_drawn_is_refused_in_one_sentence = for_each_refusal({
    "no blank": (
        lambda: nb12.draw_film([0], {"verbs": [0.5]}, {}, {"no blank": "are"}, 9, ""), "where the guess is",
    ),
    "no curve": (
        lambda: nb12.draw_film([0], {"verbs": [0.5]}, {"nouns": ("a coin", 0.5)}, BLANKS, 100, ""),
        "no curve 'nouns' for its line",
    ),
})  # fmt: skip


def test_a_film_grows_in_one_place(monkeypatch: pytest.MonkeyPatch) -> None:
    pictures: list[Any] = []

    class Place:
        def update(self, picture: Any) -> None:
            pictures.append(picture)

    def show(picture: Any, display_id: bool) -> Place:
        pictures.append(picture)
        return Place()

    monkeypatch.setattr("IPython.display.display", show)
    film = nb12.Film([0, 100, 200], {"verbs": ("a coin toss", 0.5)})
    for share in (0.1, 0.2, 0.9):
        film.add({"verbs": share}, BLANKS, "by you")
    beginnings = [picture.alt.split(".")[0] for picture in pictures]
    assert beginnings == [f"Step {n} of 200, by you" for n in (0, 100, 200)]
    assert "verbs: 0.10 at step 0, 0.20 at step 100, 0.90 at step 200" in pictures[-1].alt
    assert "i [MASK] this class love" in pictures[-1].alt and "verbs: a coin toss at 0.50" in pictures[-1].alt
    with pytest.raises(ValueError, match="each with the same curves"):
        film.add({"verbs": 1.0}, BLANKS, "by you")


def test_the_axes_of_a_film_stay_where_they_are() -> None:
    frames = set()
    for count in (1, 9):
        steps, curves = range(0, 100 * count, 100), {"verbs": [0.5] * count}
        film, _ = nb12.draw_film(steps, curves, {}, BLANKS, 1600, "A title")
        frames.add((*film.axes[0].get_xlim(), *film.axes[0].get_ylim()))
        assert {"are", "love"} <= {text.get_text() for text in film.axes[1].texts}
    assert len(frames) == 1
