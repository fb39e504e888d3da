"""Grading hand-ins: a right row for each, whatever is in them."""

from __future__ import annotations

import csv
import io
import json
import math
import re
import sys
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Any

import nbformat
import pytest
from programs import python
from sabotage.hand_ins import (
    FILES,
    GOOD,
    IMPORTS,
    NAME,
    NOTEBOOK,
    RIGHT,
    SABOTAGED,
    SIGNATURE,
    STUB,
    Case,
    notebook,
)
from typer.testing import CliRunner

from lib import exercises, root
from lib.bert import attention
from lib.exercises import registry, sandbox
from lib.exercises.report import Report
from lib.exercises.solutions import runnable_source, solution_source
from lib.exercises.spec import Exercise, Invariant
from tools import editions, grading
from tools.__main__ import app
from tools.commands import lecturer
from tools.hand_ins import HandedIn, plain_python

ATTENTION = exercises.get(NAME)
STEM = Path(NOTEBOOK).stem
ONE = {NAME: ATTENTION}
SLOW = {kind for kind, case in SABOTAGED.items() if case.status == "timeout"}


def judged(cells: tuple[str, ...], seconds: float = 60.0) -> Report:
    """The verdict on the attention exercise in a hand-in with these code cells."""
    return sandbox.run(ATTENTION, HandedIn(list(enumerate(cells, 1)), NAME), seconds)


def hand_in(folder: Path, name: str, cells: tuple[str, ...]) -> None:
    path = folder / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(notebook(cells), "utf-8")


def statuses(folder: Path, known: Mapping[str, Exercise]) -> dict[tuple[str, str], str]:
    rows = grading.grade(folder, known, folder.parent / "grades.csv", seconds=60)
    return {(row.hand_in, row.exercise): row.report.status for row in rows}


@pytest.mark.parametrize("kind", [*GOOD, *SABOTAGED])
def test_each_hand_in_gets_its_row(kind: str) -> None:
    case: Case = {**GOOD, **SABOTAGED}[kind]
    report = judged(case.cells, 0.5 if kind in SLOW else 60.0)
    assert (report.status, report.mistake or "") == (case.status, case.mistake), str(report)
    assert report.passed == (case.status == "passed")
    assert report.message


def test_a_class(tmp_path: Path) -> None:
    folder = tmp_path / "class"
    due = {}
    for kind in ("endless_and_deaf", "sys_exit", "os_exit", "crash", "check_shadowed", "alias"):
        due[kind] = SABOTAGED[kind].status
        hand_in(folder, f"{kind}/{NOTEBOOK}", SABOTAGED[kind].cells)
    for kind, case in GOOD.items():
        due[kind] = case.status
        hand_in(folder, f"{kind}/{NOTEBOOK}", case.cells)
    for kind, text in FILES.items():
        due[kind] = "unreadable"
        (folder / kind).mkdir()
        (folder / kind / NOTEBOOK).write_text(text, "utf-8")
    rows = grading.grade(folder, registry.course(), tmp_path / "grades.csv", seconds=1)
    names = [e.name for e in exercises.all() if e.notebook == STEM]
    assert [(row.hand_in, row.exercise) for row in rows] == [
        (learner, name) for learner in sorted(due) for name in names
    ]
    found = {row.hand_in: row.report.status for row in rows if row.exercise == NAME}
    assert found == due
    for row in rows:
        assert row.report.status in grading.STATUSES
        assert (row.report.status == "unreadable") == (row.hand_in in FILES)
    summary = grading.summary(rows)
    assert "unreadable" in summary
    assert f"1  no_scale in {NAME}" in summary


def test_the_table(tmp_path: Path) -> None:
    report = Report(False, "Two\nlines, and a comma.", "no_scale", seconds=0.123)
    row = grading.Verdict("ann", STEM, NAME, report)
    table = grading.Grades(tmp_path / "new" / "grades.csv")
    table.append(row)
    text = (tmp_path / "new" / "grades.csv").read_text("utf-8")
    assert text.splitlines()[0] == "hand_in,notebook,exercise,status,mistake,message,seconds"
    (read,) = csv.DictReader(text.splitlines())
    assert read == {
        "hand_in": "ann",
        "notebook": STEM,
        "exercise": NAME,
        "status": "failed",
        "mistake": "no_scale",
        "message": "Two lines, and a comma.",
        "seconds": "0.12",
    }
    table.finish({row: 0})
    assert (tmp_path / "new" / "grades.csv").read_text("utf-8") == text
    assert [path.name for path in (tmp_path / "new").iterdir()] == ["grades.csv"]


def test_files_side_by_side_and_in_folders(tmp_path: Path) -> None:
    right = GOOD["plain"].cells
    hand_in(tmp_path, "ann.ipynb", right)  # by what it defines
    hand_in(tmp_path, "05_ben.ipynb", right)  # by its number
    hand_in(tmp_path, "cleo_05_attention (1).ipynb", right)  # by the notebook's name
    hand_in(tmp_path, f"dora/week 3/{NOTEBOOK}", right)
    hand_in(tmp_path, f"emil/{NOTEBOOK}", right)
    hand_in(tmp_path, "emil/05_attention-Copy1.ipynb", GOOD["blank"].cells)
    hand_in(tmp_path, f"emil/.ipynb_checkpoints/{NOTEBOOK}", right)
    hand_in(tmp_path, f"__MACOSX/dora/._{NOTEBOOK}", right)
    hand_in(tmp_path, "frida.ipynb", ("print('hello')",))
    (tmp_path / "notes.txt").write_text("not a notebook")
    (tmp_path / "folder.ipynb").mkdir()
    assert statuses(tmp_path, ONE) == {
        ("05_ben", NAME): "passed",
        ("ann", NAME): "passed",
        ("cleo_05_attention (1)", NAME): "passed",
        ("dora/week 3", NAME): "passed",
        ("emil/05_attention", NAME): "passed",
        ("emil/05_attention-Copy1", NAME): "blank",
        ("folder.ipynb", ""): "missing",  # a folder, and empty
        ("frida", ""): "missing",
    }


