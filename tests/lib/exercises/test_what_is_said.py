"""What a learner is told: of numbers, gradients, shapes, values and orders that are not right."""

from __future__ import annotations

import os
from collections.abc import Callable
from typing import Any

import pytest
import torch
from judged import judged, name_of
from sabotage.hand_ins import NAME
from torch import Tensor

from lib import exercises
from lib.bert.attention import scaled_dot_product_attention
from lib.exercises import compare
from lib.exercises.spec import Exercise

ATTENTION = exercises.get(NAME)

# --- functions ------------------------------------------------------------------------------------


def all_arguments(*given: Any, **named: Any) -> Any:
    return scaled_dot_product_attention(*given, **named)


class Callable_:
    def __call__(self, query: Tensor, key: Tensor, value: Tensor, mask: Any = None) -> Any:
        return scaled_dot_product_attention(query, key, value, mask)


@pytest.mark.parametrize("answer", [all_arguments, Callable_()], ids=name_of)
def test_anything_that_can_be_called_may_be_right(answer: Callable[..., Any]) -> None:
    report = ATTENTION.check(answer)
    assert report.passed, str(report)


def half_a_gradient(query: Tensor, key: Tensor, value: Tensor, mask: Tensor | None = None) -> Any:
    _, weights = scaled_dot_product_attention(query, key, value, mask)
    return weights.detach() @ value, weights


def no_gradient_where_masked(query: Tensor, key: Tensor, value: Tensor, mask: Tensor | None = None) -> Any:
    scores = query @ key.mT / query.size(-1) ** 0.5
    if mask is not None:
        scores = scores.detach().masked_fill(~mask, -torch.inf)
    weights = scores.softmax(-1)
    return weights @ value, weights


def in_single_precision(query: Tensor, key: Tensor, value: Tensor, mask: Any = None) -> Any:
    return tuple(part.float() for part in scaled_dot_product_attention(query, key, value, mask))


def on_two_dimensions(query: Tensor, key: Tensor, value: Tensor, mask: Any = None) -> Any:
    return scaled_dot_product_attention(query.flatten(0, -2), key.flatten(0, -2), value.flatten(0, -2), None)


def takes_too_little(query: Tensor, key: Tensor) -> Any:
    return query @ key.mT


def doubled(query: Tensor, key: Tensor, value: Tensor, mask: Any = None) -> Any:
    output, weights = scaled_dot_product_attention(query, key, value, mask)
    return 2 * output, weights


@pytest.mark.parametrize(
    ("answer", "says", "mistake"),
    [
        (half_a_gradient, "part of the way is cut", "wrong_gradient"),
        (no_gradient_where_masked, "no gradient flows back to `query`", "no_gradient"),
        (in_single_precision, "dtype torch.float64", "wrong_dtype"),
        (on_two_dimensions, "should have the shape", None),
        (takes_too_little, "will be called as", None),
        (doubled, "Right: weights. `output` is the right one times 2", "factor"),
        ("attention", "should be a function", None),
    ],
    ids=name_of,
)
def test_a_wrong_attention_is_told_why(answer: Any, says: str, mistake: str | None) -> None:
    report = judged(ATTENTION, answer)
    assert not report.passed
    assert says in report.message
    assert report.mistake == mistake


def test_expected_stands_beside_yours() -> None:
    report = judged(ATTENTION, doubled)
    assert "Called with query [3, 4]" in report.details
    assert "expected" in report.details
    assert "yours" in report.details
    assert "largest difference" in report.details


def test_of_lists_both_are_shown_and_what_they_break_comes_first() -> None:
    exercise = exercises.get("wordpiece")
    report = judged(exercise, lambda word, vocab, unk_token="[UNK]": [])
    assert report.mistake in {invariant.name for invariant in exercise.invariants}
    report = judged(exercise, lambda word, vocab, unk_token="[UNK]": ["?"] * 3)
    assert "expected: [" in report.details
    assert "yours:    ['?', '?', '?']" in report.details


