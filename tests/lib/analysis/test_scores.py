"""Scores as published, spans as their contracts say."""

from collections.abc import Callable

import pytest
import torch

from lib.analysis.prediction.scores import (
    METRICS,
    accuracy,
    answer_scores,
    entity_scores,
    f1,
    mae,
    matthews,
    normalize_answer,
    pearson,
    spearman,
    squad_scores,
    tag_accuracy,
)
from lib.analysis.prediction.spans import best_span, entity_spans
from lib.text.tasks import GLUE, Answer, QuestionExample

# --- spans ----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: best_span(torch.zeros(3), torch.zeros(2), 2), "of the same length"),
        (lambda: best_span(torch.zeros(0), torch.zeros(0), 2), "at least 1"),
        (lambda: best_span(torch.zeros(1, 3), torch.zeros(1, 3), 2), "one row of numbers"),
        (lambda: best_span(torch.zeros(3), torch.zeros(3), 0), "at most 0 pieces holds nothing"),
        *(
            (lambda tag=tag: entity_spans(["O", tag]), "is no tag: give O, B-")
            for tag in ("person", "B", "I-", "S-per", "b-per", "rep-B")
        ),
    ],
)
def test_what_is_no_span_is_refused(call: Callable[[], object], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        call()


def test_a_label_may_hold_a_hyphen_and_a_piece_be_hidden() -> None:
    tags = ["B-creative-work", "I-creative-work", "I-creative"]
    assert entity_spans(tags) == [("creative-work", 0, 1), ("creative", 2, 2)]
    hidden = torch.tensor([-torch.inf, 1.0, 0.0])
    assert best_span(hidden, hidden, 3) == (1, 1)


# --- classes and grades ---------------------------------------------------------------------------


def test_measures_of_classes_by_hand() -> None:
    predictions, labels = [1, 1, 1, 0, 0, 0, 1, 1], [1, 1, 0, 0, 1, 0, 1, 1]  # 4 hits, 1 false alarm, 1 miss
    assert accuracy(predictions, labels) == 6 / 8
    assert f1(predictions, labels) == pytest.approx(2 * 4 / (2 * 4 + 1 + 1))
    assert matthews(predictions, labels) == pytest.approx((4 * 2 - 1) / (5 * 5 * 3 * 3) ** 0.5)
    assert f1([0, 0], [1, 0]) == 0 and matthews([1, 1], [1, 0]) == 0
    assert accuracy(torch.tensor(predictions), torch.tensor(labels)) == 6 / 8  # type: ignore[arg-type]


def test_measures_of_grades_by_hand() -> None:
    grades = [1.0, 2.0, 3.0, 4.0]
    assert pearson([1.0, 2.0, 3.0, 10.0], grades) == pytest.approx(14 / (50 * 5) ** 0.5)
    assert spearman([1.0, 2.0, 3.0, 10.0], grades) == pytest.approx(1)
    assert spearman([4.0, 3.0, 2.0, 1.0], grades) == pytest.approx(-1)
    assert pearson([2.0] * 4, grades) == spearman([2.0] * 4, grades) == 0
    assert mae([1.5, 1.5, 3.0, 2.0], grades) == 3 / 4


def test_each_task_of_glue_has_its_measures() -> None:
    assert {name for task in GLUE.values() for name in task.metrics} == METRICS.keys() - {"macro_f1", "mae"}


@pytest.mark.parametrize("measure", METRICS.values())
def test_predictions_and_labels_are_as_many(measure) -> None:
    for wrong in (([1], [1, 0]), ([], [])):
        with pytest.raises(ValueError, match="give one of each for every example"):
            measure(*wrong)


# --- entities -------------------------------------------------------------------------------------


def test_an_entity_is_right_with_its_label_and_both_ends() -> None:
    gold = [["B-per", "I-per", "O", "B-loc"], ["B-per", "O"]]
    predicted = [["B-per", "I-per", "O", "B-per"], ["B-per", "I-per"]]  # one right, one label, one end wrong
    assert entity_scores(predicted, gold) == pytest.approx((1 / 3, 1 / 3, 1 / 3))
    assert entity_scores(gold, gold) == (1, 1, 1)
    assert entity_scores([["O"] * 4, ["O"] * 2], gold) == (0, 0, 0)
    assert entity_scores([gold[1], gold[0][:2]], [gold[0][:2], gold[1]]).f1 == 0  # sentences are kept apart
    with pytest.raises(ValueError, match="Sentence 1 has 1 predicted tags for 2 words"):
        entity_scores([gold[0], ["O"]], gold)


def test_tags_are_right_word_by_word() -> None:
    assert tag_accuracy([["NOUN", "VERB"], ["X"]], [["NOUN", "NOUN"], ["X"]]) == 2 / 3
    with pytest.raises(ValueError, match="Sentence 0 has 1 predicted tags for 2 words"):
        tag_accuracy([["NOUN"]], [["NOUN", "VERB"]])


# --- answers --------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "normalized"),
    [
        ("The  Cat.", "cat"),
        ("an apple a\tday\n", "apple day"),
        ("U.S.A.", "usa"),
        ("well-known", "wellknown"),
        ("theater", "theater"),
        ("the\u2013end", "\u2013end"),  # not ASCII, so it stays
        ("A", ""),
        ("a.", ""),
        (" ¿Qué? ", "¿qué"),
    ],
)
def test_answers_are_normalized_as_published(text, normalized) -> None:
    assert normalize_answer(text) == normalized


@pytest.mark.parametrize(
    ("answer", "answers", "exact", "words"),
    [
        ("the Eiffel Tower!", ["Eiffel tower"], 1, 1),
        ("tower", ["Eiffel Tower", "the old tower"], 0, 2 / 3),
        ("Eiffel", ["Paris", "Eiffel"], 1, 1),
        ("to be or not to be", ["to be to"], 0, 2 * 3 / 9),
        ("", [], 1, 1),
        ("Paris", [], 0, 0),
        ("", ["Paris"], 0, 0),
        ("the", [], 1, 1),  # nothing is left of it
        ("a", ["a", "b"], 0, 0),  # what is nothing is no answer beside one that is
    ],
)
def test_an_answer_is_scored_by_the_best_that_fits(answer, answers, exact, words) -> None:
    assert answer_scores(answer, answers) == pytest.approx((exact, words))


def test_a_set_is_scored_by_the_mean_over_questions() -> None:
    given = {"a": ["red house"], "b": [], "c": ["blue"]}
    questions = [
        QuestionExample(name, "Who?", "", tuple(Answer(answer, 0) for answer in answers))
        for name, answers in given.items()
    ]
    predicted = {"a": "house", "b": "", "c": "green", "other": "x"}
    assert squad_scores(predicted, questions) == pytest.approx((1 / 3, (2 / 3 + 1) / 3))
    with pytest.raises(ValueError, match="1 of 3 questions have no prediction, the first is c"):
        squad_scores({"a": "", "b": ""}, questions)
    with pytest.raises(ValueError, match="no questions"):
        squad_scores({}, [])
