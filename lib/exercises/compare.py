"""Comparing an answer with the reference: are they equal, where do they part, and what to show."""

from __future__ import annotations

import math
import numbers
from collections.abc import Callable, Mapping, Sequence
from collections.abc import Set as AbstractSet
from typing import Any

import numpy as np
import torch
from torch import Tensor

ROWS, COLUMNS = 6, 6  # the largest piece of a matrix that is shown
ENTRIES = 8  # the largest dict that is shown whole


def agree(left: Any, right: Any, tolerance: float) -> bool:
    """Whether two results are the same: type, shape, dtype and, within `tolerance`, every number.

    Lists and tuples count as the same, NaN equals NaN (two wrong versions may overflow alike), and
    a difference is measured against max(1, |right|). Arrays of NumPy have to be equal, number by number.
    """
    if isinstance(left, Tensor) and isinstance(right, Tensor):
        if without_numbers(left) or without_numbers(right):
            return False
        if left.shape != right.shape or left.dtype != right.dtype:
            return False
        if not left.dtype.is_floating_point:
            return torch.equal(left.cpu(), right.cpu())
        return torch.allclose(
            left.detach().cpu().double(), right.detach().cpu().double(), tolerance, tolerance, True
        )
    if is_number(left) and is_number(right):
        left, right = float(left), float(right)
        if math.isnan(left) or math.isnan(right):
            return math.isnan(left) and math.isnan(right)
        return left == right or abs(left - right) <= tolerance * max(1.0, abs(right))
    if isinstance(left, Mapping) and isinstance(right, Mapping):
        same_keys = left.keys() == right.keys()
        return same_keys and all(agree(left[key], right[key], tolerance) for key in right)
    if _is_row(left) and _is_row(right):
        pairs = zip(left, right, strict=False)
        return len(left) == len(right) and all(agree(*pair, tolerance) for pair in pairs)
    if isinstance(left, AbstractSet) and isinstance(right, AbstractSet):
        return set(left) == set(right)
    if isinstance(left, np.ndarray) and isinstance(right, np.ndarray):
        return left.shape == right.shape and left.dtype == right.dtype and np.array_equal(left, right)
    return type(left) is type(right) and bool(left == right)


def without_numbers(value: Tensor) -> str:
    """Why a tensor cannot be read as a block of numbers, or "" where it can."""
    if value.is_meta:
        return "is on the device `meta`: it has a shape and no numbers"
    if value.is_nested:
        return "is a nested tensor; give an ordinary one"
    if value.layout != torch.strided:
        return "is a sparse tensor; give an ordinary one, with .to_dense()"
    return ""


def as_tensor(value: Any) -> Tensor | None:
    """A tensor, a number or nested lists of numbers as a tensor of float64, or None for other things."""
    if isinstance(value, Tensor):
        return None if without_numbers(value) or value.is_complex() else value.detach().cpu().double()
    if is_number(value):
        return torch.tensor(float(value), dtype=torch.float64)
    if _is_row(value) and value:
        rows = [as_tensor(entry) for entry in value]
        if all(row is not None and row.shape == rows[0].shape for row in rows):  # type: ignore[union-attr]
            return torch.stack(rows)  # type: ignore[arg-type]
    return None


def category(value: Any) -> str:
    """What sort of value it is, in words, whatever its size."""
    kinds = (
        (bool, "True or False"),
        (str, "a text in quotes"),
        ((list, tuple, set, frozenset), "a list"),
        (dict, "a dict"),
    )
    for types, words in kinds:
        if isinstance(value, types):
            return words
    return "a number" if is_number(value) else a_kind_of(value)


def same_category(answer: Any, expected: Any) -> bool:
    """Whether an answer is of the expected sort, and what it holds is too: a list of texts, say."""
    if category(answer) != category(expected):
        return False
    if _is_row(expected) and isinstance(answer, AbstractSet):
        return False  # it has no order
    if category(expected) == "a list" and expected:
        return {category(entry) for entry in answer} <= {category(entry) for entry in expected}
    return True


