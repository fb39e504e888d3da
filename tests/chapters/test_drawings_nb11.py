"""The drawings of notebook 11."""

from typing import Any

import numpy as np
import pytest

from chapters.nb11 import drawings
from lib import figures
from lib.text import pair_tasks, reader, sentence_pairs

DOCUMENTS = sentence_pairs.documents_in_sentences(reader())
TASKS = {name: pair_tasks.PAIR_TASKS[name].draw for name in ("next", "order", "three-way")}


def rng(seed: int = 0) -> np.random.Generator:
    return np.random.default_rng(seed)


def drawn(task: str, size: int = 3, count: int = 240) -> list[sentence_pairs.SentencePair]:
    return sentence_pairs.draw_pairs(DOCUMENTS, TASKS[task], size, count, rng())


# --- the drawing ----------------------------------------------------------------------------------


def test_a_pair_is_drawn_with_the_words_that_it_shares() -> None:
    pair = drawn("next")[0]
    answers = {"bag of words": 0.5, "pocket BERT": 1.0}
    figure: Any = drawings.draw_pair(pair.first, pair.second, {"bat", "rosa"}, answers, "Text 1")
    texts, bars = figure.axes
    bold = [text.get_text() for text in texts.texts if text.get_weight() == "bold"]
    assert set(bold) >= {"A", "B"} and len(bold) - 2 == len(texts.patches)
    assert [round(patch.get_width(), 2) for patch in bars.patches] == [0.5, 1.0]
    described = drawings.describe_pair(pair.first, pair.second, {"bat"}, answers)
    assert pair.second in described and "pocket BERT 1.00" in described


@pytest.mark.parametrize(("first", "answers"), [("", {"a": 0.5}), ("A text.", {}), ("A text.", {"a": 1.5})])
def test_a_pair_that_cannot_be_drawn_is_refused(first: str, answers: dict[str, float]) -> None:
    with pytest.raises(ValueError, match="give"):
        drawings.draw_pair(first, "Another.", set(), answers)


EXPLORED: dict = {
    "question": "What happens to it?",
    "options": ["it grows", "it shrinks"],
    "answer": "it grows",
    "why": "Because 2 > 1.",
    "alt": "{size} large".format,
    "controls": {"size": [1, 2, 3]},
    "presets": {"small": {"size": 1}, "large": {"size": 3}},
}


def test_a_pair_of_any_length_can_be_given_one_frame():
    with pytest.raises(ValueError, match=r"inches .* lines="):
        figures.Explorer(
            **EXPLORED, draw=lambda size: drawings.draw_pair(60 * size * "a ", "b", set(), {"x": 0.5})
        )
    figures.Explorer(
        **EXPLORED, draw=lambda size: drawings.draw_pair(60 * size * "a ", "b", set(), {"x": 0.5}, lines=5)
    )


WRONG = {
    "few lines of a pair": (
        lambda: drawings.draw_pair("a", "b", set(), {"x": 1}, lines=1),
        "fill 2 lines, so lines=1",
    ),
}


@pytest.mark.parametrize("case", WRONG)
def test_what_cannot_be_drawn_is_refused_in_one_sentence(case):
    call, message = WRONG[case]
    with pytest.raises(ValueError, match=message) as error:
        call()
    assert "\n" not in str(error.value)
