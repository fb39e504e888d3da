"""Hand-ins for notebook 05: good, mistaken, and sabotaged; each with the status that is its due."""

from __future__ import annotations

import json
from dataclasses import dataclass

NOTEBOOK = "05_attention.ipynb"
NAME = "scaled_dot_product_attention"
ROWS = "rows_that_can_be_attention"

IMPORTS = "import math\nimport torch\nfrom lib.bert import attention\nfrom lib.exercises import check, use"
ALL = f"{IMPORTS}\nimport ctypes, json, os, shutil, signal, struct, subprocess, sys, threading, time"
SIGNATURE = f"def {NAME}(query, key, value, mask=None):\n"
BODY = """    scores = query @ key.transpose(-2, -1) / math.sqrt(query.size(-1))
    if mask is not None:
        scores = scores.masked_fill(~mask, -math.inf)
    weights = torch.softmax(scores, dim=-1)
    return weights @ value, weights
"""
RIGHT = SIGNATURE + BODY
STUB = SIGNATURE + '    """query [..., T, d] -> output, weights."""\n'
CHECK = f'check("{NAME}", {NAME})\n'


@dataclass(frozen=True)
class Case:
    """A hand-in: its code cells, and what the grader has to say about the attention exercise."""

    cells: tuple[str, ...]
    status: str
    mistake: str = ""


def body(line: str) -> str:
    """An answer whose function does one thing before it does the right one."""
    return SIGNATURE + "".join(f"    {one}\n" for one in line.split("\n")) + BODY


def does(lines: str, status: str) -> Case:
    """An answer that does something first, and is right then; `a|b`: either is its due."""
    return Case((ALL, body(lines)), status)


GOOD = {
    "plain": Case((IMPORTS, RIGHT, CHECK), "passed"),
    "einsum": Case(
        (
            IMPORTS + "\nimport torch.nn.functional as F",
            SIGNATURE
            + "    scores = torch.einsum('...td,...sd->...ts', query, key) * query.shape[-1] ** -0.5\n"
            "    if mask is not None:\n"
            "        scores = torch.where(mask, scores, torch.full_like(scores, -1e9))\n"
            "    weights = F.softmax(scores, -1)\n"
            "    return [torch.einsum('...ts,...sv->...tv', weights, value), weights]\n",
        ),
        "passed",
    ),
    "blank": Case((IMPORTS, STUB, CHECK), "blank"),
    "missing": Case((IMPORTS, CHECK), "missing"),
    "no_scale": Case((IMPORTS, RIGHT.replace(" / math.sqrt(query.size(-1))", "")), "failed", "no_scale"),
    "late_mask": Case(
        (
            IMPORTS,
            SIGNATURE + "    weights = torch.softmax(query @ key.mT / query.size(-1) ** 0.5, -1)\n"
            "    if mask is not None:\n"
            "        weights = weights * mask\n"
            "    return weights @ value, weights\n",
        ),
        "failed",
        "mask_after_softmax",
    ),
}

