"""The web book, built once for all tests of it."""

from __future__ import annotations

import os
from pathlib import Path

import pytest


@pytest.fixture(scope="session")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The whole book; of several workers one builds it, and the others wait."""
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
