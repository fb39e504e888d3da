"""Grade a class of 110 that means no good, and see that every row is right and nothing is left behind.

    python -m tests.hostile            all of them: some minutes
    python -m tests.hostile --quick    a dozen

It ends with 1 if a row is wrong, a process is left running, or a file outside was changed. Cases that only
bubblewrap holds are left out where it does not work: they would do what they say.
"""

from __future__ import annotations

import csv
import json
import os
import socket
import subprocess
import sys
import tempfile
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent))

from sabotage.hand_ins import FILES, GOOD, NAME, NOTEBOOK, SABOTAGED, Case, notebook
from sabotage.hostile import BLANK_LINES, HOSTILE, LINKS, NAMES

from lib import root
from lib.exercises import walls

MARK = "BERT_COURSE_HOSTILE"  # in the environment of the grader, and so of all that it starts
NUMBER = 110
QUICK = {
    *("deletes_its_folder", "daemon", "kills_itself", "fakes_by_frames", "patches_the_check", "fork_bomb"),
    *("lone_surrogate", "deletes_outside", "deletes_the_class", "reads_a_neighbor", "fills_the_disk"),
}
NEEDS_WALLS = {
    *("memory_of_a_child", "fork_bomb", "daemon", "fakes_by_descriptors", "fills_the_disk", "deletes_home"),
    *("writes_outside", "deletes_outside", "calls_out"),
    *("kills_all_it_can", "kills_its_parent", "stops_all_above", "deletes_the_class", "reads_a_neighbor"),
}


def write_class(folder: Path, outside: Path, port: int, quick: bool, confined: bool) -> dict[str, str]:
    """Write the hand-ins; return the status that is due to each, by the name in the table."""
    cases: dict[str, Case] = {f"good_{kind}": case for kind, case in GOOD.items()}
    cases |= {
        f"hostile_{kind}": case
        for kind, case in HOSTILE.items()
        if (confined or kind not in NEEDS_WALLS) and (not quick or kind in QUICK)
    }
    cases["hostile_blank_lines"] = BLANK_LINES
    if not quick:
        cases |= {f"sabotaged_{kind}": case for kind, case in SABOTAGED.items()}
        cases["sabotaged_million_lines"] = Case(SABOTAGED["million_lines"].cells, "passed|timeout")
        more = NUMBER - len(cases) - len(FILES) - len(NAMES) - 1
        cases |= {f"good_{i}": GOOD["einsum"] for i in range(more)}
    due = {}
    for name, case in cases.items():
        text = notebook(case.cells)
        for word, what in (("OUTSIDE", outside), ("CLASS", folder), ("PORT", port)):
            text = text.replace(word, str(what))
        due[name] = put(folder, name.encode(), text, case.status)
    for kind, text in FILES.items():
        due[f"file_{kind}"] = put(folder, f"file_{kind}".encode(), text, "unreadable")
    for raw, status in NAMES.items():
        due[in_the_table(raw)] = put(folder, raw, notebook(GOOD["plain"].cells), status)
    for name, target in LINKS.items():
        (folder / name).mkdir()
        (folder / name / NOTEBOOK).symlink_to(folder / target)
        due[name] = "unreadable"
    return due


def put(folder: Path, name: bytes, text: str, status: str) -> str:
    """Write one hand-in; return what is due to it."""
    place = os.path.join(os.fsencode(folder), name)
    os.mkdir(place)
    with open(os.path.join(place, NOTEBOOK.encode()), "w", encoding="utf-8") as file:
        file.write(text)
    return status


def in_the_table(raw: bytes) -> str:
    """How the name of a folder appears in the table."""
    text = " ".join(os.fsdecode(raw).split())
    shown = "".join(c if c.isprintable() else c.encode("unicode_escape").decode() for c in text)
    return f"'{shown}" if shown.startswith(("=", "+", "-", "@")) else shown


def left_running() -> list[int]:
    """The processes that still carry the mark."""
    found = []
    for entry in Path("/proc").glob("[0-9]*/environ"):
        try:
            if f"{MARK}={os.getpid()}".encode() in entry.read_bytes().split(b"\0"):
                found.append(int(entry.parent.name))
        except OSError:
            continue  # it has ended, or is not ours
    return found