def same_value(answer: Any, expected: Any, tolerance: float) -> bool:
    """`agree`, as kind to the form of an answer as its meaning allows.

    Strings are compared without case and outer spaces; where a set is expected a list or tuple
    will do; a tensor or array of one number, or a shape, may stand for the number or the tuple.
    """
    if isinstance(expected, str) and isinstance(answer, str):
        return answer.strip().casefold() == expected.strip().casefold()
    if isinstance(expected, AbstractSet) and (_is_row(answer) or isinstance(answer, AbstractSet)):
        return _covers(answer, expected, tolerance) and _covers(expected, answer, tolerance)
    if isinstance(answer, bool) or isinstance(expected, bool):
        return answer is expected
    if is_number(expected):
        if isinstance(answer, Tensor) and answer.numel() == 1:
            answer = answer.item()
        return is_number(answer) and agree(answer, expected, tolerance)
    if _is_row(expected):
        if isinstance(answer, Tensor) and answer.dim() == 1:
            answer = answer.tolist()
        return (
            _is_row(answer)
            and len(answer) == len(expected)
            and all(same_value(*pair, tolerance) for pair in zip(answer, expected, strict=True))
        )
    return agree(answer, expected, tolerance)


def malformation(expected: Any, yours: Any, what: str, names: Sequence[str] = ()) -> tuple[str, str] | None:
    """The first thing in which `yours` differs in form: a name and a sentence, or None where it does not.

    `what` names the result in the sentence, `names` the parts of a tuple. The name is "" where the form
    is a symptom whose cause it does not tell.
    """
    if yours is None and expected is not None:
        return "returns_nothing", f"{what} is None. Is a `return` missing at the end?"
    if isinstance(expected, Tensor):
        return _tensor_difference(expected, yours, what)
    if _is_row(expected):
        if not _is_row(yours):
            wanted = count(len(expected), "value")
            if names:
                wanted += f" ({', '.join(names)})"
            return "wrong_type", f"{what} should be {wanted}; yours is {a_kind_of(yours)}."
        if len(yours) != len(expected):
            wanted = count(len(expected), "value")
            return "", f"{what} should hold {wanted}; yours holds {len(yours)}."
        for number, pair in enumerate(zip(expected, yours, strict=True)):
            part = f"`{names[number]}`" if number < len(names) else f"Value {number} of {what}"
            if found := malformation(*pair, part):
                return found
        return None
    if isinstance(expected, Mapping) and isinstance(yours, Mapping):
        if missing := [key for key in expected if key not in yours]:
            return "", f"{what} lacks the key {missing[0]!r}."
        if more := [key for key in yours if key not in expected]:
            return "", f"{what} has the key {more[0]!r}, which should not be there."
        return None
    if (is_number(expected) and is_number(yours)) or isinstance(yours, type(expected)):
        return None
    return "wrong_type", f"{what} should be {a_kind_of(expected)}; yours is {a_kind_of(yours)}."


def _tensor_difference(expected: Tensor, yours: Any, what: str) -> tuple[str, str] | None:
    if not isinstance(yours, Tensor):
        return "wrong_type", f"{what} should be a tensor; yours is {a_kind_of(yours)}."
    if trouble := without_numbers(yours):
        return "wrong_type", f"{what} {trouble}."
    if yours.shape != expected.shape:
        return "", f"{what} should have the shape {list(expected.shape)}; yours has {list(yours.shape)}."
    if yours.dtype != expected.dtype:
        return "wrong_dtype", f"{what} should be of dtype {expected.dtype}; yours is {yours.dtype}."
    if yours.dtype.is_floating_point and bool(yours.isnan().any() > expected.isnan().any()):
        return "", f"{what} contains NaN (0/0, inf - inf, or exp of a large number over another)."
    return None


def side_by_side(expected: Any, yours: Any, tolerance: float, names: Sequence[str] = ()) -> str:
    """Expected beside yours, three digits, with the largest difference and where it is."""
    if isinstance(expected, Tensor) and isinstance(yours, Tensor):
        return _tensors(expected, yours)
    if _is_row(expected) and _is_row(yours) and len(expected) == len(yours):
        for number, pair in enumerate(zip(expected, yours, strict=True)):
            if isinstance(pair[0], Tensor) and not agree(pair[1], pair[0], tolerance):
                title = f"{names[number]}:\n" if number < len(names) else ""
                return title + side_by_side(*pair, tolerance)
    if isinstance(expected, Mapping) and isinstance(yours, Mapping) and expected.keys() == yours.keys():
        lines = [
            f"{key}: expected {_in_one_line(wanted)}, yours {_in_one_line(yours[key])}"
            for key, wanted in expected.items()
            if not agree(yours[key], wanted, tolerance)
        ]
        return "\n".join(lines)
    return f"expected: {_in_one_line(expected)}\nyours:    {_in_one_line(yours)}"


