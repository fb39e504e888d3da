"""What holds for every test: no network, no reader's files, the same numbers at every run."""

import os
import shutil
import socket
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from hypothesis import settings

# pytest puts tests/ on the path, where folders are called like the houses: the houses themselves come first.
sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

# Set before anything imports matplotlib or the hub's client; notebooks' kernels inherit them.
os.environ["MPLBACKEND"] = "Agg"
os.environ["HF_HUB_OFFLINE"] = "1"
os.environ["TQDM_DISABLE"] = "1"

# No deadline: how long an example takes says more about the machine than about the code.
settings.register_profile("course", deadline=None, derandomize=True)
settings.load_profile("course")

_connect = socket.socket.connect


def _connect_nearby(self: socket.socket, address: Any) -> None:
    """Refuses every connection that leaves this machine."""
    away = self.family in (socket.AF_INET, socket.AF_INET6)
    if away and address[0] not in ("127.0.0.1", "::1", "localhost"):
        raise OSError(f"A test tried to reach {address[0]}: tests need no network.")
    _connect(self, address)


@pytest.fixture(autouse=True, scope="session")
def this_machine_only() -> Iterator[None]:
    """No test depends on the network being there, or not being there."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(socket.socket, "connect", _connect_nearby)
        yield


@pytest.fixture(autouse=True, scope="session")
def home_of_nobody() -> Iterator[None]:
    """The reader's copies and progress stay as they are: tests have a folder of their own."""
    with tempfile.TemporaryDirectory(prefix="course-home-") as folder, pytest.MonkeyPatch.context() as patch:
        patch.setenv("BERT_COURSE_HOME", folder)
        yield


@pytest.fixture(scope="session")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The web book of all notebooks, built once; of several workers one builds it, and the others wait."""
    from filelock import FileLock

    from tools.book import build

    pytest.importorskip("sphinx", reason="the extra for the site is not installed")
    pytest.importorskip("myst_nb", reason="the extra for the site is not installed")
    room = tmp_path_factory.getbasetemp()
    room = room.parent if "PYTEST_XDIST_WORKER" in os.environ else room  # that of all workers
    with FileLock(room / "whole-site.lock"):
        if not (room / "whole-site").exists():
            build.build(room / "whole-site")
    return room / "whole-site"


@contextmanager
def disk(place: Path, options: str) -> Iterator[bool]:
    """Memory mounted as a disk at `place`; False, and nothing, where that is not allowed."""
    place.mkdir()
    mount = shutil.which("mount")
    command = [mount or "mount", "-t", "tmpfs", "-o", options, "tmpfs", str(place)]
    mounted = bool(mount) and subprocess.run(command, capture_output=True).returncode == 0
    try:
        yield mounted
    finally:
        if mounted:
            subprocess.run(["umount", "--lazy", str(place)], check=True)


@pytest.fixture
def read_only_folder(tmp_path: Path) -> Iterator[Path]:
    """A folder in which nothing can be written, not even by root."""
    with disk(tmp_path / "read_only", "ro") as mounted:
        if not mounted:
            (tmp_path / "read_only").chmod(0o555)
        yield tmp_path / "read_only"


@pytest.fixture
def full_disk(tmp_path: Path) -> Iterator[Path]:
    """A folder in which no file of more than a few kilobytes can be written."""
    with disk(tmp_path / "full", "size=8k") as mounted:
        if mounted:
            yield tmp_path / "full"
            return
        resource = pytest.importorskip("resource", reason="no limit on a file's size")
        before = resource.getrlimit(resource.RLIMIT_FSIZE)
        resource.setrlimit(resource.RLIMIT_FSIZE, (8192, before[1]))
        try:
            yield tmp_path / "full"
        finally:
            resource.setrlimit(resource.RLIMIT_FSIZE, before)


@pytest.fixture
def tiny(monkeypatch: pytest.MonkeyPatch) -> Any:
    """Makes a subject: of any name the task of two words, its teacher of a few weights, in float32."""
    from tiny_task import EXAMPLES, TASK, tiny_teacher  # not above: torch takes seconds

    from lib.records import subject

    monkeypatch.setattr(subject, "task_named", lambda _name: TASK)
    monkeypatch.setattr(subject, "load_teacher", tiny_teacher)
    monkeypatch.setattr(subject, "texts_for", lambda *_: EXAMPLES)
    monkeypatch.setattr(subject, "precision_here", lambda: "no")

    def make(name: str = "headlines", seed: int = 0, most_steps: int | None = 3) -> Any:
        return subject.Subject(name, seed, most_steps)

    return make
