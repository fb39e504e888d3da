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

    Those that the name names, by a number (it may be a date's) if the code defines one of their exercises; of
    which the code checks an exercise, or binds two and at least half: one may be an accident. If there is
    none: the one of a number that it mentions; else those with an exercise that it defines; else the one that
    it mentions most.
    """
    defined = _of_notebooks(_DEFINED.findall(code), exercises)
    bound = _of_notebooks(_DEFINED.findall(code) + _ASSIGNED.findall(code), exercises)
    mentioned = _of_notebooks(re.findall(r"\w+", code), exercises)
    size = _of_notebooks(exercises, exercises)
    numbers = re.findall(r"(?<!\d)\d\d(?!\d)", stem)
    numbered = [notebook for notebook in sorted(size) if notebook[:2] in numbers]
    found = {
        *(notebook for notebook in size if notebook.lower() in stem.lower()),
        *(notebook for notebook in numbered if defined[notebook]),
        *_of_notebooks(_CHECKED.findall(code), exercises),
        *(notebook for notebook, count in bound.items() if count >= max(2, size[notebook] / 2)),
    }
    likely = [notebook for notebook in numbered if mentioned[notebook] or not mentioned]
    likely.sort(key=lambda notebook: -mentioned[notebook])
    most = [notebook for notebook, _ in mentioned.most_common(1)]
    return sorted(found) or likely[:1] or sorted(defined) or most or [""]


def _of_notebooks(names: Iterable[str], exercises: Mapping[str, Exercise]) -> Counter[str]:
    """How many exercises of each notebook have one of these names."""
    return Counter(exercises[name].notebook for name in set(names) & exercises.keys())