def test_an_unreadable_file_has_a_row_for_each_exercise_its_name_points_to(tmp_path: Path) -> None:
    (tmp_path / "05_attention.ipynb").write_text("nothing")
    (tmp_path / "essay.ipynb").write_bytes(b"\xff\xfe\x00")
    rows = grading.grade(tmp_path, registry.course(), tmp_path / "grades.csv")
    names = [exercise.name for exercise in exercises.all() if exercise.notebook == STEM]
    assert [row.exercise for row in rows] == [*names, ""]
    assert {row.report.status for row in rows} == {"unreadable"}


def test_all_that_is_handed_in_has_a_row(tmp_path: Path) -> None:
    folder, right = tmp_path / "class", GOOD["plain"].cells
    for name in ("Section A/ann/05_Attention.IPYNB", "Section A/bob/05_attention.ipynb",
                 "Section B/cleo/05.ipynb", "Zoë Müller/05_attention (1).ipynb",
                 "Zoë Müller/05_attention-Copy1.ipynb", "77_attention.ipynb", "dan.ipynb.txt", "eve.ipynb",
                 "eve/05_attention.ipynb", "same.ipynb", "same.IPYNB"):  # fmt: skip
        hand_in(folder, name, right)
    hand_in(folder, "Section A/ann/.ipynb_checkpoints/05_attention-checkpoint.ipynb", right)
    hand_in(folder, "__MACOSX/ann/._05_attention.ipynb", right)
    for name, content in {
        "fay.zip": b"PK", "Section A/gil/05_attention.tar.gz": b"", "hal/05_attention.py": b"def f(): pass",
        "ina.html": b"<html>", "jon.py": b"import torch", "kim/05_attention.ipynb": b"",
        "lea/work/notes.pdf": b"", "Section A/ann/images/mask.png": b"", "Section B/.hidden": b"",
        "roster.csv": b"", "README.md": b"", ".hidden.ipynb": b"", "index.html": b"<html>",
    }.items():  # fmt: skip
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_bytes(content)
    for empty in ("max", "Section A/nan", "oda/.ipynb_checkpoints"):
        (folder / empty).mkdir(parents=True)
    (tmp_path / "elsewhere").mkdir()
    hand_in(tmp_path, "elsewhere/05_attention.ipynb", right)
    (folder / "pia").mkdir()
    (folder / "pia" / NOTEBOOK).symlink_to(tmp_path / "elsewhere" / NOTEBOOK)
    (folder / "rob.ipynb").symlink_to(tmp_path / "nowhere")
    (folder / "quin").symlink_to(tmp_path / "elsewhere")
    found = {
        entry.learner: entry.trouble if entry.cells is None else ""
        for entry in grading.read_folder(folder, ONE)
    }
    why = "The file cannot be read as a notebook: "
    assert found == {
        "77_attention": "", "Section A/ann": "", "Section A/bob": "", "Section B/cleo": "", "dan.ipynb": "",
        "Zoë Müller/05_attention (1)": "", "Zoë Müller/05_attention-Copy1": "", "eve": "",
        "eve/05_attention": "", "same.ipynb": "", "same.IPYNB": "",
        "fay": f"{why}unpack it first", "Section A/gil": f"{why}unpack it first",
        "hal": "There is no notebook in this folder: 05_attention.py, a program in Python.",
        "kim": f"{why}it is empty",
        "lea": "There is no notebook in this folder: work.",
        "max": "There is no notebook in this folder: it is empty.",
        "Section A/nan": "There is no notebook in this folder: it is empty.",
        "oda": "There is no notebook in this folder: .ipynb_checkpoints.",
        "pia": f"{why}it is a link", "rob": f"{why}it is a link", "quin": f"{why}it is a link",
    }  # fmt: skip
    rows = grading.grade(folder, ONE, tmp_path / "grades.csv", seconds=60)
    assert {row.hand_in for row in rows} == found.keys() and len(rows) == len(found)
    assert {row.hand_in for row in rows if row.report.status == "passed"} == {
        n for n, why in found.items() if not why
    }
    assert {row.hand_in for row in rows if row.report.status == "missing"} == {
        n for n, why in found.items() if why.startswith("There is no notebook")
    }


SIDE_BY_SIDE = {  # the content, and what is wrong with it, if anything is
    **dict.fromkeys(["dora.json", "eli.txt", "fay.ipynb.txt", "ole"], ("notebook", "")),
    "gus.html": ("<html>", "it is a page of HTML: save the notebook itself"),
    "hal.pdf": ("%PDF-1.4", "it is a page in PDF (.pdf): hand in the notebook itself"),
    "ida.md": ("# Answers", "it is a page in Markdown (.md): hand in the notebook itself"),
    "jim.docx": ("PK", "it is a document of Word (.docx): hand in the notebook itself"),
    "kai.Rmd": ("---", "it is a page in R Markdown (.Rmd): hand in the notebook itself"),
    "liv.qmd": ("---", "it is a page for Quarto (.qmd): hand in the notebook itself"),
    "mia.png": ("PNG", "it is a picture (.png): hand in the notebook itself"),
    "ned.dib": ("#!meta", "it is a notebook of Polyglot (.dib): hand in the notebook itself"),
    "ria.txt": ("def f(x): return x", "it is not JSON (Expecting value: line 1 column 1 (char 0))"),
    "sam.json": ("{}", "it is JSON, but not a notebook"),
    "hw1_eli_2026-01-02_05_attention.ipynb": ("notebook", ""),
}
NO_HAND_INS = {"hw1_eli_2026-01-02.txt": "Name: Eli", "old.csv": ",".join(grading.COLUMNS), "desktop.ini": ""}


def test_side_by_side_each_file_is_a_hand_in(tmp_path: Path) -> None:
    for name, (content, _) in SIDE_BY_SIDE.items():
        (tmp_path / name).write_text(notebook(GOOD["plain"].cells) if content == "notebook" else content)
    for name, content in NO_HAND_INS.items():
        (tmp_path / name).write_text(content)
    found = {entry.path.name: entry.trouble for entry in grading.read_folder(tmp_path, ONE)}
    why = "The file cannot be read as a notebook: "
    assert found == {name: trouble and why + trouble for name, (_, trouble) in SIDE_BY_SIDE.items()}


