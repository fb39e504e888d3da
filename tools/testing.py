"""Runs the tests of the course, one kind after another, and sums up."""

import math
import os
import subprocess
import sys
import tempfile
import time
import tomllib
from collections import Counter
from dataclasses import dataclass, field
from enum import StrEnum
from pathlib import Path
from xml.etree import ElementTree

from lib import root
from tools.copies import every_notebook
from tools.kernel import QUIET, bind_jupyter_to_this_python

WORKERS = ["-n", "2"]
BROWSER = "tests/test_browser.py"


class Extent(StrEnum):
    """How much is tested: what pytest is asked to take, by its markers."""

    FAST = "not notebook and not slow"
    USUAL = "not slow"
    ALL = ""


@dataclass
class Step:
    """One kind of test: a command, and what came of it."""

    name: str
    command: list[str]
    counts: Counter[str] = field(default_factory=Counter)
    passed: bool = False
    seconds: float = 0.0

    @property
    def outcome(self) -> str:
        """Such as "3 failed, 120 passed, 1 skipped"; "passed" or "failed" where nothing counts."""
        if not self.counts:
            return "passed" if self.passed else "failed"
        words = {"errors": "error" if self.counts["errors"] == 1 else "errors"}
        order = ("failed", "errors", "passed", "skipped")
        return ", ".join(f"{self.counts[key]} {words.get(key, key)}" for key in order if self.counts[key])


def python(*arguments: str) -> list[str]:
    """A command for this very Python; a folder called tools in the way is not taken for ours."""
    return [sys.executable, "-P", *arguments]


def pytest(*arguments: str) -> list[str]:
    """A run of pytest, from the repository's root."""
    return python("-m", "pytest", "-q", "--durations=5", "--durations-min=5", *arguments)


def counted(report: Path) -> Counter[str]:
    """How many tests a JUnit report says failed, passed, were skipped, or could not be set up."""
    suite = ElementTree.parse(report).getroot().find("testsuite")
    assert suite is not None, f"{report} holds no test suite"
    counts = {name: int(suite.get(name, 0)) for name in ("tests", "failures", "errors", "skipped")}
    passed = counts["tests"] - counts["failures"] - counts["errors"] - counts["skipped"]
    return Counter(
        failed=counts["failures"], errors=counts["errors"], passed=passed, skipped=counts["skipped"]
    )


def run(step: Step, environment: dict[str, str], report: Path) -> None:
    """Runs one step, showing its output as it comes, and fills in what came of it."""
    print(f"\n{f' {step.name} ':-^80}", flush=True)
    start = time.perf_counter()
    command = step.command
    if "pytest" in command:
        command = [*command, f"--junitxml={report}"]
    step.passed = subprocess.run(command, cwd=root, env=environment).returncode == 0
    step.seconds = time.perf_counter() - start
    if report.exists():
        step.counts = counted(report)


def budgets() -> dict[str, float]:
    """The seconds that each notebook takes on a quiet machine, by its name without a suffix: budgets.toml."""
    return tomllib.loads((root / "budgets.toml").read_text(encoding="utf-8"))["seconds"]


def longest_first(notebooks: list[Path]) -> list[Path]:
    """Notebooks by the seconds that they take: where the last are short, both workers end together."""
    seconds = budgets()
    return sorted(notebooks, key=lambda path: (-seconds.get(path.stem, math.inf), path.stem))


def nbval(notebooks: list[Path]) -> list[str]:
    """A run of notebooks that lie in one folder outside the repository, in their order."""
    return pytest(
        "--nbval-lax",
        *map(str, notebooks),
        # The options for nbval lie in the repository. By its name below the root a cell is known: without a
        # root all notebooks would be called the same, and one of them be run for all.
        "--config-file=pyproject.toml",
        f"--rootdir={notebooks[0].parent}",
        # The cells of a notebook stay together, in one kernel, and the notebooks in this order.
        *WORKERS,
        "--dist=loadscope",
        "--no-loadscope-reorder",
    )


def steps(extent: Extent, solved: Path) -> list[Step]:
    """What `test` runs, in order. `solved` is the folder that the solved notebooks go to."""
    marked = ["-m", extent.value]
    unit_tests = [
        Step("style", python("-m", "ruff", "check", ".")),
        Step("types", python("-m", "mypy")),
        Step("unit tests", pytest("tests", f"--ignore={BROWSER}", *WORKERS, *marked)),
    ]
    if extent is Extent.FAST:
        return unit_tests
    notebooks = longest_first(every_notebook())
    return [
        *unit_tests,
        Step("cache", python("-m", "tools", "cache", "build")),  # once, not in each notebook that needs it
        Step("solving", python("-m", "tools", "solve", *map(str, notebooks), "-o", str(solved))),
        Step("notebooks", nbval([solved / path.name for path in notebooks])),
        Step("browser", pytest(BROWSER, *marked)),
    ]


def summary(done: list[Step]) -> str:
    """A line for each step, and one in pytest's form for all of them."""
    lines = [f"{step.name:12}{step.outcome:40}{step.seconds:7.1f} s" for step in done]
    total = Step("total", [], sum((step.counts for step in done), Counter()))
    total.passed = all(step.passed for step in done)
    broken = [step.name for step in done if not step.passed]
    seconds = sum(step.seconds for step in done)
    closing = f"{total.outcome} in {seconds:.2f}s ({int(seconds) // 60} min {int(seconds) % 60} s)"
    if broken:
        lines.append(f"Not passed: {', '.join(broken)}. The reasons stand above, step by step.")
    return "\n".join([f"\n{' summary ':-^80}", *lines, f"{f' {closing} ':=^80}"])


def run_tests(extent: Extent) -> bool:
    """Runs the tests; True where everything passed.

    Nothing is read from the network, and nothing is written to the reader's own `my/`.
    """
    bind_jupyter_to_this_python()
    with tempfile.TemporaryDirectory(prefix="course-test-") as name:
        folder = Path(name)
        environment = {
            **os.environ,
            **QUIET,
            "BERT_COURSE_HOME": str(folder / "my"),
            "OMP_NUM_THREADS": "1",  # two workers on two cores
        }
        todo = steps(extent, folder / "solved")
        for number, step in enumerate(todo):
            run(step, environment, folder / f"{number}.xml")
    print(summary(todo), flush=True)
    return all(step.passed for step in todo)