def a_kind_of(value: Any) -> str:
    """A value's type in words, with the shape of a tensor: `a list of 3`, `a tensor [2, 4]`."""
    if isinstance(value, Tensor):
        return f"a tensor {list(value.shape)}"
    if value is None:
        return "None"
    if isinstance(value, type):
        return f"the class {value.__name__}"
    name = type(value).__name__
    article = "an" if name[0].lower() in "aeiou" or name == "ndarray" else "a"
    sized = isinstance(value, (list, tuple, set, frozenset, dict))
    return f"{article} {name} of {len(value)}" if sized else f"{article} {name}"


def count(number: int, what: str) -> str:
    """A number of things: `1 case`, `2 cases`."""
    return f"{number} {what}" if number == 1 else f"{number} {what}s"


def shapes(arguments: Mapping[str, Any]) -> str:
    """The arguments of a call in a few words: `query [2, 3, 4], mask [2, 1, 3], eps 1e-12`."""
    return ", ".join(f"{name} {_argument(value)}" for name, value in arguments.items())


def _argument(value: Any) -> str:
    if isinstance(value, Tensor):
        kind = "" if value.dtype == torch.float32 else f" {str(value.dtype).removeprefix('torch.')}"
        return f"{list(value.shape)}{kind}"
    if isinstance(value, dict) and len(value) <= ENTRIES:
        return "{" + ", ".join(f"{key!r}: {_argument(entry)}" for key, entry in value.items()) + "}"
    if _is_row(value) and len(repr(value)) > 60:
        return a_kind_of(value)
    plain = (int, float, str, list, tuple, set, type(None))
    return short(value, 60) if isinstance(value, plain) else a_kind_of(value)


def short(value: Any, limit: int = 300) -> str:
    """The repr of a value, cut to `limit` characters."""
    text = repr(value)
    return text if len(text) <= limit else text[: limit - 4] + " ..."


def is_number(value: Any) -> bool:
    """Whether a value is one number, a 0-dimensional tensor included."""
    if isinstance(value, Tensor):
        return value.dim() == 0 and not without_numbers(value) and not value.is_complex()
    return isinstance(value, numbers.Real)


def _is_row(value: Any) -> bool:
    return isinstance(value, (list, tuple))


def _covers(values: Any, others: Any, tolerance: float) -> bool:
    """Whether each of `others` is among `values`."""
    return all(any(same_value(value, other, tolerance) for value in values) for other in others)


def _tensors(expected: Tensor, yours: Tensor) -> str:
    """Two tensors beside each other: the matrix that holds the largest difference."""
    if expected.shape != yours.shape or expected.numel() == 0:
        return f"expected: {_in_one_line(expected)}\nyours:    {_in_one_line(yours)}"
    gap = (expected.detach().double() - yours.detach().double()).abs()
    gap = gap.nan_to_num(nan=math.inf)
    where = (gap == gap.max()).nonzero()[0].tolist()
    leading = tuple(where[:-2])
    left, right = _as_matrix(expected[leading]), _as_matrix(yours[leading])
    lines = _columns(["expected", *_rows(left)], ["yours", *_rows(right)])
    if leading:
        lines.append(f"(the matrix at {list(leading)} of {list(expected.shape)})")
    size = float(gap[tuple(where)]) if where else float(gap)
    place = f" at {where}" if where else ""
    lines.append(f"largest difference: {size:.3g}{place}")
    return "\n".join(lines)


def _as_matrix(tensor: Tensor) -> Tensor:
    return tensor.detach().reshape(1, -1) if tensor.dim() < 2 else tensor.detach()


def _in_one_line(value: Any) -> str:
    """A value in one line: tensors by their shape, other things as they are."""
    if _is_row(value) and any(isinstance(part, Tensor) for part in value):
        return ", ".join(map(_in_one_line, value))
    return a_kind_of(value) if isinstance(value, Tensor) else short(value)


def _rows(matrix: Tensor) -> list[str]:
    """The rows of a matrix as text, cut to what is readable."""
    number: Callable[[Any], str] = (lambda value: f"{value:.3f}") if matrix.dtype.is_floating_point else str
    rows = []
    for row in matrix[:ROWS].tolist():
        cells = [number(value) for value in row[:COLUMNS]]
        width = max([7, *map(len, cells)])
        more = " ..." if len(row) > COLUMNS else ""
        rows.append(" ".join(cell.rjust(width) for cell in cells) + more)
    return [*rows, "..."] if len(matrix) > ROWS else rows


def _columns(left: list[str], right: list[str]) -> list[str]:
    width = max(map(len, left))
    return [f"{a.ljust(width)}   |   {b}".rstrip() for a, b in zip(left, right, strict=True)]
