"""Wrong versions: what people get wrong, made from the reference's own source where that can be done."""

from __future__ import annotations

import ast
import inspect
import linecache
import math
import textwrap
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from functools import cache
from types import FunctionType
from typing import Any

LOOPS = 20_000  # how often the loops of a wrong version may turn: it may never end by itself


@dataclass(frozen=True)
class Edit:
    """Changes in the source of a reference, or of a helper that stands in the same module."""

    changes: tuple[tuple[str, str], ...]
    of: Any = None

    def then(self, old: str, new: str) -> Edit:
        """The same edit with one more change."""
        return Edit((*self.changes, (old, new)), self.of)

    def source(self, source: str) -> str:
        """A source with the changes; ValueError unless each `old` stands there just once."""
        for old, new in self.changes:
            if (count := source.count(old)) != 1:
                raise ValueError(
                    f"edit({old!r}, ...): it stands {count} times in the source. Give a longer piece, or"
                    f" one that is there:\n{source}"
                )
            source = source.replace(old, new)
        return source

    def versions(self, reference: Any, alike: Iterable[Edit]) -> Iterator[Any]:
        """The reference with the changes, and so each of `alike`, right versions written otherwise."""
        edited = reference if self.of is None else self.of
        yield rebuilt(reference, {edited.__name__: ast.parse(self.source(source_of(edited)))})
        for other in alike:
            with suppress(ValueError):  # what is written otherwise may lack the piece
                source = Edit((*other.changes, *self.changes)).source(source_of(edited))
                yield rebuilt(reference, {edited.__name__: ast.parse(source)})


def edit(old: str, new: str, of: Any = None) -> Edit:
    """A wrong version: the reference's own source with `old`, which stands there once, made `new`.

    `of` names a helper of the reference's module that is edited in its place.
    """
    return Edit(((old, new),), of)


def near(*numbers: float, within: float = 0.0, share: float = 0.0) -> Callable[[float], bool]:
    """A predicate: one of these numbers, but for `within`, or but for this share of it where that is more."""
    return lambda answer: any(math.isclose(answer, x, rel_tol=share, abs_tol=within) for x in numbers)


@dataclass(frozen=True)
class Mistake:
    """A known mistake, and what a good tutor says to whoever made it.

    Of an exercise answered by code, `wrong` is an edit of the reference, a function or class that makes
    the mistake, or a tuple of these; `when(arguments, answer, expected)` recognizes it by behavior: it
    is true of every case on which the answer, which has the right form, is wrong. Of one answered by a
    value, `wrong` is that value or a predicate. Whatever is recognized by a predicate comes with an
    `example`, so that tests can make the mistake too.
    """

    name: str
    says: str
    wrong: Any = None
    example: Any = None
    when: Callable[[tuple[Any, ...], Any, Any], bool] | None = None

    def versions(self, reference: Any, alike: Iterable[Edit] = ()) -> Iterator[Any]:
        """The functions or classes that make the mistake."""
        for version in self.wrong if isinstance(self.wrong, tuple) else (self.wrong,):
            if isinstance(version, Edit):
                yield from version.versions(reference, alike)
            elif version is not None:
                yield version


@dataclass(frozen=True)
class Invariant:
    """Something true of every right answer: `holds(candidate, arguments, result)`."""

    name: str
    says: str
    holds: Callable[[Any, tuple[Any, ...], Any], bool]


@dataclass(frozen=True)
class WrongVersion:
    """A wrong version, and what it makes of the cases, as far as that was needed."""

    name: str
    says: str
    version: Any
    outcomes: list[Any] = field(default_factory=list)


def stumbled(rule: str, exercise: str, error: BaseException) -> str:
    """What to say when a rule of ours, not the answer, raised: the answer is wrong, but so is the rule."""
    what = f"{type(error).__name__}: {error}"
    return (
        f"That is not right, and the rule `{rule}` of {exercise} stumbled over it ({what}): please report it."
    )


class Endless(RuntimeError):
    """A wrong version whose loops turn too often."""


@cache
def source_of(defined: Any) -> str:
    """The source of a function or class, at the margin, without docstrings. OSError where there is none."""
    if not isinstance(defined, type):
        return _without_docstrings(textwrap.dedent(inspect.getsource(defined)))
    # Not by its module: that of a lecturer's own exercise cannot be imported where answers are judged.
    lines = linecache.getlines(_function_of(defined).__code__.co_filename)
    for node in ast.walk(ast.parse("".join(lines))):
        if isinstance(node, ast.ClassDef) and node.name == defined.__name__:
            first = min([node.lineno, *(decorator.lineno for decorator in node.decorator_list)])
            return _without_docstrings(textwrap.dedent("".join(lines[first - 1 : node.end_lineno])))
    raise OSError(f"the source of {defined.__name__} cannot be found")


def _without_docstrings(source: str) -> str:
    lines = source.splitlines(keepends=True)
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, (ast.FunctionDef, ast.ClassDef)) and ast.get_docstring(node) is not None:
            text = node.body[0]
            assert text.end_lineno is not None
            rest = [] if len(node.body) > 1 else [" " * text.col_offset + "pass\n"]
            blank = [""] * (text.end_lineno - text.lineno + 1 - len(rest))
            lines[text.lineno - 1 : text.end_lineno] = [*rest, *blank]
    return "".join(lines)


def _function_of(defined: Any) -> FunctionType:
    """A function itself, of a class one of its methods. Raises OSError where neither is Python."""
    members = vars(defined).values() if isinstance(defined, type) else [inspect.unwrap(defined)]
    for function in members:
        if isinstance(function, FunctionType):
            return function
    raise OSError(f"{defined!r} is not written in Python")


def rebuilt(reference: Any, trees: Mapping[str, ast.Module]) -> Any:
    """The reference in a copy of its module in which `trees` have replaced what they define."""
    space = dict(_function_of(reference).__globals__)
    parts = {**trees}
    parts.setdefault(reference.__name__, ast.parse(source_of(reference)))
    turns = 0

    def turn() -> None:
        nonlocal turns
        turns += 1
        if turns > LOOPS:
            raise Endless

    space["_turn"] = turn
    for name in sorted(parts, key=lambda name: name == reference.__name__):  # the reference last
        tree = ast.fix_missing_locations(_Counted().visit(parts[name]))
        exec(compile(tree, f"a wrong {name}", "exec"), space)
    return space[reference.__name__]


class _Counted(ast.NodeTransformer):
    """Counts the turns of every loop."""

    def _loop(self, node: ast.While | ast.For) -> ast.AST:
        self.generic_visit(node)
        node.body.insert(0, ast.Expr(ast.Call(ast.Name("_turn", ast.Load()), [], [])))
        return node

    visit_While = visit_For = _loop
