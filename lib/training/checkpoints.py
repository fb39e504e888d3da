"""The folder of a run: its log, and checkpoints, written whole or not at all and checked when read."""

from __future__ import annotations

import hashlib
import json
import logging
import shutil
from collections.abc import Callable, Mapping
from contextlib import AbstractContextManager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from safetensors.torch import load_file, save_file
from torch import Tensor

from lib.files import digest, locked, replacing, write_whole

LOG, STATE = "log.jsonl", "state.json"
KEPT = 2  # the newest checkpoints; the one before the last is there if the last is broken

Tensors = dict[str, dict[str, Tensor]]  # of each file, by name

log = logging.getLogger(__name__)


@dataclass(frozen=True)
class Checkpoints:
    """Where a run is kept, every how many steps, and whether it goes on there.

    In `folder`: log.jsonl, a line a step, and checkpoints/step-NNNNNNN with safetensors files and state.json,
    which names what the numbers depend on (`fingerprint`) and the digest of every file.
    """

    folder: Path
    every: int = 500
    resume: bool = False

    def __post_init__(self) -> None:
        if self.every < 1:
            raise ValueError(f"A checkpoint every {self.every} steps: give at least 1.")

    def locked(self) -> AbstractContextManager[None]:
        """The folder to ourselves; ValueError if another process is in it."""
        return locked(
            self.folder / ".lock",
            f"Another process trains in {self.folder}: wait until it has ended, or name another folder.",
            timeout=0,
        )

    def validate_start(self) -> None:
        """ValueError if a run would be begun in the folder of another one, or begun anew by mistake."""
        if self._steps() and not self.resume:
            raise ValueError(f"{self.folder} holds a run already: add --resume, or name another folder.")
        if not self._inside.exists() and (logged := read_log(self.folder)):
            raise ValueError(
                f"{self.folder / LOG} tells of {len(logged)} steps, but {self._inside} is gone: put it back, "
                "or remove the log to begin anew."
            )

    def begin(self, steps: int) -> None:
        """Clean up after a run that was killed; steps beyond `steps` come again and leave the log."""
        for left in self._inside.glob(".*.part"):
            log.warning("The checkpoint %s was not written to its end and is removed.", left)
            shutil.rmtree(left)
        self._inside.mkdir(parents=True, exist_ok=True)
        lines = [json.dumps(entry) + "\n" for entry in read_log(self.folder) if entry["step"] <= steps]
        write_whole(self.folder / LOG, "".join(lines))

    def write_log(self, measured: dict[str, float]) -> None:
        """Add a line for a step."""
        with (self.folder / LOG).open("a", encoding="utf-8") as file:
            file.write(json.dumps(measured) + "\n")

    def save(self, step: int, tensors: Mapping[str, Mapping[str, Tensor]], fingerprint: Any) -> None:
        """Write a checkpoint, a safetensors file for each name in `tensors`, and drop old ones."""
        with replacing(self._inside / _name(step)) as beside:
            beside.mkdir()
            for name, named in tensors.items():
                contiguous = {key: tensor.detach().cpu().contiguous() for key, tensor in named.items()}
                save_file(contiguous, beside / f"{name}.safetensors")
            digests = {path.name: digest(path) for path in sorted(beside.iterdir())}
            state = {"step": step, "fingerprint": fingerprint, "sha256": digests}
            write_whole(beside / STATE, json.dumps(state | {"digest": _digest_of(state)}, indent=1) + "\n")
        for old in self._steps()[:-KEPT]:
            shutil.rmtree(old)

    def newest(self, fingerprint: Callable[[int], dict[str, Any]]) -> tuple[int, Tensors] | None:
        """The step and the tensors of the newest whole checkpoint; None if there is no checkpoint at all.

        A broken one is named in a warning, and the one before it is taken. fingerprint gives what the numbers
        of so many steps depend on now. ValueError if it differs from what the checkpoint says, or if all are
        broken.
        """
        for path in reversed(self._steps()):
            try:
                state = _whole_state(path)
            except BrokenCheckpoint as error:
                log.warning("%s; going on from the one before it.", error)
                continue
            validate_same(path, state["fingerprint"], fingerprint(state["step"]))
            return state["step"], {
                name.removesuffix(".safetensors"): load_file(path / name) for name in state["sha256"]
            }
        if self._steps():
            raise ValueError(f"No checkpoint in {self._inside} is whole: remove the folder and start again.")
        return None

    @property
    def _inside(self) -> Path:
        return self.folder / "checkpoints"

    def _steps(self) -> list[Path]:
        return sorted(self._inside.glob("step-*"))


class BrokenCheckpoint(Exception):
    """A checkpoint whose files are not those that were written."""


def validate_same(path: Path, before: Any, now: Any) -> None:
    """ValueError that names the first thing in which two fingerprints (JSON) differ."""
    difference = _first_difference(before, json.loads(json.dumps(now)))
    if difference:
        where, was, has = difference
        raise ValueError(
            f"{path} was made with {where} = {was}, and this run has {has}: give the same, or name another "
            "folder."
        )


def _first_difference(before: Any, now: Any) -> tuple[str, Any, Any] | None:
    """Where two JSON values first differ, such as "batches.rows.length", and both values there."""
    if isinstance(before, list) and isinstance(now, list) and len(before) == len(now):
        before, now = (dict(enumerate(values)) for values in (before, now))
    if isinstance(before, dict) and isinstance(now, dict):
        for key in sorted(before.keys() | now.keys()):
            if difference := _first_difference(before.get(key), now.get(key)):
                where, was, has = difference
                return f"{key}.{where}".rstrip("."), was, has
        return None
    return None if before == now else ("", before, now)


def read_log(folder: str | Path) -> list[dict[str, float]]:
    """What a run wrote down, a record a step; a last line that a kill cut short is left out."""
    path = Path(folder) / LOG
    lines = path.read_text(encoding="utf-8").split("\n") if path.is_file() else []
    entries = []
    for number, line in enumerate(lines[:-1], start=1):  # after the last line end there is nothing, or a part
        try:
            entries.append({"step": json.loads(line)["step"], **json.loads(line)})
        except (ValueError, TypeError, KeyError):
            raise ValueError(
                f"Line {number} of {path} is damaged: remove that line; the weights do not depend on it."
            ) from None
    return entries


def _whole_state(path: Path) -> dict[str, Any]:
    """What was written of a checkpoint, once it is certain that all its files are as they were written."""
    try:
        state = dict(json.loads((path / STATE).read_text(encoding="utf-8")))
        intact = (
            state.pop("digest", None) == _digest_of(state)
            and path.name == _name(state["step"])
            and all(digest(path / name) == there for name, there in state["sha256"].items())
        )
    except (OSError, ValueError, TypeError) as error:
        raise BrokenCheckpoint(f"The checkpoint {path} cannot be read ({error})") from None
    if not intact:
        raise BrokenCheckpoint(f"The checkpoint {path} has other bytes than were written")
    return state


def _name(step: int) -> str:
    return f"step-{step:07}"


def _digest_of(state: dict[str, Any]) -> str:
    return hashlib.sha256(json.dumps(state).encode()).hexdigest()
