"""Runs every test of the course, one kind after another, and sums up."""

import os
import subprocess
import sys
import tempfile
import time
from collections import Counter
from dataclasses import dataclass, field
from pathlib import Path
from xml.etree import ElementTree

from lib import root
from lib.exercises.editions import QUIET, bind_jupyter_to_this_python

WORKERS = ["-n", "2"]
BROWSER = "tests/test_browser.py"


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
    """A command for this very Python; a folder called lib in the way is not taken for ours."""
    return [sys.executable, "-P", *arguments]


def pytest(*arguments: str) -> list[str]:
    """A run of pytest, from the repository's root."""
    return python("-m", "pytest", "-q", "--durations=5", "--durations-min=5", *arguments)


def counted(report: Path) -> Counter[str]:
    """How many tests a JUnit report says failed, passed, were skipped, or could not be set up."""
    suite = ElementTree.parse(report).getroot().find("testsuite")
    assert suite is not None, f"{report} holds no test suite"
    given = {name: int(suite.get(name, 0)) for name in ("tests", "failures", "errors", "skipped")}
    passed = given["tests"] - given["failures"] - given["errors"] - given["skipped"]
    return Counter(failed=given["failures"], errors=given["errors"], passed=passed, skipped=given["skipped"])


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


def steps(fast: bool, solved: Path) -> list[Step]:
    """What `test` runs, in order. `solved` is the folder that the solved notebooks go to."""
    style = Step("style", python("-m", "ruff", "check", "."))
    types = Step("types", python("-m", "mypy"))
    unit = ["tests", f"--ignore={BROWSER}", *WORKERS]
    if fast:
        return [style, types, Step("unit tests", pytest(*unit, "-m", "not notebook"))]
    notebooks = sorted(str(path) for path in (root / "notebooks").glob("*.ipynb"))
    return [
        style,
        types,
        Step("unit tests", pytest(*unit)),
        Step("solving", python("-m", "lib.exercises", "solve", *notebooks, "-o", str(solved))),
        # loadscope: the cells of a notebook stay together, in order, in one kernel
        # -c: the notebooks lie outside the repository, and the options for nbval within
        Step(
            "notebooks",
            pytest("-c", "pyproject.toml", "--nbval-lax", str(solved), *WORKERS, "--dist", "loadscope"),
        ),
        Step("browser", pytest(BROWSER)),
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


def run_tests(fast: bool = False) -> bool:
    """Runs all tests, or with `fast` those that open no notebook; True where everything passed.

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
        todo = steps(fast, folder / "solved")
        for number, step in enumerate(todo):
            run(step, environment, folder / f"{number}.xml")
    print(summary(todo), flush=True)
    return all(step.passed for step in todo)
