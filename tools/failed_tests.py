"""A plugin of pytest: each failed test is named at once, and Ctrl+C leaves the list of them."""

import signal

import pytest


@pytest.hookimpl(trylast=True)  # pytest's own terminal is there by then
def pytest_configure(config: pytest.Config) -> None:
    """Listens where a person looks; a worker of pytest-xdist is ended by its controller, not by Ctrl+C.

    If the workers ended by themselves the controller would fail at their graves, before its summary.
    """
    if hasattr(config, "workerinput"):
        signal.signal(signal.SIGINT, lambda *_: None)
    else:
        config.pluginmanager.register(FailedTests(config))


class FailedTests:
    """Writes a line for each test that fails, among pytest's dots."""

    def __init__(self, config: pytest.Config) -> None:
        self.terminal = config.get_terminal_writer()

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        """One stage of one test has ended, here or in a worker."""
        if report.failed:
            self.write(f"FAILED {report.nodeid}: {reason(report)}")

    def pytest_collectreport(self, report: pytest.CollectReport) -> None:
        """A file of tests was read."""
        if report.failed:
            self.write(f"ERROR {report.nodeid}: {reason(report)}")

    def write(self, line: str) -> None:
        """Shows a line now."""
        if self.terminal.width_of_current_line:
            self.terminal.line()
        self.terminal.line(line, red=True)
        self.terminal.flush()


def reason(report: pytest.TestReport | pytest.CollectReport) -> str:
    """The first line of what a test failed with; of a notebook's cell, which brings text, the last."""
    crash = getattr(report.longrepr, "reprcrash", None)
    lines = (crash.message if crash else report.longreprtext).strip().splitlines() or [""]
    return lines[0] if crash else lines[-1]
