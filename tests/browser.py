"""A real browser, and JupyterLab started and used as a reader does, both cut off from the network."""

import os
import re
import shlex
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import nbformat
import pytest
from nbformat import NotebookNode

from tools.kernel import QUIET
from tools.notebook_files import has_tag

AWAY = re.compile(r"^(https?|wss?)://(?!(127\.0\.0\.1|localhost|\[::1\])[:/])")
SECONDS = 120  # after which a start, or a cell, counts as stuck
CELL = ".jp-Notebook .jp-Cell"
BAR = re.compile(r"\d%\||^\s*$")  # of tqdm, or where one was


def is_root() -> bool:
    return hasattr(os, "geteuid") and os.geteuid() == 0


@contextmanager
def island() -> Iterator[list[str]]:
    """A network namespace with nothing but loopback: what to put before a command to run it there.

    Empty where there is none to be had: without root, outside Linux, in a container that refuses.
    """
    if not (is_root() and all(map(shutil.which, ("unshare", "nsenter", "ip")))):
        yield []
        return
    command = ["unshare", "--net", "sh", "-c", "ip link set lo up && echo up && exec cat"]
    keeper = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
    assert keeper.stdin and keeper.stdout
    try:
        is_up = keeper.stdout.readline() == "up\n"
        yield ["nsenter", f"--net=/proc/{keeper.pid}/ns/net"] if is_up else []
    finally:
        keeper.stdin.close()  # cat ends, and the namespace when its last process has
        keeper.stdout.close()
        keeper.wait()


@contextmanager
def chromium(inside: list[str]) -> Iterator[Any]:
    """A headless Chromium, a Playwright `Browser`, in the namespace that `inside` enters; or skips."""
    names = ("chromium", "chromium-browser", "google-chrome")
    program = next(filter(None, map(shutil.which, names)), None)
    sync_api = pytest.importorskip("playwright.sync_api", reason="Playwright is not installed")
    if program is None:
        pytest.skip(f"there is no browser: none of {', '.join(names)} is installed")
    with tempfile.TemporaryDirectory(prefix="course-browser-") as folder, sync_api.sync_playwright() as api:
        if inside:  # Playwright starts one program; this one takes it there
            starter = Path(folder) / "chromium"
            starter.write_text(f'#!/bin/sh\nexec {shlex.join([*inside, program])} "$@"\n')
            starter.chmod(0o755)
            program = str(starter)
        browser = api.chromium.launch(
            executable_path=program, chromium_sandbox=not is_root(), args=["--disable-gpu"]
        )
        try:
            yield browser
        finally:
            browser.close()


def watch(page: Any) -> list[str]:
    """Refuse what a page asks of the network; the growing list of that and of its errors."""
    faults: list[str] = []

    def refuse(route: Any) -> None:
        faults.append(f"asked for {route.request.url}")
        route.abort()

    def heard(said: Any) -> None:
        if said.type == "error":
            faults.append(f"the console says: {said.text} ({said.location['url']})")

    def talked(socket: Any) -> None:
        if AWAY.match(socket.url):
            faults.append(f"talked to {socket.url}")

    page.route(AWAY, refuse)
    page.on("websocket", talked)
    page.on("console", heard)
    page.on("pageerror", lambda error: faults.append(f"an error in the page: {error}"))
    return faults


def readers_environment(home: Path) -> dict[str, str]:
    """The environment of somebody who runs no tests and has never started Jupyter."""
    ours = {*QUIET, "BERT_COURSE_STRICT", "PYTEST_VERSION", "JUPYTER_TOKEN"}
    kept = {name: value for name, value in os.environ.items() if name not in ours}
    folders = ("JUPYTER_CONFIG_DIR", "JUPYTER_DATA_DIR", "JUPYTER_RUNTIME_DIR", "IPYTHONDIR")
    return {
        **kept,
        **{name: str(home.parent / name.lower()) for name in folders},
        "BERT_COURSE_HOME": str(home),
    }


@contextmanager
def lab(inside: list[str], home: Path, notebook: str) -> Iterator[str]:
    """`course.py lab`, after its set-up: the address that it tells the reader to open."""
    command = [*inside, sys.executable, "-P", "-m", "tools", "lab", notebook, "--no-browser"]
    log = home.parent / "lab.log"
    with log.open("w", encoding="utf-8") as written:
        process = subprocess.Popen(
            command, env=readers_environment(home), cwd=home.parent, stdout=written, stderr=written
        )
        try:
            yield wait_for(lambda: re.search(r"http://\S+", log.read_text("utf-8")), process, log)[0]
        finally:
            process.terminate()
            process.wait(SECONDS)


