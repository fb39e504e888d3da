"""A plugin of pytest: each failed test is named at once, and all of them again where Ctrl+C ends the run."""

import signal

import pytest


def pytest_configure(config: pytest.Config) -> None:
    """Listens where a person looks; a worker of pytest-xdist is ended by its controller, not by Ctrl+C."""
    if hasattr(config, "workerinput"):
        signal.signal(signal.SIGINT, lambda *_: None)
    else:
        config.pluginmanager.register(FailedTests(config))


class FailedTests:
    """Writes a line for each test that fails, and keeps it."""

    def __init__(self, config: pytest.Config) -> None:
        self.config = config
        self.lines: list[str] = []

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        """One stage of one test has ended, here or in a worker."""
        if report.failed:
            self.keep(f"FAILED {report.nodeid}: {reason(report)}")

    def pytest_collectreport(self, report: pytest.CollectReport) -> None:
        """A file of tests was read."""
        if report.failed:
            self.keep(f"ERROR {report.nodeid}: {reason(report)}")

    def keep(self, line: str) -> None:
        """Shows a line now, and remembers it."""
        self.lines.append(line)
        self.write(line)

    def write(self, *lines: str) -> None:
        """Shows lines among pytest's dots."""
        terminal = self.config.get_terminal_writer()
        if terminal.width_of_current_line:
            terminal.line()
        for line in lines:
            terminal.line(line, red=True)
        terminal.flush()

    def pytest_keyboard_interrupt(self) -> None:
        """The reasons in full, which pytest keeps for the end, go lost: the names stay."""
        self.write("Interrupted. Failed until now:", *(self.lines or ["none"]))


def reason(report: pytest.TestReport | pytest.CollectReport) -> str:
    """The first line of what a test failed with; of a notebook's cell, which brings text, the last."""
    crash = getattr(report.longrepr, "reprcrash", None)
    lines = (crash.message if crash else report.longreprtext).strip().splitlines() or [""]
    return lines[0] if crash else lines[-1]