def test_of_dicts_the_entries_are_named() -> None:
    exercise = exercises.get("count_parameters")
    report = judged(exercise, lambda config: exercise.reference(config) | {"attention": 1, "feed-forward": 2})
    assert "Right: embeddings, pooler. These differ: attention, feed-forward." in report.message


def test_small_dicts_are_shown_whole() -> None:
    assert compare.shapes({"vocab": {"a": 0, "##b": 1}}) == "vocab {'a': 0, '##b': 1}"
    assert compare.shapes({"state": {"w": torch.ones(2, 3)}}) == "state {'w': [2, 3]}"
    assert compare.shapes({"state": dict.fromkeys(range(9))}) == "state a dict of 9"
    assert compare.shapes({"documents": 40 * ["a"], "size": 3}) == "documents a list of 40, size 3"
    by_key = compare.side_by_side({"size": 3, "from": [1, 2]}, {"size": 3, "from": [1]}, 1e-5)
    assert by_key == "from: expected [1, 2], yours [1]"


def test_an_exception_is_cut_to_the_learners_lines() -> None:
    def wrong(query: Tensor, key: Tensor, value: Tensor, mask: Any = None) -> Any:
        return query @ value @ value

    report = judged(ATTENTION, wrong)
    assert report.status == "error"
    assert "return query @ value @ value" in report.message
    assert "RuntimeError" in report.message
    assert os.path.join("lib", "exercises") not in str(report) and "chapters" not in str(report)


def test_large_tensors_are_shown_where_they_differ_most() -> None:
    expected = torch.zeros(2, 9, 9)
    yours = expected.clone()
    yours[1, 2, 3] = 5
    shown = compare.side_by_side(expected, yours, 1e-5)
    assert "the matrix at [1]" in shown
    assert "largest difference: 5 at [1, 2, 3]" in shown
    assert max(map(len, shown.splitlines())) < 150


# --- values ---------------------------------------------------------------------------------------


def value(kind: str, reference: Any, **more: Any) -> Exercise:
    return Exercise(name="answer", notebook="05_attention", kind=kind, reference=reference, **more)


@pytest.mark.parametrize(
    ("reference", "right", "wrong"),
    [
        (12, [12, 12.0, torch.tensor(12), torch.tensor([12.0])], [13, "12", None, True, [12]]),
        (0.1, [0.1, 0.1 + 1e-9, 1 / 10], [0.2, float("nan"), float("inf")]),
        ("mean", ["mean", " Mean "], ["median", 3]),
        ([1, 2], [[1, 2], (1, 2), torch.tensor([1, 2]), torch.Size([1, 2])], [[2, 1], [1], {1, 2}]),
        ({"a", "b"}, [{"a", "b"}, ["b", "a"], ("A", "b", "b")], [{"a"}, ["a", "c"], "ab", [["a"]]]),
        ({"x": 1}, [{"x": 1}], [{"x": 2}, {"y": 1}, [("x", 1)]]),
        (True, [True], [False, 1, "yes"]),
        (lambda: 2 + 2, [4], [5]),
    ],
)
def test_values_are_compared_by_what_they_mean(reference: Any, right: list[Any], wrong: list[Any]) -> None:
    exercise = value("predict", reference)
    assert all(judged(exercise, answer).passed for answer in right)
    assert not any(judged(exercise, answer).passed for answer in wrong)


def test_an_order_says_how_far_it_is_right() -> None:
    exercise = value("order", ["c", "a", "b"])
    assert judged(exercise, ["c", "a", "b"]).passed
    assert "one 1 of" in judged(exercise, ["c", "b", "a"]).message
    assert "something else has to come first" in judged(exercise, ["a", "c", "b"]).message
    assert "Each of a, b, c is needed" in judged(exercise, ["c", "a"]).message
    assert "An answer is a list" in judged(exercise, [3, 1, 2]).message


def test_a_value_exercise_has_no_cases_and_a_function_has() -> None:
    with pytest.raises(ValueError, match="has no cases"):
        value("predict", 3, cases=lambda seed: [])
    with pytest.raises(ValueError, match="has cases"):
        value("function", scaled_dot_product_attention)
    with pytest.raises(ValueError, match="no kind of exercise"):
        value("riddle", 3)
