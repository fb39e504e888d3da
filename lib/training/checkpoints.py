"""Checkpoints of a run: weights and optimizer, written whole or not at all, and checked when read."""

from __future__ import annotations

import hashlib
import json
import logging
import os
import shutil
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from safetensors.torch import load_file, save_file
from torch import Tensor

from lib.files import digest

STATE = "state.json"
KEPT = 2  # the newest checkpoints; the one before the last is there if the last is broken

log = logging.getLogger(__name__)


def save(folder: Path, step: int, tensors: Mapping[str, Mapping[str, Tensor]], made_by: Any) -> None:
    """Write `folder/step-NNNNNNN` with a safetensors file for each name in `tensors`, and drop old ones.

    made_by (JSON) says what the run depends on; `newest` refuses to go on with anything else.
    """
    final = folder / _name(step)
    beside = folder / f"{_name(step)}.new"
    shutil.rmtree(beside, ignore_errors=True)
    beside.mkdir(parents=True)
    for name, named in tensors.items():
        save_file({key: tensor.contiguous() for key, tensor in named.items()}, beside / f"{name}.safetensors")
    digests = {path.name: digest(path) for path in sorted(beside.iterdir())}
    state = {"step": step, "made_by": made_by, "sha256": digests}
    state["of_this"] = _digest_of(state)
    (beside / STATE).write_text(json.dumps(state, indent=1) + "\n", encoding="utf-8")
    shutil.rmtree(final, ignore_errors=True)
    os.replace(beside, final)
    for old in _steps(folder)[:-KEPT]:
        shutil.rmtree(old)


def newest(folder: Path, made_by: Any) -> tuple[int, dict[str, dict[str, Tensor]]] | None:
    """The step and the tensors of the newest whole checkpoint; None if there is no checkpoint at all.

    A broken one is named in a warning, and so is one that was never written to its end; the one before it is
    taken. ValueError if all are broken, or if the checkpoint was made by something else than `made_by`.
    """
    for path in sorted(folder.glob("step-*.new")):
        log.warning("The checkpoint %s was not written to its end and is left out.", path)
    steps = _steps(folder)
    for path in reversed(steps):
        try:
            return _read(path, made_by)
        except BrokenCheckpoint as error:
            log.warning("%s; going on from the one before it.", error)
    if steps:
        raise ValueError(f"No checkpoint in {folder} is whole: remove the folder and start again.")
    return None


class BrokenCheckpoint(Exception):
    """A checkpoint whose files are not those that were written."""


def _read(path: Path, made_by: Any) -> tuple[int, dict[str, dict[str, Tensor]]]:
    state = _whole_state(path)
    before, now = state["made_by"], json.loads(json.dumps(made_by))
    differing = [key for key in now.keys() | before.keys() if now.get(key) != before.get(key)]
    if differing:
        key = min(differing)
        raise ValueError(
            f"{path} was made with {key} = {before.get(key)!r}, and this run has {now.get(key)!r}: "
            "resume with the same, or start in another folder."
        )
    return state["step"], {
        name.removesuffix(".safetensors"): load_file(path / name) for name in state["sha256"]
    }


def _whole_state(path: Path) -> dict[str, Any]:
    """What was written of a checkpoint, once it is certain that all its files are as they were written."""
    try:
        state = json.loads((path / STATE).read_text(encoding="utf-8"))
        written = state.pop("of_this", None)  # the first checkpoints lack it
        whole = (
            written in (None, _digest_of(state))
            and state.keys() == {"step", "made_by", "sha256"}
            and isinstance(state["made_by"], dict)
            and path.name == _name(state["step"])
            and all(digest(path / name) == there for name, there in state["sha256"].items())
        )
    except (OSError, ValueError, TypeError, AttributeError) as error:
        raise BrokenCheckpoint(f"The checkpoint {path} cannot be read ({error})") from None
    if not whole:
        raise BrokenCheckpoint(f"The checkpoint {path} has other bytes than were written")
    return dict(state)


def _name(step: int) -> str:
    return f"step-{step:07}"


def _digest_of(state: dict[str, Any]) -> str:
    return hashlib.sha256(json.dumps(state).encode()).hexdigest()


def _steps(folder: Path) -> list[Path]:
    return sorted(path for path in folder.glob("step-*") if path.suffix != ".new")
