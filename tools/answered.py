"""Which notebooks a file answers: by its name, and by the exercises that its code binds or checks."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Mapping

from lib.exercises.spec import Exercise

# of what stands at the left edge: what a function binds is its own
_DEFINED = re.compile(r"^(?:(?:async[ \t]+)?def|class)[ \t]+(\w+)", re.MULTILINE)
_ASSIGNED = re.compile(r"^(\w+)[ \t]*(?::[^=\n]*)?=(?!=)", re.MULTILINE)
_CHECKED = re.compile(r"\bcheck\(\s*[\"'](\w+)")


def answered(stem: str, code: str, exercises: Mapping[str, Exercise]) -> list[str]:
    """The notebooks that a file of this name, without its ending, answers with this code; [""] for none.

    They are those that the name names, and each of which the code checks an exercise, or binds two and at
    least half of them: one alone may be bound by accident. If there is none, they are those of which an
    exercise is defined as a function or class; else the one whose exercises are mentioned most.
    """
    defined = _of_notebooks(_DEFINED.findall(code), exercises)
    bound = _of_notebooks(_DEFINED.findall(code) + _ASSIGNED.findall(code), exercises)
    mentioned = _of_notebooks(re.findall(r"\w+", code), exercises)
    size = _of_notebooks(exercises, exercises)
    found = {
        *_named(stem, sorted(size), defined, mentioned),
        *_of_notebooks(_CHECKED.findall(code), exercises),
        *(notebook for notebook, count in bound.items() if count >= max(2, size[notebook] / 2)),
    }
    return sorted(found or defined) or [notebook for notebook, _ in mentioned.most_common(1)] or [""]


def _of_notebooks(names: Iterable[str], exercises: Mapping[str, Exercise]) -> Counter[str]:
    """How many exercises of each notebook have one of these names."""
    return Counter(exercises[name].notebook for name in set(names) & exercises.keys())


def _named(stem: str, known: list[str], defined: Counter[str], mentioned: Counter[str]) -> list[str]:
    """The notebooks that a name names. A number may be a date's: the code has to know its notebook."""
    if whole := [notebook for notebook in known if notebook.lower() in stem.lower()]:
        return whole
    numbers = re.findall(r"(?<!\d)\d\d(?!\d)", stem)
    numbered = [notebook for notebook in known if notebook[:2] in numbers]
    if sure := [notebook for notebook in numbered if defined[notebook]]:
        return sure
    likely = [notebook for notebook in numbered if mentioned[notebook] or not mentioned]
    return sorted(likely, key=lambda notebook: -mentioned[notebook])[:1]
