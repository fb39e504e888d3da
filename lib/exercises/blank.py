"""Recognizing an exercise that nobody has written yet."""

from __future__ import annotations

import dis
from types import CodeType, FunctionType
from typing import Any

_NOISE = {"RESUME", "NOP", "COPY_FREE_VARS", "MAKE_CELL", "CACHE", "PRECALL"}


def unwritten(candidate: Any, name: str) -> str:
    """A sentence on what is not written yet, or "" if everything is."""
    if is_blank(candidate):
        return f"{name} is not written yet."
    code = getattr(candidate, "__code__", None)
    gaps = gaps_in(code) if isinstance(code, CodeType) else _gaps_in_value(candidate)
    if not gaps:
        return ""
    return f"{name} is not finished: {gaps} `...` {'is' if gaps == 1 else 'are'} left to replace."


def _gaps_in_value(value: Any) -> int:
    entries = value.values() if isinstance(value, dict) else value
    return sum(entry is Ellipsis for entry in entries) if isinstance(value, (dict, list, tuple, set)) else 0


def is_blank(candidate: Any) -> bool:
    """Whether `candidate` is still the stub: `...`, None, or code that does nothing.

    A function is blank if it compiles to what a lone docstring does (`pass`, `...` and
    `return None` compile alike) or raises NotImplementedError. A class is blank if each of its
    methods is; an `__init__` counts only where it stands alone.
    """
    if candidate is None or candidate is Ellipsis:
        return True
    if isinstance(candidate, type):
        methods = {
            name: value
            for name, value in vars(candidate).items()
            if isinstance(value, FunctionType) and not name.startswith("__annotate")
        }
        start = methods.pop("__init__", None)
        if not methods:
            return start is None or is_blank(start) or _only_calls_parent(start)
        return all(is_blank(method) for method in methods.values())
    if isinstance(candidate, (list, tuple)):
        return len(candidate) > 0 and all(item is None or item is Ellipsis for item in candidate)
    code = getattr(candidate, "__code__", None)
    return isinstance(code, CodeType) and (_does_nothing(code) or _returns_a_gap(code))


def gaps_in(code: CodeType) -> int:
    """How often a `...` is assigned, returned or passed on: a gap to fill, not the one of `x[..., 0]`."""
    gaps = 0
    instructions = [step for step in dis.get_instructions(code) if step.opname not in _NOISE]
    for step, following in zip(instructions, [*instructions[1:], None], strict=True):
        if step.argval is not Ellipsis:
            continue
        if step.opname.startswith("RETURN") or following is None:
            gaps += 1
            continue
        used = following.opname.startswith(("STORE_FAST", "STORE_DEREF", "RETURN", "CALL", "KW_"))
        names = following.argval  # the keyword names of a call: f(x, dim=...)
        if used or (isinstance(names, tuple) and all(isinstance(name, str) for name in names)):
            gaps += 1
    return gaps


def _returns_a_gap(code: CodeType) -> bool:
    """Whether all that it does is to give `...` back."""
    return [op for op, _ in _steps(code)] == [op for op, _ in _steps(_gap.__code__)] and gaps_in(code) == 1


def _steps(code: CodeType) -> list[tuple[str, str]]:
    steps = [step for step in dis.get_instructions(code) if step.opname not in _NOISE]
    return [(step.opname, step.argrepr) for step in steps]


def _does_nothing(code: CodeType) -> bool:
    steps = _steps(code)
    if steps == _steps(_stub.__code__):
        return True
    alike = [op for op, _ in steps] in [[op for op, _ in _steps(stub.__code__)] for stub in _RAISING]
    return alike and any("NotImplementedError" in what for _, what in steps)


def _only_calls_parent(method: FunctionType) -> bool:
    return _steps(method.__code__) == _steps(_parent_call)


def _stub() -> None:
    """Only a docstring."""


def _gap() -> Any:
    return ...


def _raises() -> None:
    raise NotImplementedError


def _raises_with_words() -> None:
    raise NotImplementedError("write me")


_RAISING = (_raises, _raises_with_words)


class _Stub:
    def __init__(self) -> None:
        super().__init__()


_parent_call: CodeType = _Stub.__init__.__code__