def state(folder: Path) -> dict[str, tuple[int, int]]:
    """Size and time of every file below a folder."""
    return {
        os.fsencode(path).decode("latin-1"): (path.lstat().st_size, path.lstat().st_mtime_ns)
        for path in folder.rglob("*")
        if "__pycache__" not in path.parts and not path.is_dir()
    }


def main() -> int:
    """Grade the class; print what is not as it should be; return how many things that is."""
    quick = "--quick" in sys.argv[1:]
    with (
        tempfile.TemporaryDirectory(prefix="hostile-") as scratch,
        socket.create_server(("127.0.0.1", 0)) as door,
    ):
        base = Path(scratch)
        folder, temporary = base / "class", base / "temporary"
        outside = root / f".hostile-{os.getpid()}"  # in sight of the answers, as the course is
        for one in (folder, temporary, outside):
            one.mkdir()
        try:
            (outside / "precious").write_text("precious")
            try:
                protected = bool(walls.command())
            except ValueError:
                protected = False
            due = write_class(folder, outside, door.getsockname()[1], quick, protected)
            before = [state(one) for one in (folder, outside, root / "lib", root / "tools")]
            begin = time.perf_counter()
            command = [sys.executable, "-m", "tools", "grade", str(folder), "-o", str(base / "grades.csv")]
            command += [] if protected else ["--unprotected"]
            ran = subprocess.run(
                command,
                cwd=root,
                env={**os.environ, MARK: str(os.getpid()), "TMPDIR": str(temporary), "TQDM_DISABLE": "1"},
                capture_output=True,
                encoding="utf-8",
            )
            took = time.perf_counter() - begin
            troubles = wrong_rows(base / "grades.csv", due)
            if ran.returncode != 0 or "Traceback" in ran.stderr:
                troubles.append(f"the grader ended with {ran.returncode}: {ran.stderr[-2000:]}")
            deadline = time.monotonic() + 10
            while left_running() and time.monotonic() < deadline:
                time.sleep(0.1)  # the fork server notices that its grader has gone
            troubles += [f"process {pid} is left running" for pid in left_running()]
            after = [state(one) for one in (folder, outside, root / "lib", root / "tools")]
            for was, now in zip(before, after, strict=True):
                troubles += [f"{name} was changed" for name in was.keys() ^ now.keys()]
                troubles += [
                    f"{name} was changed" for name in was.keys() & now.keys() if was[name] != now[name]
                ]
            troubles += [f"{path} is left behind" for path in temporary.iterdir()]
        finally:
            for path in outside.iterdir():
                path.unlink()
            outside.rmdir()
    print(*troubles, sep="\n")
    hostile = sum(not name.startswith(("good_", "sabotaged_", "file_")) for name in due)
    print(f"{len(due)} hand-ins, {hostile} of them hostile, in {took:.0f} s: {len(troubles)} troubles")
    print(walls.ON if walls.ON in ran.stdout else walls.OFF)
    return len(troubles)


def wrong_rows(path: Path, due: dict[str, str]) -> list[str]:
    """What is wrong in the table: rows that are missing, twice, or have not the status that is due."""
    with open(path, newline="", encoding="utf-8") as file:
        rows = [row for row in csv.DictReader(file) if row["exercise"] == NAME]
    found = {row["hand_in"]: row for row in rows}
    troubles = [f"{name!r} has no row" for name in due.keys() - found.keys()]
    troubles += [f"{name!r} was not handed in" for name in found.keys() - due.keys()]
    troubles += [f"{len(rows)} rows for {len(found)} hand-ins"] if len(rows) != len(found) else []
    for name in found.keys() & due.keys():
        if found[name]["status"] not in due[name].split("|"):
            troubles.append(f"{name!r} should be {due[name]}: {json.dumps(found[name])[:400]}")
    return troubles


if __name__ == "__main__":
    raise SystemExit(min(main(), 1))
