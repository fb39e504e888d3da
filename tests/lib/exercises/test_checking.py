"""How answers are judged: in a state of its own, gradients and all, by edits, operators and behavior."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest
import torch
from torch import Tensor, nn

from chapters.nb11.draws import is_uniform
from lib.exercises import compare, differences, operators
from lib.exercises.inside import load_weights
from lib.exercises.mistakes import rebuilt
from lib.exercises.report import Report
from lib.exercises.running import fresh_state
from lib.exercises.spec import Exercise, Invariant, Mistake, edit


def row_means(rows: Tensor, mask: Tensor) -> Tensor:
    """The mean of each row over what its mask keeps."""
    kept = rows * mask
    return kept.sum(dim=-1) / mask.sum(dim=-1)


def doubled_until(number: int, limit: int) -> int:
    """Doubles a number until it reaches a limit."""
    while number < limit:
        number = _twice(number)
    return number


def _twice(number: int) -> int:
    return 2 * number


def rows_of(numbers: list[int]) -> list[list[int]]:
    """Each number as a row."""
    rows = []
    for number in numbers:
        row = [number]
        rows.append(row)
    return rows


class Scale(nn.Module):
    """A product with a parameter."""

    def __init__(self, size: int):
        super().__init__()
        self.weight = nn.Parameter(torch.ones(size))

    def forward(self, hidden: Tensor) -> Tensor:
        return hidden * self.weight


def batches(seed: int) -> list[tuple[Tensor, Tensor]]:
    generator = torch.Generator().manual_seed(seed)
    masks = [torch.ones(2, 3), torch.tensor([[1.0, 1, 0, 0], [1, 1, 1, 1], [1, 0, 0, 0]])]
    return [(torch.randn(mask.shape, generator=generator), mask) for mask in masks]


def run_scale(candidate: Any, state: dict[str, Tensor], hidden: Tensor) -> Any:
    layer = candidate(hidden.size(-1))
    load_weights(layer, state)
    return layer(hidden)


def an_exercise(reference: Any = row_means, cases: Any = batches, **more: Any) -> Exercise:
    return Exercise(reference.__name__, "05_attention", reference, cases=cases, **more)


MEANS = an_exercise()
SCALE = an_exercise(
    Scale, lambda seed: [({"weight": torch.tensor([2.0, 3.0])}, torch.randn(4, 2))], run=run_scale
)


def judged(exercise: Exercise, answer: Any) -> Report:
    return exercise.judge(answer, exercise.prepare())


# --- a state of its own ---------------------------------------------------------------------------


def turns_gradients_off(rows: Tensor, mask: Tensor) -> Tensor:
    torch.set_grad_enabled(False)
    return row_means(rows, mask)


def changes_the_default(rows: Tensor, mask: Tensor) -> Tensor:
    torch.set_default_dtype(torch.float64)
    return row_means(rows, mask)


def test_an_answer_that_turns_gradients_off_does_not_pass() -> None:
    assert judged(MEANS, turns_gradients_off).mistake == "no_gradient"
    assert torch.is_grad_enabled()


def test_a_setting_left_changed_is_told() -> None:
    report = judged(MEANS, changes_the_default)
    assert (report.mistake, torch.get_default_dtype()) == ("changes_settings", torch.float32)
    assert "torch.set_default_dtype" in report.message


def test_random_numbers_begin_the_same_and_go_on_where_they_were() -> None:
    torch.manual_seed(3)
    np.random.seed(3)
    expected = torch.rand(2).tolist(), np.random.rand()
    torch.manual_seed(3)
    np.random.seed(3)
    drawn = []
    for _ in range(2):
        with fresh_state():
            drawn.append((torch.rand(1).item(), np.random.rand()))
    assert drawn[0] == drawn[1]
    assert (torch.rand(2).tolist(), np.random.rand()) == expected


class Untrained(Scale):
    def forward(self, hidden: Tensor) -> Tensor:
        with torch.no_grad():
            weight = self.weight * 1
        return hidden * weight


def test_gradients_of_parameters_are_compared() -> None:
    assert judged(SCALE, Scale).passed
    report = judged(SCALE, Untrained)
    assert report.mistake == "no_gradient"
    assert "`weight`" in report.message
    assert "should be the class itself" in SCALE.check(Scale(2)).message


# --- mistakes -------------------------------------------------------------------------------------


def test_an_edit_stands_once_or_says_so() -> None:
    with pytest.raises(ValueError, match="stands 2 times"):
        list(edit("dim=-1", "dim=0").versions(row_means, ()))
    with pytest.raises(ValueError, match="stands 0 times"):
        list(edit("dim=7", "dim=0").versions(row_means, ()))
    version = next(edit("2 *", "3 *", of=_twice).versions(doubled_until, ()))
    assert version(1, 5) == 9
    twice = next(edit("kept.sum", "kept.mean").then("rows * mask", "rows").versions(row_means, ()))
    assert torch.equal(twice(torch.ones(1, 2), torch.ones(1, 2)), torch.tensor([0.5]))


def test_mistakes_are_made_of_right_versions_written_otherwise_too() -> None:
    alike = [edit("number < limit", "number + 1 <= limit"), edit("nowhere", "")]
    with pytest.raises(ValueError, match="nowhere"):
        list(operators.variants(doubled_until, alike))
    assert len(list(edit("2 *", "3 *", of=_twice).versions(doubled_until, alike[:1]))) == 1
    assert len(list(edit("_twice(number)", "limit").versions(doubled_until, alike[:1]))) == 2


def test_a_wrong_version_without_end_is_stopped() -> None:
    endless = next(edit("number = _twice(number)", "_twice(number)").versions(doubled_until, ()))
    with pytest.raises(RuntimeError):
        endless(1, 5)


def test_a_mistake_is_known_by_what_it_does() -> None:
    forgets = Mistake(
        "forgets_padding",
        "Padding counts.",
        when=lambda arguments, answer, expected: torch.allclose(answer, arguments[0].mean(-1)),
        example=edit("rows * mask", "rows"),
    )
    exercise = an_exercise(mistakes=[forgets])
    assert judged(exercise, lambda rows, mask: rows.sum(-1) / rows.shape[-1]).mistake == "forgets_padding"
    assert judged(exercise, lambda rows, mask: rows.sum(-1) / 5).mistake != "forgets_padding"


def test_what_a_rule_raises_is_shown_and_not_blamed_on_the_answer() -> None:
    raises: Any = dict  # of three arguments; and so does int("four")
    rules: list[dict[str, Any]] = [
        {"mistakes": [Mistake("rule", "No.", when=raises)]},
        {"invariants": [Invariant("rule", "No.", raises)]},
    ]
    for more in rules:
        report = judged(an_exercise(**more), lambda rows, mask: rows[:, 0] + rows[:, 1])
        assert report.status == "failed"
        assert "the rule `rule` of row_means stumbled over it (TypeError: " in report.message
    rule = Mistake("rule", "No.", int, example="4")
    assert "stumbled" in judged(asked("3", mistakes=[rule]), "four").message


def test_of_an_answer_that_crashed_no_generic_mistake_is_named() -> None:
    def not_divisible(rows: Tensor, mask: Tensor) -> Tensor:
        return (rows * mask).sum(dim=-1) / mask

    crash = edit("mask.sum(dim=-1)", "mask")
    exercise = an_exercise(cases=lambda seed: batches(seed)[1:])
    report = judged(exercise, not_divisible)
    assert (report.mistake, report.status) == (None, "error")
    assert "Your code stopped with RuntimeError: The size of tensor a (3)" in report.message
    named = an_exercise(cases=exercise.cases, mistakes=[Mistake("not_summed", "Divide by a sum.", crash)])
    assert judged(named, not_divisible).mistake == "not_summed"


def test_docstrings_types_and_refusals_are_not_varied() -> None:
    def careful(number: int) -> int:
        """Take 1 off."""
        if number > 9:
            raise ValueError(f"{number + 1} is too much")
        return number - 1

    says = {(v.name, v.says) for v in operators.variants(careful)}
    assert any(name == "sign_turned" for name, _ in says)
    assert not any(name == "order_turned" and "joined" in words for name, words in says)
    assert rebuilt(careful, {})(3) == 2


# --- how results differ ---------------------------------------------------------------------------

RIGHT = torch.tensor([[1.0, 2.75, -3.25], [4.125, 5, 0.5]])


@pytest.mark.parametrize(
    ("yours", "name", "says"),
    [
        (RIGHT * 3, "factor", "the right one times 3"),
        (RIGHT + 0.5, "offset", "the right one plus 0.5"),
        (-RIGHT, "negated", "sign turned"),
        (1 - RIGHT, "one_minus", "1 minus"),
        (1 / RIGHT, "reciprocal", "1 divided by"),
        (RIGHT.mT, "transposed", "rows are columns"),
        (RIGHT.flip(-1), "reversed", "dimension -1"),
        (RIGHT.roll(1, -1), "shifted", "by one"),
        (RIGHT.round(), "rounded", "rounded to 0 digits"),
        (RIGHT * torch.nan, "not_a_number", "NaN everywhere"),
        (torch.full((2, 3), 7.0), "constant", "same number everywhere"),
        (RIGHT.flatten()[[3, 1, 2, 0, 5, 4]].view(2, 3), "permuted", "another order"),
        (RIGHT + torch.tensor([[0.0], [1]]) * RIGHT, "", "in row 1, counted from 0. At [1, 0] 4.125 was"),
        (RIGHT + torch.tensor([0.0, 0, 2]), "", "stands in column 2"),
    ],
    ids=lambda value: value if isinstance(value, str) else "",
)  # fmt: skip
def test_what_turns_one_tensor_into_the_other(yours: Tensor, name: str, says: str) -> None:
    found, words = differences.describe([(RIGHT, yours)], 1e-5, ())
    assert found == name
    assert says in words


@pytest.mark.parametrize(
    ("yours", "name", "says"),
    [
        (["c", "b", "a"], "reversed", "in reverse order"),
        (["a", "b"], "last_missing", "lacks the end"),
        (["b", "c"], "first_missing", "lacks the beginning"),
        (["a", "b", "c", "d"], "too_long", "goes on after"),
        (["x", "a", "b", "c"], "too_early", "begins before"),
        (["b", "a", "c"], "permuted", "in another order"),
        (["a", "c"], "some_missing", "lacks some values"),
        (["a", "a", "b", "c"], "repeated", "twice or more"),
        ([], "empty", "is empty"),
        (["a", "x", "c"], "", "The first is right; then 'b' was expected, yours has 'x'."),
    ],
)
def test_what_turns_one_list_into_the_other(yours: list[str], name: str, says: str) -> None:
    found, words = differences.describe([(["a", "b", "c"], yours)], 1e-5, ())
    assert (found, "numbers" in words) == (name, False)
    assert says in words


WIDER = RIGHT[:, :2] + 1
TYPES = torch.tensor([[0] * 6 + [1] * 4, [0] * 3 + [1] * 7])


def test_a_vector_is_moved_along_its_last_dimension() -> None:
    vector = RIGHT.flatten()
    moved = [(vector.flip(0), "reversed"), (vector.roll(1), "shifted"), (vector.roll(-1), "shifted")]
    for yours, name in moved:
        found, words = differences.describe([(vector, yours)], 1e-5, ())
        assert (found, "along dimension -1" in words) == (name, True)


@pytest.mark.parametrize(
    ("pairs", "name", "says"),
    [
        ([(RIGHT, RIGHT * 3), (WIDER, WIDER * 2)], "factor", "differs from case to case (3, 2)"),
        ([((RIGHT, RIGHT), (RIGHT * 2, RIGHT * 2))], "factor", ""),  # it fits every part that is wrong
        ([((RIGHT, RIGHT), (RIGHT * 2, RIGHT**3))], "", "These differ: output, weights. "),
        ([(RIGHT, RIGHT * 2), (RIGHT, RIGHT + 1)], "", "No number in it is right"),  # in every case
        ([("listen", "silent")], "", ""),  # letters in another order
        ([("listen", "Listen ")], "", ""),
        ([("listen", "Listen")], "capitals", ""),
        ([(torch.tensor(2.0), torch.tensor(4.0))], "", ""),  # two numbers make no pattern
        ([(TYPES, 1 - TYPES)], "inverted", ""),
        ([(TYPES, TYPES + 1)], "", ""),
    ],
)
def test_a_relation_is_named_where_it_holds(pairs: list[tuple[Any, Any]], name: str, says: str) -> None:
    found, words = differences.describe(pairs, 1e-5, ("output", "weights"))
    assert found == name
    assert says in words


@pytest.mark.parametrize(
    ("odd", "says"),
    [
        (torch.ones(2, 3, device="meta"), "on the device `meta`"),
        (torch.ones(2, 3).to_sparse(), "is a sparse tensor"),
        (np.ones((2, 3)), "yours is an ndarray"),
        (2.0, "should be a tensor; yours is a float"),
        ([RIGHT], "yours is a list of 1"),
    ],
)
def test_odd_results_get_a_sentence(odd: Any, says: str) -> None:
    report = judged(an_exercise(), lambda rows, mask: odd)
    assert report.status == "failed"
    assert says in report.message
    assert not compare.agree(odd, RIGHT, 1e-5)


def test_words_agree_with_their_numbers() -> None:
    assert compare.count(1, "case") == "1 case"
    assert compare.count(2, "value") == "2 values"
    report = judged(an_exercise(cases=lambda seed: batches(seed)[:1]), row_means)
    assert "on 1 case." in report.message


# --- values ---------------------------------------------------------------------------------------


def asked(reference: Any, kind: str = "predict", **more: Any) -> Exercise:
    return Exercise("it", "05_attention", reference, kind, **more)


@pytest.mark.parametrize(
    ("reference", "answer", "says"),
    [
        (2.0, math.nan, "nan is no number"),
        (2.0, 3, "Too high."),
        ({"a", "b"}, ["a"], "What you chose belongs, but 1 more does too."),
        ({"a", "b"}, ["a", "b", "c"], "All that belong are there, and 1 that does not."),
        ({"a", "b"}, ["c"], "Nothing of yours belongs there, and 2 are missing."),
        ([1, 2, 3], [1, 3, 2], "1 of 3 are right; the first that is not is number 2."),
        ([1, 2, 3], ["1", "2", "3"], "which holds a text in quotes"),
        ([1, 2, 3], {1, 2, 3}, "Yours is a set of 3"),
        ({"x": 1, "y": 2}, {"x": 1, "y": 3}, "Not right yet: y."),
        ("mean", "median", "That is not it."),
    ],
)
def test_a_wrong_value_is_told_how_far_it_is_right(reference: Any, answer: Any, says: str) -> None:
    report = judged(asked(reference, form="The form."), answer)
    assert says in report.message
    assert ("The form." in report.message) == ("Yours is" in report.message)


# --- tools for those who write exercises ----------------------------------------------------------


@pytest.mark.parametrize(
    ("counts", "uniform"),
    [
        ([1333, 1340, 1327], True),
        ([1200, 1200, 1600], False),
        ([500], True),
        ([7, 5, 6, 4], True),
        ([90, 10], False),
    ],
)
def test_even_draws_are_told_from_uneven_ones(counts: list[int], uniform: bool) -> None:
    assert is_uniform(counts) == uniform


def test_no_wrong_version_appends_a_list_to_itself() -> None:
    for wrong in operators.variants(rows_of):
        try:
            made = wrong.version([1, 2])
        except Exception:  # many of them stop, as they may
            continue
        if isinstance(made, list):
            assert not any(row is made for row in made), wrong.says
