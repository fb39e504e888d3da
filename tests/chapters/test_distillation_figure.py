"""The schematic of distillation: what is drawn, said and refused."""

import pytest

from chapters.nb21 import drawings
from lib import figures

ANSWERS = drawings.Taught("answers", "KL")
STATES = drawings.Taught("[CLS] states", "squared error", ((1, 2), (2, 4)))


def test_every_layer_and_every_pair_stands_in_the_picture() -> None:
    figure = drawings.draw_distillation([ANSWERS, STATES], 3, 6, "a text", "A title")[0]
    written = [text.get_text() for text in figure.axes[0].texts]
    assert sum(words.startswith("layer ") for words in written) == 3 + 6
    assert written.count("embeddings") == written.count("answer") == 2
    assert written.count("[CLS] states: squared error") == 2
    assert written.count("answers: KL") == 1
    assert {"A title", "“a text”", "student, 3 layers", "teacher, 6 layers"} <= set(written)
    assert figures.png(figure)


def test_the_words_name_layers_from_teacher_to_student() -> None:
    said = drawings.draw_distillation([ANSWERS, STATES], 3, 6, "a text", "a title")[1]
    assert "a student of 3 layers" in said and "a teacher of 6" in said
    assert "answers, compared by KL, at the top of both" in said
    assert "from the teacher's to the student's layer: 2 to 1, 4 to 2" in said


@pytest.mark.parametrize(("student", "teacher"), [(0, 6), (3, 13)])
def test_too_few_or_too_many_layers_are_refused(student: int, teacher: int) -> None:
    with pytest.raises(ValueError, match="1 to 12 layers"):
        drawings.draw_distillation([ANSWERS], student, teacher, "a text", "A title")


def test_nothing_to_teach_is_refused() -> None:
    with pytest.raises(ValueError, match="one kind"):
        drawings.draw_distillation([], 3, 6, "a text", "a title")


@pytest.mark.parametrize("pair", [(4, 2), (1, 7), (-1, 0)])
def test_a_layer_that_a_model_does_not_have_is_refused(pair: tuple[int, int]) -> None:
    with pytest.raises(ValueError, match="they have 0 to 6 and 0 to 3"):
        drawings.draw_distillation([drawings.Taught("states", "error", (pair,))], 3, 6, "a text", "A title")
