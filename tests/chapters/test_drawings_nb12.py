"""The drawings of notebook 12."""

import pytest

from chapters.nb12 import drawings

BLANKS = {"the keys [MASK] old": "are", "i [MASK] this class": "love"}


def test_a_film_grows_in_one_place(monkeypatch) -> None:
    pictures: list = []

    class Place:
        def update(self, picture) -> None:
            pictures.append(picture)

    def show(picture, display_id) -> Place:
        pictures.append(picture)
        return Place()

    monkeypatch.setattr("IPython.display.display", show)
    film = drawings.Film([0, 100, 200], {"verbs": ("a coin toss", 0.5)})
    for share in (0.1, 0.2, 0.9):
        film.add({"verbs": share}, BLANKS, "by you")
    assert [picture.alt.split(".")[0] for picture in pictures] == [
        f"Step {n} of 200, by you" for n in (0, 100, 200)
    ]
    assert "verbs: 0.10 at step 0, 0.20 at step 100, 0.90 at step 200" in pictures[-1].alt
    assert "i [MASK] this class love" in pictures[-1].alt and "verbs: a coin toss at 0.50" in pictures[-1].alt
    with pytest.raises(ValueError, match="each with the same curves"):
        film.add({"verbs": 1.0}, BLANKS, "by you")


def test_the_axes_of_a_film_stay_where_they_are() -> None:
    films = [
        drawings.draw_film(range(0, 100 * count, 100), {"verbs": [0.5] * count}, {}, BLANKS, 1600, "a title")[
            0
        ]
        for count in (1, 9)
    ]
    assert len({(*film.axes[0].get_xlim(), *film.axes[0].get_ylim()) for film in films}) == 1
    assert {"are", "love"} <= {text.get_text() for text in films[0].axes[1].texts}
    with pytest.raises(ValueError, match="where the guess is written"):
        drawings.draw_film([0], {"verbs": [0.5]}, {}, {"no blank": "are"}, 100, "a title")
    with pytest.raises(ValueError, match="no curve 'nouns' for its line"):
        drawings.draw_film([0], {"verbs": [0.5]}, {"nouns": ("a coin", 0.5)}, BLANKS, 100, "a title")


@pytest.mark.parametrize(("norm", "cut"), [(4.0, "times 0.25"), (0.5, "left as it is")])
def test_a_step_of_pretraining_is_drawn_with_its_numbers(norm: float, cut: str) -> None:
    numbers = drawings.StepNumbers(
        ["a", "key"], ["a", "[MASK]"], 32, 418, 57, 1000, 7.05, norm, 12345, 4e-3, 6.7
    )
    figure, told = drawings.draw_pretraining_step(numbers)
    drawn = " ".join(text.get_text() for text in figure.axes[0].texts)
    assert cut in told and "a [MASK]" in told and "a [MASK]" in drawn
    for number in ("418", "57", "1,000", "7.05", f"{norm:.2f}", "12,345", "0.004", "6.70"):
        assert number in told and number in drawn