def test_beside_folders_of_learners_a_file_is_nobodys_and_is_named(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    hand_in(tmp_path / "class", "123-45 - Ann Lee - Jan 2/05_attention.json", GOOD["plain"].cells)
    hand_in(tmp_path / "class", "ben.json", GOOD["blank"].cells)
    hand_in(tmp_path / "class", "Zoe_1_file_/05_attention.ipynb", GOOD["blank"].cells)
    for name in (
        "index.html", "roster.csv", "jim.docx", "123-45 - Ann Lee - Jan 2/data.json", "submissions.zip",
        "Zoe_1_onlinetext_/onlinetext.html", "Zoe_1_file_/05_attention.zip",
    ):  # fmt: skip
        (tmp_path / "class" / name).parent.mkdir(exist_ok=True)
        (tmp_path / "class" / name).write_text("{}")
    found = statuses(tmp_path / "class", ONE)
    ann = ("123-45 - Ann Lee - Jan 2", NAME)
    assert found == {("Zoe_1_file_", NAME): "blank", ann: "passed", ("ben", NAME): "blank"}
    named = "Zoe_1_file_/05_attention.zip, Zoe_1_onlinetext_, index.html, jim.docx, roster.csv"
    assert f"Passed over, as nobody's hand-in: {named}, submissions.zip." in capsys.readouterr().err


def test_a_file_with_answers_to_several_notebooks_has_rows_for_each(tmp_path: Path) -> None:
    names = [NAME, "causal_mask", "split_heads", "silence_head"]
    both = (IMPORTS, RIGHT, "def causal_mask(length): pass", "def split_heads(x): ...\nsilence_head = ...")
    hand_in(tmp_path, "ann.ipynb", both)
    hand_in(tmp_path, "ben/06_multi_head_attention.ipynb", both)
    found = statuses(tmp_path, {name: exercises.get(name) for name in [*names, "gelu"]})
    assert list(found) == [(learner, name) for learner in ("ann", "ben") for name in names]


@pytest.mark.parametrize("as_lines", [True, False])
def test_notebooks_of_older_versions_are_read(as_lines: bool) -> None:
    source: Any = ["a = 1\n", "b = 2"] if as_lines else "a = 1\nb = 2"
    cell = {"cell_type": "code", "language": "python", "input": source, "outputs": []}
    text = {"cell_type": "markdown", "source": source}
    sheet = {"cells": [text, cell]}
    for count, numbers in ((1, [2]), (2, [2, 4])):
        old = {"nbformat": 3, "worksheets": [sheet] * count}
        assert grading.code_cells(json.dumps(old)) == [(number, "a = 1\nb = 2") for number in numbers]
    raw = {"nbformat": 4, "cells": [cell | {"cell_type": "raw"}, cell]}
    assert [number for number, _ in grading.code_cells(json.dumps(raw))] == [2]
    for odd in ("[]", "{}", '{"cells": 3}', '{"cells": [3]}', '{"worksheets": []}', "null"):
        with pytest.raises(ValueError, match="not a notebook"):
            grading.code_cells(odd)


# --- what of a notebook is run --------------------------------------------------------------------


def with_dim(dim: str) -> str:
    """The right answer, if `dim` is -1."""
    return RIGHT.replace("dim=-1", f"dim={dim}")


def as_call(function: str) -> str:
    """An answer that passes the work on."""
    return f"{SIGNATURE}    return {function}(query, key, value, mask)"


MODULES = "import math, torch"
MINE = RIGHT.replace(NAME, "mine")
IN_A_BRANCH = "if True:\n" + "".join(f"    {line}\n" for line in RIGHT.splitlines())
LEANING = {
    # on names of other cells: before, after, changed in place
    "helper_later": ("passed", (MODULES, with_dim("LAST"), "LAST = -1")),
    "helper_of_helper": ("passed", (MODULES, "ONE = 1", with_dim("LAST"), "LAST = -ONE")),
    "alias_of_import": ("passed", ("import torch", "import math as m\nmath = m", RIGHT)),
    "star": ("passed", ("import torch\nfrom math import *", RIGHT.replace("math.", ""))),
    "appended": ("passed", (MODULES, "box = []", "box.append(-1)", with_dim("box[0]"))),
    "item": ("passed", (MODULES, "box = {}", "box['a'] = -1", with_dim("box['a']"))),
    "attribute": ("failed", (MODULES, "class box: pass", "box.dim = -2", with_dim("box.dim"))),
    # bound in other ways
    "renamed": ("passed", (MODULES, MINE, f"{NAME} = mine")),
    "in_a_tuple": ("passed", (MODULES, MINE, f"{NAME}, other = mine, 3")),
    "in_a_branch": ("passed", (MODULES, IN_A_BRANCH)),
    "wrapped": ("failed", (MODULES, RIGHT, f"{NAME} = torch.no_grad()({NAME})")),
    "decorated": ("passed", (MODULES, f"@torch.jit.ignore\n{RIGHT}")),
    "future": ("passed", (f"from __future__ import annotations\n{MODULES}", RIGHT)),
    # what is not needed is not run, and local names need nothing
    "local_names": ("passed", (MODULES, "scores = weights = 1/0", RIGHT)),
    "exit_elsewhere": ("passed", (MODULES, "import os\nos._exit(0)", RIGHT)),
    "called_badly": ("passed", (MODULES, RIGHT, f"print({NAME}(1, 2, 3))", "input()")),
    "no_such_module": ("passed", (MODULES, "import no_such_module", RIGHT)),
    "module_needed": ("error", ("import torch", "import no_such_module as math", RIGHT)),
    "display": ("passed", (MODULES, RIGHT.replace("):\n", "):\n    display(query)\n", 1))),
    # the last binding wins; a cell that Python cannot read binds nothing
    "stub_below": ("blank", (IMPORTS, RIGHT, STUB)),
    "stub_above": ("passed", (IMPORTS, STUB, RIGHT)),
    "solution_above": ("passed", (IMPORTS, f"from lib.bert.attention import {NAME}", RIGHT)),
    "solution_below": ("copied", (IMPORTS, RIGHT, f"from lib.bert.attention import {NAME}")),
    "broken_below": ("passed", (IMPORTS, RIGHT, SIGNATURE + "  (")),
    "not_python": ("passed", (IMPORTS, "\x00", "(" * 5000, RIGHT)),
    # the reference in disguise, and a function of PyTorch that is none
    "inner_import": (
        "copied",
        (f"{SIGNATURE}    from lib.bert.attention import {NAME} as f\n    return f(query, key, value)",),
    ),
    "object": (
        "copied",
        (
            IMPORTS,
            f"class A:\n    def __call__(self, *given): return attention.{NAME}(*given)",
            f"{NAME} = A()",
        ),
    ),
    "lambda": ("copied", (IMPORTS, f"{NAME} = lambda *given: attention.{NAME}(*given)")),
    "pytorch": ("failed", (IMPORTS, as_call(f"torch.nn.functional.{NAME}"))),
}


@pytest.mark.parametrize("kind", LEANING)
def test_what_an_answer_needs_is_run_and_nothing_else(kind: str) -> None:
    status, cells = LEANING[kind]
    report = judged(cells)
    assert report.status == status, str(report)


ADDS = "def f(x): return x + n\n"
ASYNC = "import asyncio\nasync def one():\n    await asyncio.sleep(0)\n    return 1"
PASSES = {  # in the kernel, where each was tried
    "future above": ("from __future__ import annotations", "def f(x: NoSuch) -> Name: return x + 1"),
    "future in its cell": ("from __future__ import annotations\ndef f(x: NoSuch): return x + 1",),
    "future of a class": ("from __future__ import annotations", "class A:\n    n: No = 1", "n = A.n", ADDS),
    "await": (ASYNC, "n = await one()", ADDS),
    "await in its cell": (ASYNC, f"n = 1\nawait one()\n{ADDS}"),
    "await a task": (ASYNC, "task = asyncio.create_task(one())", f"n = await task\n{ADDS}"),
    "await in a list": (ASYNC, f"n = [await one() for _ in '1'][0]\n{ADDS}"),
    "async for": ("async def g(): yield 1", "async for n in g(): pass", f"[y async for y in g()]\n{ADDS}"),
    "async with": (f"{ASYNC}\nasync with asyncio.Lock() as m: n = 1", ADDS),
    "input": ("name = input('Who? ')", f"n = 1\ninput('Enter, please.')\nname.upper()\n{ADDS}"),
    "%time": ("%time n = 1", ADDS),
    "%time of a value": ("n = %time 1\n%prun -q m = 0", "def f(x): return x + n + m"),
    "%time in a branch": ("if True:\n    %time n = 1", ADDS),
    "%%time": ("n = 1", f"\n%%time\n\n{ADDS}"),
    "%%capture and %%time": ("n = 1", f"%%capture\n%%time\n{ADDS}"),
    "a comment and %%time": ("n = 1", f"# mine\n%%time\n{ADDS}"),
    "%%timeit binds nothing": ("n = 1", ADDS, "%%timeit\ndef f(x): pass", "%%bash\nf() { ls; }"),
    "? and !": (f"?len\nlen?\nlen??\n!ls\nfiles = !ls\n%timeit 1\nn = 1\n{ADDS}\n%matplotlib inline",),
    "IPython by name": (f"from IPython import get_ipython\nget_ipython().system('ls')\nn = 1\n{ADDS}",),
    "indented": ("  n = 1", "    def f(x):\n        return x + n"),
    "prompts": (">>> n = 1", "In [2]: def f(x):\n   ...:     return x + n"),
    "match": ("match {'a': [1, 2]}:\n    case {'a': [n, *_], **others}: pass", ADDS),
    "walrus": ("[n := y for y in [1]]", ADDS),
    "what was never run": ("def g(:", "def f(x: return", "t'x'", "n = 1", ADDS),
    "stars": ("from math import *", "n = int(cos(0))", ADDS),
    "shown": ("n = 1", "n", "n;", f"{ADDS}f", "f(1);"),
    "a loop's own": ("for w in '1':\n    v = w\n    n = int(v)", ADDS, "while True:\n    w = v = 1"),
    "a name of with": ("with open('/dev/null') as w: n = 1 - len(w.read())", ADDS, "while True:\n    w = 1"),
    "a helper below": ("def f(x): return one(x)", "def one(x): return x + k.m", "class k: m = 1"),
    "a decorator below": ("@same\ndef f(x): return x + 1", "def same(g): return g"),
    "no number": (f"m = int(input())\n{ADDS}", "n = 1"),
    "no disk": (f"import os\nos.chdir('/content/drive')\nn = 1\n{ADDS}",),
    "no GPU": (f"import torch\nassert 1 == 2\ntorch.cuda.set_device(9)\nn = 1\n{ADDS}",),
    "no command": (f"gpu = !nvidia-smi\nprint(gpu[0])\nexit()\nn = 1\n{ADDS}",),
}  # fmt: skip


def f(x: int) -> int:
    return x + 1


SUM = Exercise("f", STEM, f, cases=lambda seed: [(1,), (2,)], gradients=False)


@pytest.mark.parametrize("kind", PASSES)
def test_what_passes_in_the_kernel_passes_here(kind: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "__main__", sys.modules["__main__"])
    answer = HandedIn(list(enumerate(PASSES[kind], 1)), "f")
    answer.prepare()
    report = answer.judged(SUM, SUM.prepare())
    assert report.passed, str(report)


ONE_FILE = "def one():\n    return 1\n"
PLUS_ONE = "def f(x):\n    return x + one()\n"
MY_F = "def f(x):\n    y = x\n    return y + 1\n"
PLUS_N = "def f(x): return x + n"
EINOPS = "!pip install einops\nimport einops, math"
SHELL = "from IPython import get_ipython\nshell = get_ipython()\n"
BESIDE: dict[str, tuple[dict[str, str], tuple[str, ...], str]] = {  # files, cells, what is said
    # files that the cells write, and files that lay beside the notebook
    "writefile": ({}, (f"%%writefile answers.py\n{MY_F}", "from answers import f"), "passed"),
    "writefile, star": ({}, (f"%%writefile answers.py\n{MY_F}", "from answers import *"), "passed"),
    "helper": ({"helper.py": ONE_FILE}, ("from helper import one", PLUS_ONE), "passed"),
    "called as a folder of ours": ({"data.py": ONE_FILE}, ("from data import one", PLUS_ONE), "passed"),
    "%run": ({"helper.py": ONE_FILE}, ("%run helper.py", PLUS_ONE), "passed"),
    "exec": ({"my_functions.py": MY_F}, ('exec(open("my_functions.py").read())',), "passed"),
    "exec below": ({"a.py": MY_F}, ("with open('a.py') as file: code = file.read()", "exec(code)"), "passed"),
    "%run -i": ({"my a.py": PLUS_N}, ("n = 1", "%%capture\n%run -i '/content/my a'"), "passed"),
    "package": ({"my/__init__.py": "from .a import *", "my/a.py": MY_F}, ("from my import *",), "passed"),
    "append": ({"a.py": ONE_FILE}, (f"%%writefile -a ../a.py\n{PLUS_ONE}", "from a import f"), "passed"),
    "stub below": ({"a.py": MY_F}, ("from a import *", "def f(x):\n    pass"), "blank"),
    "lib.py": ({"lib.py": "1/0", "torch.py": "1/0"}, (f"from lib.bert import heads\n{MY_F}",), "passed"),
    "tools.py": ({"tools.py": ONE_FILE}, ("from tools import one", PLUS_ONE), "passed"),
    # as short as the reference, and the learner's own
    "short": ({"a.py": "def f(x): return x + 1"}, ("exec(open('a.py').read())",), "passed"),
    "short, by its module": ({"a.py": "def g(x): return x + 1"}, ("import a", "f = a.g"), "passed"),
    # what fails says why
    "left out": ({}, ("from helper import one", PLUS_ONE), "error: No such module here: helper."),
    "star left out": ({}, ("from my_f import *",), "error: No such module here: my_f."),
    "package needed": ({}, (EINOPS, "f = lambda x: einops.sum(x)"), "error: No such module here: einops."),
    "package not needed": ({}, (EINOPS, "f = lambda x: math.ceil(x + 1)"), "passed"),
    "broken": ({"a.py": f"{MY_F}def g(:"}, ("from a import f",), "error: Python .* cannot read a.py, line 4"),
    "broken helper": ({"a.py": "g("}, ("from a import one", PLUS_ONE), "error: An import failed: .*a.py"),
    "endless": ({"a.py": f"while True: pass\n{MY_F}"}, ("import a\nf = a.f",), "timeout"),
    # what IPython has
    "Colab?": ({}, ("if 'google.colab' in str(get_ipython()): 1/0\nn = 1", PLUS_N), "passed"),
    "kernel?": ({}, ("n = int('IPKernelApp' in get_ipython().config)", PLUS_N), "passed"),
    "by name": ({}, (f"{SHELL}n = shell.events.register('x', print)\nfiles = !ls\n{MY_F}",), "passed"),
}  # fmt: skip


@pytest.mark.parametrize("kind", BESIDE)
def test_what_a_notebook_leans_on_is_there(kind: str, tmp_path: Path) -> None:
    texts, cells, due = BESIDE[kind]
    files = {name: text.encode() for name, text in texts.items()}
    answer = HandedIn(list(enumerate(cells, 1)), "f", files=files)
    report = sandbox.run(SUM, answer, 1.0 if due == "timeout" else 60.0, folder=str(tmp_path))
    said = " ".join(f"{report.status}: {report.message}".split())
    assert re.match(due, said), said


@pytest.mark.parametrize(
    ("source", "cell"),
    [
        (f"from lib.bert.attention import {NAME}", f"import answers\n{NAME} = answers.{NAME}"),
        (f"{IMPORTS}\n{NAME} = attention.{NAME}", "from answers import *"),
        (f"{IMPORTS}\n{as_call(f'attention.{NAME}')}", "%run answers"),
        (runnable_source(exercises.get("wordpiece")), "from answers import wordpiece"),
        (runnable_source(exercises.get("wordpiece")), "exec(open('answers.py').read())"),
    ],
)
def test_the_courses_own_answer_is_copied_out_of_a_file_too(source: str, cell: str, tmp_path: Path) -> None:
    exercise = ATTENTION if NAME in source else exercises.get("wordpiece")
    answer = HandedIn([(1, cell)], exercise.name, files={"answers.py": source.encode()})
    report = sandbox.run(exercise, answer, 60.0, folder=str(tmp_path))
    assert report.status == "copied", str(report)


def test_nobody_answers_while_an_answer_is_judged(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "__main__", sys.modules["__main__"])
    monkeypatch.setattr(sys, "stdin", io.StringIO())
    for cell in ("def f(x): return x + 1 + len(input())", "input = 1\ndef f(x): return x + input"):
        answer = HandedIn([(1, cell)], "f")
        answer.prepare()
        assert answer.judged(SUM, SUM.prepare()).passed is cell.startswith("input")


def test_what_code_does_not_show_is_found_by_running_all_above(tmp_path: Path) -> None:
    bound = {
        "exec": ("exec('LAST = -1')",),
        "global": ("def setup():\n    global LAST\n    LAST = -1", "setup()"),
        "filled": ("LAST = []\ndef fill(box): box.append(-1)", "fill(LAST)"),
        "slow": ("while True: pass",),
    }
    for name, cells in bound.items():
        answer = with_dim("LAST[0]" if name == "filled" else "LAST")
        hand_in(tmp_path / "class", f"{name}/{NOTEBOOK}", (MODULES, *cells, answer))
    rows = grading.grade(tmp_path / "class", ONE, tmp_path / "grades.csv", seconds=1)
    assert {row.hand_in: row.report.status for row in rows} == {
        "exec": "passed", "filled": "passed", "global": "passed", "slow": "error",
    }  # fmt: skip


@pytest.mark.parametrize(
    ("version", "cells", "message"),
    [
        ("3.99.1", (MODULES, "type Tensor = torch.Tensor", with_dim("NoSuch")), "Python 3.99 and this is 3."),
        (
            "3.99.1",
            (MODULES, f"new'syntax'\n{RIGHT}"),
            "cannot read cell 3, line 1.* Python 3.99 and this is",
        ),
        ("3.99.1", (MODULES, "1"), "No cell defines .* Python 3.99 and this is"),
        ("3.11.0", (MODULES, f"new'syntax'\n{RIGHT}"), r"^Python 3\.\d+ cannot read cell 3, line 1: [^.]*$"),
    ],
)
def test_a_notebook_of_a_newer_python_says_so(
    version: str, cells: tuple[str, ...], message: str, tmp_path: Path
) -> None:
    book = json.loads(notebook(cells))
    book["metadata"] = {"language_info": {"codemirror_mode": {"version": 3}, "version": version}}
    path = tmp_path / "class" / "ann" / NOTEBOOK
    path.parent.mkdir(parents=True)
    path.write_text(json.dumps(book), "utf-8")
    (row,) = grading.grade(path.parents[1], ONE, tmp_path / "grades.csv")
    assert re.search(message, row.report.message, re.DOTALL), row.report.message


@cache
def committed_cells(notebook: str) -> list[tuple[int, str]]:
    """The code cells of a notebook of the course."""
    return grading.code_cells((root / "notebooks" / f"{notebook}.ipynb").read_text("utf-8"))


@pytest.mark.parametrize("exercise", [e for e in exercises.all() if e.by_code], ids=lambda e: e.name)
def test_an_answer_in_its_notebook_passes(exercise: Exercise, monkeypatch: pytest.MonkeyPatch) -> None:
    """Exercises are self-contained: the source of the answer, below the notebook as committed."""
    monkeypatch.setitem(sys.modules, "__main__", sys.modules["__main__"])
    source = f"{runnable_source(exercise)}\n    pass"  # without which it would be copied
    answer = HandedIn([*committed_cells(exercise.notebook), (1000, source)], exercise.name)
    answer.prepare()
    report = answer.judged(exercise, exercise.prepare())
    assert report.status == "passed", str(report)


CHECK_F = "check('f', f)"
ADDS_ONE = "def f(x):\n    return x + 1"
SEEN = {  # the cells, and what is said of them
    "called by its own name": ((ADDS_ONE, CHECK_F, "f = f(5)"), "passed"),
    "a draft below": ((ADDS_ONE, CHECK_F, "def f(x):\n    ..."), "passed"),
    "a global below": ((f"n = 1\n{PLUS_N}", CHECK_F, "n = 2"), "passed"),
    "a helper below": ((ONE_FILE, PLUS_ONE, CHECK_F, "def one():\n    return 2"), "passed"),
    "by another name": (("def f(x):\n    ...", "g = lambda x: x + 1\ncheck('f', g)", CHECK_F), "passed"),
    "wrong when checked": ((ADDS_ONE, "f = f(5)", CHECK_F), "failed"),
    "wrong by another name": (("def f(x):\n    ...", "g = lambda x: x\ncheck('f', g)"), "blank"),
    "a check that is a comment": ((ADDS_ONE, f"# {CHECK_F}", "f = f(5)"), "failed"),
    "a GPU by default": ((f"import torch\ntorch.set_default_device('cuda')\n{ADDS_ONE}",), "passed"),
    "a merge": ((f"<<<<<<< local\n{ADDS_ONE}\n=======\n",), "error: .* both sides of a merge conflict"),
    "fences": ((f"```python\n{ADDS_ONE}\n```",), "error: .* holds ``` of Markdown"),
    "lacking": ((f"cfg = open('no.json')\n{ADDS_ONE}\nf = cfg",), "error: .*FileNotFoundError"),
}


@pytest.mark.parametrize("kind", SEEN)
def test_what_its_check_has_seen_counts(kind: str, tmp_path: Path) -> None:
    cells, due = SEEN[kind]
    hand_in(tmp_path / "class", f"ann/{NOTEBOOK}", cells)
    (row,) = grading.grade(tmp_path / "class", {"f": SUM}, tmp_path / "grades.csv", seconds=60)
    assert re.match(due, f"{row.report.status}: {row.report.message}"), row.report


def test_a_copy_by_another_name_is_none_that_passes(tmp_path: Path) -> None:
    exercise = exercises.get("wordpiece")
    copy = runnable_source(exercise).replace("def wordpiece", "def mine")
    cells = ("def wordpiece(*given):\n    ...", copy, "check('wordpiece', mine)")
    hand_in(tmp_path / "class", f"ann/{exercise.notebook}.ipynb", cells)
    (row,) = grading.grade(tmp_path / "class", {"wordpiece": exercise}, tmp_path / "grades.csv", seconds=60)
    assert row.report.status == "blank"


def test_an_answer_in_a_cell_of_text_is_pointed_out(tmp_path: Path) -> None:
    book = json.loads(notebook((IMPORTS, RIGHT)))
    book["cells"][-1]["cell_type"] = "raw"
    (tmp_path / NOTEBOOK).write_text(json.dumps(book), "utf-8")
    (row,) = grading.grade(tmp_path, ONE, tmp_path / "grades.csv", seconds=60)
    assert re.search(r"Cell \d+ seems to, and is no code", row.report.message)


def test_a_name_that_the_answers_cell_imports_needs_no_cell_above() -> None:
    """Or all training would be run that a notebook does with a name such as `parts`."""
    answer = HandedIn([(1, "pi = 3"), (2, "from math import pi\ndef area(r):\n    return pi * r**2")], "area")
    answer.prepare()
    assert {statement.file for statement in answer.needed} == {"cell 2"}


def test_a_message_names_the_cell() -> None:
    report = judged((IMPORTS, "%%time\n\n" + RIGHT.replace("torch.softmax", "torch.oh")))
    assert report.status == "error"
    assert "cell 2, line 7: weights = torch.oh(scores, dim=-1)" in " ".join(report.message.split())


@pytest.mark.parametrize(
    ("source", "python"),
    [
        ("a = 1", "a = 1"),
        ("%%time\na = 1", "\na = 1"),
        ("%%capture out\na = 1", "\na = 1"),
        ("%%bash\nrm x", ""),
        ("%%html\n<b>", ""),
        ("a = 7 % 2", "a = 7 % 2"),
    ],
)
def test_magics_are_taken_out(source: str, python: str) -> None:
    assert plain_python(source) == python


def test_line_magics_become_python() -> None:
    for source in ("%matplotlib inline\na = 1", "!ls\na = 1", "files = !ls\na = 1", "len?\na = 1"):
        code = plain_python(source)
        compile(code, "cell", "exec")
        assert "a = 1" in code


def test_a_class_that_inherits_from_the_reference_is_copied() -> None:
    from lib.bert.encoder import EncoderLayer

    exercise = Exercise("EncoderLayer", STEM, EncoderLayer, cases=lambda seed: [(1,)], run=lambda given, x: x)
    for source, status in (
        ("from lib.bert.encoder import EncoderLayer", "copied"),
        ("from lib.bert import encoder\nclass EncoderLayer(encoder.EncoderLayer): pass", "copied"),
        ("class EncoderLayer:\n    def __init__(self, config): self.config = config", "passed"),
    ):
        report = sandbox.run(exercise, HandedIn([(1, source)], "EncoderLayer"))
        assert report.status == status, str(report)


def test_an_exercise_may_call_its_own_reference() -> None:
    """Only the learner's calls count: not those with which an exercise sets up or compares."""
    lengths = Exercise(
        "causal_mask",
        STEM,
        attention.causal_mask,
        cases=lambda seed: [(3,)],
        run=lambda given, length: given(length) & attention.causal_mask(length),
        invariants=[
            Invariant("same", "?", lambda given, all_, mask: bool((mask == attention.causal_mask(3)).all()))
        ],
        gradients=False,
    )
    start = "import torch\nfrom lib.bert import attention\ndef causal_mask(length):\n    return "
    for source, status in (
        ("torch.ones(length, length).tril() > 0", "passed"),
        ("attention.causal_mask(length)", "copied"),
    ):
        answer = HandedIn([(1, start + source)], "causal_mask")
        assert sandbox.run(lengths, answer).status == status


def test_values_are_found_too() -> None:
    exercise = Exercise("order", STEM, ["b", "a"], kind="order")
    for source, status in (
        ("order = ['b']\norder.append('a')", "passed"),
        ("order = ...", "blank"),
        ("order = sorted('ab')", "failed"),
        ("order: list = 1/0", "error"),
        ("from lib.exercises import check\ncheck('order', order)", "missing"),
    ):
        report = sandbox.run(exercise, HandedIn([(1, source)], "order"))
        assert report.status == status, str(report)


def test_the_command_line(tmp_path: Path) -> None:
    hand_in(tmp_path / "class", f"ann/{NOTEBOOK}", GOOD["no_scale"].cells)
    extra = tmp_path / "extra"
    extra.mkdir()
    (extra / "mine.py").write_text(
        "from lib.exercises.spec import Exercise\n"
        f"EXERCISES = [Exercise('three', '{STEM}', 3, kind='predict')]\n"
    )
    out = tmp_path / "grades.csv"
    command = ["grade", str(tmp_path / "class"), "-o", str(out), "--extra", str(extra), "--unprotected"]
    ran = CliRunner().invoke(app, command)
    assert ran.exit_code == 0, ran.output
    assert ran.stderr.startswith("Protection: none")
    with open(out, newline="", encoding="utf-8") as file:
        rows = {row["exercise"]: row for row in csv.DictReader(file)}
    assert rows[NAME]["mistake"] == "no_scale"
    assert rows["three"]["status"] == "missing"
    assert rows[NAME]["hand_in"] == "ann"


def test_the_command_line_says_what_is_wrong_in_a_sentence(tmp_path: Path) -> None:
    ran = python("-P", "-m", "tools", "grade", str(tmp_path), "--unprotected")
    assert ran.returncode == 1
    assert ran.stderr.splitlines()[1:] == [f"There is no notebook (.ipynb) in {tmp_path}."]


def test_what_cannot_be_graded_is_said_before_all_exercises_are_imported(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delattr(registry, "with_extra")
    with pytest.raises(ValueError, match="There is no notebook"):
        lecturer.grade(tmp_path, tmp_path / "grades.csv", unprotected=True)


# --- a class that cannot cost a lecturer the grades -----------------------------------------------


def test_a_row_is_in_the_table_as_soon_as_it_is_known(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("ann", "ben", "cleo"):
        hand_in(tmp_path / "class", f"{name}/{NOTEBOOK}", GOOD["plain"].cells)
    table = tmp_path / "grades.csv"
    known: list[list[str]] = []  # to whoever reads the table before each answer

    def verdict(answered: grading.HandIn, *given: Any) -> grading.Verdict:
        known.append([line["hand_in"] for line in csv_rows(table)])
        if answered.learner == "cleo":
            raise KeyboardInterrupt
        report = Report(True, "right", status="passed")
        return grading.Verdict(answered.learner, answered.notebook, NAME, report)

    monkeypatch.setattr(grading, "_verdict", verdict)
    monkeypatch.setattr(grading, "ThreadPoolExecutor", OneByOne)
    monkeypatch.setattr(grading, "as_completed", list)
    with pytest.raises(KeyboardInterrupt):
        grading.grade(tmp_path / "class", ONE, table)
    assert known == [[], ["ann"], ["ann", "ben"]]
    assert [line["hand_in"] for line in csv_rows(table)] == ["ann", "ben"]


class OneByOne:
    """Does what is submitted when it is asked for."""

    def __init__(self, workers: int) -> None:
        self.workers = workers

    def __enter__(self) -> OneByOne:
        return self

    def __exit__(self, *error: object) -> None:
        pass

    def submit(self, function: Any, *arguments: Any) -> Any:
        return Later(function, arguments)

    def shutdown(self, **options: bool) -> None:
        pass


class Later:
    """A result that is made when it is asked for."""

    def __init__(self, function: Any, arguments: tuple[Any, ...]) -> None:
        self.function, self.arguments = function, arguments

    def result(self) -> Any:
        return self.function(*self.arguments)


def csv_rows(path: Path) -> list[dict[str, str]]:
    """The rows of a table."""
    with open(path, newline="", encoding="utf-8") as file:
        return list(csv.DictReader(file))


def test_an_older_table_is_kept(tmp_path: Path) -> None:
    (tmp_path / "grades.csv").write_text("with the lecturer's own remarks")
    grading.Grades(tmp_path / "grades.csv")
    assert (tmp_path / "grades.csv.before").read_text() == "with the lecturer's own remarks"


def test_where_the_table_cannot_be_written_it_is_printed(tmp_path: Path) -> None:
    table = grading.Grades(tmp_path / "grades" / "grades.csv")
    row = grading.Verdict("ann", STEM, NAME, Report(True, "right", status="passed"))
    (tmp_path / "grades" / "grades.csv").unlink()
    (tmp_path / "grades").rmdir()
    (tmp_path / "grades").write_text("a file where a folder was")
    table.append(row)
    with pytest.raises(ValueError, match=f"(?s)ann,{STEM},{NAME},passed.*cannot be written"):
        table.finish({row: 0})


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("=1+1", "'=1+1"),
        ("  =1+1", "'=1+1"),
        ("+1", "'+1"),
        ("-1", "'-1"),
        ("@SUM(A1)", "'@SUM(A1)"),
        ("\tx", "'x"),
        ("a = 1", "a = 1"),
        ("two\nlines", "two lines"),
        ("\udcff \ud800", "\\udcff \\ud800"),
        ("\x00\x1b[31m\u202e", "\\x00\\x1b[31m\\u202e"),
    ],
)
def test_a_cell_is_text_in_every_spreadsheet(text: str, shown: str) -> None:
    cells = grading.Verdict(text, STEM, NAME, Report(False, text, text)).cells()
    assert [cells[0], cells[4], cells[5]] == [shown] * 3


@pytest.mark.parametrize(
    ("folder", "table", "seconds", "says"),
    [
        (".", "grades.csv", 5.0, "There is no notebook"),
        ("nothing", "grades.csv", 5.0, "is no folder"),
        ("class", ".", 5.0, "is a folder"),
        *(("class", "grades.csv", seconds, "is no time") for seconds in (-1.0, 0.0, math.nan, math.inf)),
    ],
)
def test_what_cannot_be_graded_is_said(
    folder: str, table: str, seconds: float, says: str, tmp_path: Path
) -> None:
    if folder == "class":
        hand_in(tmp_path / folder, f"ann/{NOTEBOOK}", GOOD["plain"].cells)
    with pytest.raises(ValueError, match=says):
        grading.grade(tmp_path / folder, ONE, tmp_path / table, seconds)
    assert not (tmp_path / "grades.csv").exists()


def test_answers_that_could_not_be_tried_are_said_loudly(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    hand_in(tmp_path / "class", f"ann/{NOTEBOOK}", GOOD["plain"].cells)
    monkeypatch.setattr(sandbox, "run", lambda *given, **options: Report(False, "not", status="untried"))
    monkeypatch.setattr(registry, "with_extra", lambda folder: ONE)
    with pytest.raises(ValueError, match="1 OF 1 ANSWERS COULD NOT BE TRIED"):
        lecturer.grade(tmp_path / "class", tmp_path / "grades.csv", unprotected=True)
    assert csv_rows(tmp_path / "grades.csv")[0]["status"] == "untried"
    assert "untried" in capsys.readouterr().out


def test_a_link_is_no_hand_in(tmp_path: Path) -> None:
    hand_in(tmp_path, f"ann/{NOTEBOOK}", GOOD["plain"].cells)
    (tmp_path / "ben").mkdir()
    (tmp_path / "ben" / NOTEBOOK).symlink_to(tmp_path / "ann" / NOTEBOOK)
    assert [found.trouble for found in grading.read_folder(tmp_path, ONE)] == [
        "",
        "The file cannot be read as a notebook: it is a link",
    ]


def test_the_source_of_the_reference_is_a_copy_where_it_is_long_enough_to_tell() -> None:
    from tools.hand_ins import _is_copy

    for name, copied in (("wordpiece", True), ("mean_pool", False), ("EncoderLayer", False)):
        source = runnable_source(exercises.get(name))
        answer = HandedIn([(1, f"# mine\n{source}")], name)
        answer.prepare()
        reference = solution_source(exercises.get(name))
        assert _is_copy(answer.needed, name, reference) is copied
        assert not _is_copy(answer.needed, name, f"{reference}\n    pass")


def test_an_extra_exercise_that_python_cannot_read_is_said_in_a_sentence(tmp_path: Path) -> None:
    for source, says in (("def f(:", "Python cannot read"), ("1/0", "ZeroDivisionError")):
        (tmp_path / "mine.py").write_text(source)
        with pytest.raises(ValueError, match=f"mine.py could not be imported.*{says}"):
            registry.with_extra(tmp_path)


def test_an_exercise_cell_that_python_cannot_read_is_not_solved() -> None:
    cell = nbformat.v4.new_code_cell(f"{SIGNATURE}    (", metadata={"tags": ["exercise"]})
    with pytest.raises(ValueError, match="Python cannot read line 2"):
        editions.solve(nbformat.v4.new_notebook(cells=[cell]), ONE)