SABOTAGED = {
    # code that will not end, or ends too much
    "endless_loop": does("while True: pass", "timeout"),
    "endless_and_deaf": does(
        "while True:\n    try:\n        while True: pass\n    except BaseException: pass", "timeout"
    ),
    "sleeps": does("time.sleep(3600)", "timeout"),
    "sys_exit": does("sys.exit(0)", "error"),
    "os_exit": does("os._exit(0)", "died"),
    "crash": does("ctypes.string_at(0)", "died"),
    "recursion": does(f"return {NAME}(query, key, value, mask)", "error"),
    "closes_everything": does("os.closerange(0, 64)", "died"),
    "kills_its_group": does("os.killpg(0, 9)", "died"),
    "left_running": does(
        "subprocess.Popen([sys.executable, '-c', 'while True: pass'])\nwhile True: pass", "timeout"
    ),
    "threads": does("threading.Thread(target=time.sleep, args=(3600,)).start()", "passed"),
    "reads_input": does("input('continue?')", "error"),
    # code that takes too much
    "ten_gigabytes": does("torch.ones(10 * 2**30 // 4)", "memory"),
    "list_of_all": does("list(range(10**9))", "memory"),
    "million_lines": does("for i in range(10**6): print(i)", "passed"),
    "loud_at_the_top": Case(
        (IMPORTS, RIGHT, "print('x' * 10**7)\nfor i in range(10**6): print(i)"), "passed"
    ),
    # trouble above or below the answer, in its cell
    "loop_above": Case((IMPORTS, "while True: pass\n" + RIGHT), "timeout"),
    "loop_below": Case((IMPORTS, RIGHT + "while True: pass\n"), "timeout"),
    "exit_above": Case((IMPORTS, "import sys\nsys.exit()\n" + RIGHT), "passed"),
    "death_above": Case((IMPORTS, "import os\nos._exit(0)\n" + RIGHT), "died"),
    "gigabytes_above": Case((IMPORTS, "x = torch.ones(10 * 2**30 // 4)\n" + RIGHT), "memory"),
    "lines_above": Case((IMPORTS, "for i in range(10**6): print(i)\n" + RIGHT), "passed"),
    "own_test_below": Case((IMPORTS, RIGHT + "assert False, 'a test of my own'\n"), "passed"),
    "shown_above": Case((IMPORTS, "print(query.shape)\n" + RIGHT + CHECK), "passed"),
    "compared": Case((IMPORTS, f"{RIGHT}x = torch.ones(3, 4)\nattention.{NAME}(x, x, x)"), "passed"),
    # cells that are not what they were
    "check_edited": Case((IMPORTS, RIGHT, 'check("sdpa", None)'), "passed"),
    "check_copied": Case((IMPORTS, STUB, CHECK, RIGHT, CHECK, CHECK), "passed"),
    "check_shadowed": Case((IMPORTS, "check = lambda *a: None", RIGHT, CHECK), "passed"),
    "check_deleted": Case((IMPORTS, RIGHT), "passed"),
    "check_of_another": Case((IMPORTS, RIGHT, f'check("{ROWS}", {NAME})'), "passed"),
    "split": Case(
        (
            IMPORTS,
            SIGNATURE + "    return finish(score(query, key), value, mask)\n",
            CHECK,
            "def score(query, key):\n    return query @ key.mT / root(query)",
            "ROOT = 0.5\nroot = lambda query: query.size(-1) ** ROOT",
            "def finish(scores, value, mask):\n"
            "    if mask is not None:\n"
            "        scores = scores.masked_fill(~mask, -math.inf)\n"
            "    weights = scores.softmax(-1)\n"
            "    return weights @ value, weights",
        ),
        "passed",
    ),
    "last_one_wins": Case((IMPORTS, RIGHT, STUB.replace('"""', "'")), "blank"),
    "imports_gone": Case((RIGHT,), "error"),
    "other_cells_broken": Case(
        (IMPORTS, "1/0", "while True: pass", RIGHT, "def broken(:", "raise SystemExit", CHECK), "passed"
    ),
    "half_a_cell": Case((IMPORTS, SIGNATURE + "    scores = query @"), "error"),
    "magics": Case(
        (IMPORTS + "\n%matplotlib inline\n!ls", "%%time\n" + RIGHT, "%%bash\nrm -rf nothing"), "passed"
    ),
    "not_a_function": Case((IMPORTS, f"{NAME} = 3"), "failed"),
    "raises_at_the_top": Case((IMPORTS, f"{NAME} = undefined_name"), "error"),
    # the course's own answer
    "imports_reference": Case((IMPORTS, f"from lib.bert.attention import {NAME}", CHECK), "copied"),
    "calls_reference": Case(
        (IMPORTS, SIGNATURE + f"    return attention.{NAME}(query, key, value, mask)"), "copied"
    ),
    "alias": Case(
        (
            IMPORTS + f"\nfrom lib.bert.attention import {NAME} as answer",
            SIGNATURE + "    return tuple(answer(query, key, value, mask))",
        ),
        "copied",
    ),
    "assigned": Case((IMPORTS, f"{NAME} = attention.{NAME}"), "copied"),
    "wrapped": Case((IMPORTS, f"import functools\n{NAME} = functools.partial(attention.{NAME})"), "copied"),
}

FILES = {  # not even notebooks: what is in the file
    "not_json": "this is not a notebook",
    "empty": "",
    "half": '{"cells": [{"cell_type": "code", "source": ["import tor',
    "other_json": "[1, 2, 3]",
    "deep": "[" * 100_000,
}


def notebook(cells: tuple[str, ...]) -> str:
    """A notebook file with these code cells."""
    return json.dumps(
        {
            "cells": [
                {"cell_type": "markdown", "metadata": {}, "source": "# Attention"},
                *({"cell_type": "code", "metadata": {}, "source": cell, "outputs": []} for cell in cells),
            ],
            "metadata": {},
            "nbformat": 4,
            "nbformat_minor": 4,
        }
    )
