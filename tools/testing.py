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

# What an answer is told and what a study computes hang on no processor: once more as on one of long ago,
# whose kernels add in another order, and with two threads.
OLDER_PROCESSOR = {"ATEN_CPU_CAPABILITY": "default", "ONEDNN_MAX_CPU_ISA": "SSE41", "OMP_NUM_THREADS": "2"}
THE_SAME_EVERYWHERE = ("tests/chapters/test_answers.py", "tests/studies/test_golden.py")


class Status(StrEnum):
    """What has become of a step."""

    NOT_RUN = "not run"
    PASSED = "passed"
    FAILED = "failed"
    INTERRUPTED = "interrupted"


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
    status: Status = Status.NOT_RUN
    seconds: float = 0.0
    variables: dict[str, str] = field(default_factory=dict)  # of the environment, for this step alone

    @property
    def outcome(self) -> str:
        """Such as "3 failed, 120 passed, 1 skipped"; the status where nothing was counted."""
        if not self.counts.total():
            return self.status
        words = {"errors": "error" if self.counts["errors"] == 1 else "errors"}
        order = ("failed", "errors", "passed", "skipped")
        return ", ".join(f"{self.counts[key]} {words.get(key, key)}" for key in order if self.counts[key])


def python(*arguments: str) -> list[str]:
    """A command for this very Python; a folder called tools in the way is not taken for ours."""
    return [sys.executable, "-P", *arguments]


def pytest(*arguments: str) -> list[str]:
    """A run of pytest, from the repository's root."""
    return python(
        "-m", "pytest", "-q", "-p", "tools.failed_tests", "--durations=5", "--durations-min=5", *arguments
    )


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
    with subprocess.Popen(command, cwd=root, env=environment | step.variables) as process:
        try:
            step.status = Status.PASSED if process.wait() == 0 else Status.FAILED
        except KeyboardInterrupt:  # the process has received Ctrl+C too: pytest says what failed until now
            step.status = Status.INTERRUPTED
            process.wait()
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
        # A stretch of files each, so that what a file prepares for its tests is prepared once.
        Step("unit tests", pytest("tests", f"--ignore={BROWSER}", *WORKERS, "--dist=worksteal", *marked)),
    ]
    if extent is Extent.FAST:
        return unit_tests
    notebooks = longest_first(every_notebook())
    older_processor = pytest(*THE_SAME_EVERYWHERE, *WORKERS, "--dist=worksteal", *marked)
    return [
        *unit_tests,
        Step("old kernels", older_processor, variables=OLDER_PROCESSOR),
        Step("cache", python("-m", "tools", "cache", "build")),  # once, not in each notebook that needs it
        Step("solving", python("-m", "tools", "solve", *map(str, notebooks), "-o", str(solved))),
        Step("notebooks", nbval([solved / path.name for path in notebooks])),
        Step("browser", pytest(BROWSER, *marked)),
    ]


NOT_PASSED = {
    Status.FAILED: "Not passed: {}. The reasons stand above, step by step.",
    Status.INTERRUPTED: "Interrupted: {}. What had failed by then stands above.",
    Status.NOT_RUN: "Not run: {}.",
}


def summary(done: list[Step]) -> str:
    """A line for each step, and one in pytest's form for all of them."""
    lines = [f"{step.name:12}{step.outcome:40}{step.seconds:7.1f} s" for step in done]
    total = Step("total", [], sum((step.counts for step in done), Counter()))
    total.status = Status.PASSED if all(step.status is Status.PASSED for step in done) else Status.FAILED
    seconds = sum(step.seconds for step in done)
    closing = f"{total.outcome} in {seconds:.2f}s ({int(seconds) // 60} min {int(seconds) % 60} s)"
    for status, sentence in NOT_PASSED.items():
        if names := [step.name for step in done if step.status is status]:
            lines.append(sentence.format(", ".join(names)))
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
            if step.status is Status.INTERRUPTED:
                break
    print(summary(todo), flush=True)
    return all(step.status is Status.PASSED for step in todo)