def wait_for(look: Callable[[], Any], process: subprocess.Popen, log: Path) -> Any:
    """What `look` finds, as soon as it finds something."""
    deadline = time.monotonic() + SECONDS
    while not (found := look()):
        stuck = process.poll() is not None or time.monotonic() > deadline
        assert not stuck, f"JupyterLab does not start:\n{log.read_text('utf-8')}"
        time.sleep(0.1)
    return found


class Reader:
    """Somebody who has a notebook open in JupyterLab."""

    def __init__(self, page: Any, address: str, path: Path) -> None:
        """Opens `address`, where the file `path` is shown, as soon as JupyterLab answers."""
        self.page = page
        self.page.set_default_timeout(1000 * SECONDS)
        self.path = path
        deadline = time.monotonic() + SECONDS
        while True:
            try:
                page.goto(address)
                break
            except Exception as error:  # Playwright's, which is imported only where it is installed
                # refused, or stopped by the browser's own page that says so
                early = any(sign in str(error) for sign in ("ERR_CONNECTION_REFUSED", "chrome-error://"))
                if not early or time.monotonic() > deadline:
                    raise
                page.wait_for_timeout(100)
        count = len(self.book.cells)
        page.wait_for_function(f"() => document.querySelectorAll('{CELL}').length == {count}")
        page.locator(".jp-Notebook-ExecutionIndicator[data-status=idle]").wait_for()

    @property
    def book(self) -> NotebookNode:
        """The notebook's file."""
        return nbformat.read(self.path, as_version=4)

    def cells(self, tag: str = "", starts: str = "", holds: str = "") -> list[Any]:
        """The code cells with a tag, or whose source starts with or holds a text."""
        return [
            self.page.locator(CELL).nth(number)
            for number, cell in enumerate(self.book.cells)
            if cell.cell_type == "code"
            and (not tag or has_tag(cell, tag))
            and cell.source.startswith(starts)
            and holds in cell.source
        ]

    def cell(self, tag: str = "", starts: str = "", holds: str = "") -> Any:
        """The one code cell with that tag, beginning or text."""
        [cell] = self.cells(tag, starts, holds)
        return cell

    def run_all(self) -> None:
        """Run > Run All Cells, and wait until the last has ended."""
        for item in ("Run", "Run All Cells"):
            self.page.get_by_role("menuitem", name=item, exact=True).click()
        # The copy comes with numbers, but not in each cell; a running cell has a star. An error, which
        # JupyterLab shows as it shows stderr, leaves the cells below it without.
        stopped = f"{CELL} [data-mime-type='application/vnd.jupyter.stderr']"
        # A cell whose source is folded shows a placeholder's prompt, which stays empty.
        prompts = f"{CELL}.jp-CodeCell .jp-InputPrompt:not(.jp-Placeholder-prompt)"
        self.page.wait_for_function(
            "([prompts, stopped]) => [...document.querySelectorAll(stopped)]"
            f".some(said => !/{BAR.pattern}/.test(said.textContent))"  # a progress bar is written to stderr
            " || [...document.querySelectorAll(prompts)]"
            ".every(prompt => /\\[\\d+\\]/.test(prompt.textContent))",
            arg=[prompts, stopped],
            timeout=4000 * SECONDS,  # a notebook that trains has many long cells
        )
        errors = [said for said in self.page.locator(stopped).all_text_contents() if not BAR.search(said)]
        assert not errors, f"{self.path.name} does not run cleanly:\n" + "\n".join(errors)
        self.settle()

    def settle(self) -> None:
        """Wait until the notebook rests: a click at what still moves lands on its neighbor."""
        self.page.wait_for_function(
            "selector => { const before = window.placesOfCells;"
            " const cells = [...document.querySelectorAll(selector)];"
            " window.placesOfCells = cells.map(cell => cell.getBoundingClientRect().top).join();"
            " return window.placesOfCells === before; }",
            arg=CELL,
            polling=300,
        )

    def write(self, cell: Any, source: str) -> None:
        """Replace what stands in a cell."""
        cell.locator(".cm-content").click()
        self.page.keyboard.press("ControlOrMeta+A")
        self.page.keyboard.insert_text(source)

    def run(self, cell: Any) -> Any:
        """Run a cell and wait until it has ended; the place of its outputs."""
        prompt = cell.locator(".jp-InputPrompt")
        before = prompt.text_content()
        cell.locator(".cm-content").click()
        self.page.keyboard.press("Control+Enter")
        self.page.wait_for_function(
            "([prompt, before]) => prompt.textContent != before && /\\[\\d+\\]/.test(prompt.textContent)",
            arg=[prompt.element_handle(), before],
        )
        return cell.locator(".jp-OutputArea").first
