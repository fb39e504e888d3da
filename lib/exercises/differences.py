"""How wrong results differ from right ones, in words: what turns one into the other, and where they part."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

import torch
from torch import Tensor

from lib.exercises import compare

Pair = tuple[Any, Any]  # expected, yours


def describe(pairs: Sequence[Pair], tolerance: float, names: Sequence[str]) -> tuple[str, str]:
    """How yours differs over all wrong cases, the readable one first: a name, or "", and sentences.

    `names` are those of the parts of a returned tuple. The name is that of a relation which holds
    between the expected results and yours in every case.
    """
    wrong, right = _parts(pairs, tolerance, names)
    words = []
    if right:
        words.append(f"Right: {', '.join(right)}.")
    if len(wrong) > 1:
        words.append(f"These differ: {', '.join(wrong)}.")
    label, part = next(iter(wrong.items()))
    subject = f"`{label}`" if label else "What you return"
    # What stands in a dict is of many sorts: an entry that is no tensor shows no pattern.
    if isinstance(pairs[0][0], Mapping) and not isinstance(part[0][0], Tensor):
        return "", " ".join([*words, place(*part[0], tolerance)])
    if found := relation(part, tolerance):
        every = {(relation(other, tolerance) or ("",))[0] for other in wrong.values()}
        name, says = found
        return name if every == {name} else "", " ".join([*words, f"{subject} {says}."])
    return "", " ".join([*words, place(*part[0], tolerance)])


def _parts(
    pairs: Sequence[Pair], tolerance: float, names: Sequence[str]
) -> tuple[dict[str, list[Pair]], list[str]]:
    """The parts of tuples or dicts that are wrong in some pair, and the names of those that never are."""
    wrong: dict[str, list[Pair]] = {}
    right: dict[str, None] = {}
    for expected, yours in pairs:
        if isinstance(expected, Mapping) and isinstance(yours, Mapping) and expected.keys() == yours.keys():
            there = {str(key): (expected[key], yours[key]) for key in expected}
        elif isinstance(expected, tuple) and isinstance(yours, (list, tuple)) and len(expected) == len(yours):
            labels = [*names, *(f"value {number}" for number in range(len(names), len(expected)))]
            there = dict(zip(labels, zip(expected, yours, strict=True), strict=False))
        else:
            return {"": [pair for pair in pairs if not compare.agree(pair[1], pair[0], tolerance)]}, []
        for label, pair in there.items():
            right.setdefault(label)
            if not compare.agree(pair[1], pair[0], tolerance):
                wrong.setdefault(label, []).append(pair)
    return wrong, [label for label in right if label not in wrong]


def relation(pairs: Sequence[Pair], tolerance: float) -> tuple[str, str] | None:
    """What turns every expected result into yours: its name, and the end of a sentence on yours."""
    numbers = [(compare.as_tensor(expected), compare.as_tensor(yours)) for expected, yours in pairs]
    if all(expected is not None and yours is not None for expected, yours in numbers):
        return _of_numbers(numbers, tolerance)  # type: ignore[arg-type]
    if all(map(_is_plain, (value for pair in pairs for value in pair))):
        return _of_rows(pairs)
    return None


def _is_plain(value: Any) -> bool:
    """Whether a value is a string, or a list whose entries can be compared with ==."""
    if isinstance(value, (list, tuple)):
        plain = (str, int, float, list, tuple)
        return all(isinstance(entry, plain) and not hasattr(entry, "shape") for entry in value)
    return isinstance(value, str)


def place(expected: Any, yours: Any, tolerance: float) -> str:
    """Where two results of the same form part, and what stands there: a sentence."""
    left, right = compare.as_tensor(expected), compare.as_tensor(yours)
    if left is not None and right is not None and left.shape == right.shape:
        show = (lambda x: str(bool(x))) if getattr(expected, "dtype", None) == torch.bool else _digits
        return _place_in_tensor(left, right, tolerance, show)
    if isinstance(expected, (list, tuple, str)) and isinstance(yours, (list, tuple, str)):
        return _place_in_row(expected, yours, tolerance)
    return f"Expected {compare.short(expected)}, yours is {compare.short(yours)}."


# --- numbers --------------------------------------------------------------------------------------

FUNCTIONS: tuple[tuple[str, str, Callable[[Tensor], Tensor]], ...] = (
    ("negated", "is the right one with its sign turned", lambda x: -x),
    ("one_minus", "is 1 minus the right one", lambda x: 1 - x),
    ("reciprocal", "is 1 divided by the right one", lambda x: 1 / x),
    ("squared", "is the square of the right one", lambda x: x**2),
    ("root", "is the square root of the right one", lambda x: x.sqrt()),
    ("logarithm", "is the logarithm of the right one", lambda x: x.log()),
    ("exponential", "is the exponential of the right one", lambda x: x.exp()),
    ("absolute", "is the right one without its signs", lambda x: x.abs()),
    ("truncated", "is the right one without what follows the point", lambda x: x.trunc()),
    *(
        ("rounded", f"is the right one rounded to {k} digits", lambda x, k=k: torch.round(x, decimals=k))
        for k in (0, 1, 2, 3, 4)
    ),
)  # fmt: skip
DIMENSIONS = ((-1, 1), (-2, 2), (0, 2))  # each with the least that a tensor has: 0 of a vector is its -1
MOVES: tuple[tuple[str, str, Callable[[Tensor], Tensor], int], ...] = (
    ("transposed", "is the right one turned over: rows are columns", lambda x: x.mT, 2),
    *(
        (
            "reversed", f"is the right one in reverse order along dimension {d}",
            lambda x, d=d: x.flip(d), least,
        )
        for d, least in DIMENSIONS
    ),
    *(
        (
            "shifted", f"is the right one shifted by one along dimension {d}",
            lambda x, d=d, s=s: x.roll(s, d), least,
        )
        for d, least in DIMENSIONS for s in (1, -1)
    ),
)  # fmt: skip


def _of_numbers(pairs: Sequence[tuple[Tensor, Tensor]], tolerance: float) -> tuple[str, str] | None:
    every = torch.cat([right.flatten() for right, _ in pairs])
    compared = [(right, yours) for right, yours in pairs if not torch.equal(right, yours)]
    if not compared:
        return None
    given = torch.cat([yours.flatten() for _, yours in pairs])
    two_values = len(torch.unique(every)) == 2 and len(every) > 16  # a mask
    same_two = two_values and torch.equal(torch.unique(every), torch.unique(given))
    same_shapes = all(right.shape == yours.shape for right, yours in pairs)
    if same_two and same_shapes and all(bool((right != yours).all()) for right, yours in pairs):
        return "inverted", "is the right one inverted"
    if not given.numel():
        return None
    if bool(given.isnan().all()):
        return "not_a_number", "is NaN everywhere (0/0, inf - inf, or exp of a large number over another)"
    if len(given) > 2 and bool((given == given[0]).all()) and not bool((every == every[0]).all()):
        return "constant", "is the same number everywhere, whatever was given"
    if len(torch.unique(every)) < 3 and not two_values:
        return None  # too few different numbers to tell a pattern from chance
    dimensions = min(right.dim() for right, _ in compared)
    moves = [(name, says, move) for name, says, move, least in MOVES if dimensions >= least]
    for name, says, apply in moves if two_values else (*FUNCTIONS, *moves):
        if all(_close(apply(right), yours, tolerance) for right, yours in compared):
            return name, says
    if all(right.shape == yours.shape for right, yours in compared) and not two_values:
        if (constant := _constant(compared, tolerance)) is not None:
            return constant
        if all(_close(_in_order(right), _in_order(yours), tolerance) for right, yours in compared):
            return "permuted", "holds the right numbers, in another order"
    return None


def _constant(pairs: Sequence[tuple[Tensor, Tensor]], tolerance: float) -> tuple[str, str] | None:
    """A factor or an offset that is the same everywhere, or everywhere within a case."""
    for name, says, find, apply in (
        ("factor", "the right one times {}", _ratio, torch.mul),
        ("offset", "the right one plus {}", _offset, torch.add),
    ):
        numbers = [find(right, yours) for right, yours in pairs]
        constants = [c for c in numbers if c is not None and math.isfinite(c)]
        if len(constants) < len(numbers) or 0 in constants:
            continue
        applied = [apply(right, constant) for (right, _), constant in zip(pairs, constants, strict=True)]
        if not all(_close(made, yours, tolerance) for made, (_, yours) in zip(applied, pairs, strict=True)):
            continue
        if max(constants) - min(constants) <= 100 * tolerance * max(1, abs(constants[0])):
            return name, f"is {says.format(_digits(constants[0]))}"
        if all(right.numel() > 2 for right, _ in pairs):
            listed = ", ".join(map(_digits, constants[:3]))
            which = f"a number that differs from case to case ({listed})"
            return name, f"is {says.format(which)}: which size does it follow?"
    return None


def _ratio(right: Tensor, yours: Tensor) -> float | None:
    at = right.abs().flatten().argmax()
    base = float(right.flatten()[at])
    return float(yours.flatten()[at]) / base if base else None


def _offset(right: Tensor, yours: Tensor) -> float | None:
    return float((yours - right).flatten()[0])


def _in_order(numbers: Tensor) -> Tensor:
    return numbers.flatten().sort()[0]


def _close(right: Tensor, yours: Tensor, tolerance: float) -> bool:
    return right.shape == yours.shape and torch.allclose(right, yours, 10 * tolerance, 10 * tolerance, True)


def _digits(number: float) -> str:
    return f"{number:.4g}"


def _place_in_tensor(expected: Tensor, yours: Tensor, tolerance: float, show: Callable[[float], str]) -> str:
    wrong = ~torch.isclose(yours, expected, tolerance, tolerance, equal_nan=True)
    if expected.dim() == 0:
        return f"Expected {show(float(expected))}, yours is {show(float(yours))}."
    first = tuple(wrong.nonzero()[0].tolist())
    wanted, returned = show(float(expected[first])), show(float(yours[first]))
    return f"{_region(wrong)} At {list(first)} {wanted} was expected, yours is {returned}."


def _region(wrong: Tensor) -> str:
    """Which rows, columns or other slices hold the wrong numbers."""
    if bool(wrong.all()):
        return "No number in it is right."
    for dim in range(wrong.dim()):
        touched = wrong.any(dim=[d for d in range(wrong.dim()) if d != dim]) if wrong.dim() > 1 else wrong
        where = touched.nonzero().flatten().tolist()
        if len(where) < len(touched) and len(where) <= 4:
            kinds = {wrong.dim() - 2: "row", wrong.dim() - 1: "column" if wrong.dim() > 1 else "place"}
            listed = ", ".join(map(str, where))
            where_else = f"at {listed} of dimension {dim}"
            if name := kinds.get(dim):
                where_else = f"in {name}{'s' * (len(where) > 1)} {listed}, counted from 0"
            return f"All that is wrong stands {where_else}."
    return f"{int(wrong.sum())} of {wrong.numel()} numbers are wrong."


# --- lists and strings ----------------------------------------------------------------------------


def _of_rows(pairs: Sequence[Pair]) -> tuple[str, str] | None:
    compared = [(list(right), list(yours)) for right, yours in pairs]
    texts = all(isinstance(right, str) for right, _ in pairs)
    what = "characters" if texts else "values"
    if texts and all(right.casefold() == yours.casefold() for right, yours in pairs):
        return "capitals", "differs in capital and small letters alone"
    if texts and all("".join(right.split()) == "".join(yours.split()) for right, yours in pairs):
        return "spaces", "differs in spaces alone"
    if all(not yours for _, yours in compared):
        return "empty", "is empty"
    if sum(len(right) for right, _ in compared) < 3:
        return None
    # Of rows that are not empty: an empty one is part of any. Letters in another order tell nothing.
    relations: list[tuple[str, str, Callable[[list[Any], list[Any]], bool]]] = [
        ("repeated", f"holds the right {what}, some of them twice or more", _repeated),
        ("reversed", "is the right one in reverse order", lambda a, b: b == a[::-1]),
        ("last_missing", "lacks the end", lambda a, b: b == a[: len(b)]),
        ("first_missing", "lacks the beginning", lambda a, b: a[::-1][: len(b)] == b[::-1]),
        ("too_long", f"goes on after the right {what}", lambda a, b: b[: len(a)] == a),
        ("too_early", f"begins before the right {what}", lambda a, b: b[-len(a) :] == a),
        ("permuted", f"holds the right {what}, in another order", lambda a, b: _bag(a) == _bag(b)),
        ("some_missing", f"lacks some {what}, the rest is in order", lambda a, b: _within(b, a)),
        ("some_too_many", f"has {what} that do not belong there", lambda a, b: _within(a, b)),
    ]  # fmt: skip
    for name, says, holds in relations[1:5] if texts else relations:
        if all(right and yours and holds(right, yours) for right, yours in compared):
            return name, says
    return None


def _bag(row: list[Any]) -> list[str]:
    return sorted(map(repr, row))


def _repeated(right: list[Any], yours: list[Any]) -> bool:
    return len(yours) > len(right) and set(map(repr, yours)) == set(map(repr, right))


def _within(few: list[Any], many: list[Any]) -> bool:
    """Whether `few` is what remains of `many` when some are struck out."""
    rest: Iterator[Any] = iter(many)
    return bool(few) and all(any(value == other for other in rest) for value in few)


def _place_in_row(expected: Any, yours: Any, tolerance: float) -> str:
    what = "characters" if isinstance(expected, str) else "values"
    length = ""
    if len(expected) != len(yours):
        length = f"It should be of {compare.count(len(expected), what[:-1])}; yours is of {len(yours)}."
    for at, (wanted, returned) in enumerate(zip(expected, yours, strict=False)):
        if not compare.agree(returned, wanted, tolerance):
            start = (
                f"The first {at} are right; then"
                if at > 1
                else ("The first is right; then" if at else "At the start")
            )
            parts = f"{compare.short(wanted, 60)} was expected, yours has {compare.short(returned, 60)}."
            return " ".join(filter(None, (length, f"{start} {parts}")))
    return length
