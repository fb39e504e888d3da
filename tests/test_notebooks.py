"""The committed notebooks: the house's rules, and what an unsolved exercise does to the rest.

That the solved edition runs whole is checked by pytest with nbval: see `tools/testing.py`.
"""

import copy
import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

import nbformat
import pytest
from nbclient import NotebookClient
from nbformat.v4 import new_code_cell, new_markdown_cell, new_notebook, new_output
from notebook_file import Notebook, committed
from notebook_rules import RULES, notebooks_in

from lib import exercises, root
from tools.copies import every_notebook
from tools.editions import blank
from tools.kernel import QUIET
from tools.notebook_files import has_tag

NOTEBOOKS = every_notebook()
PIXEL = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAAAAAA6fptVAAAACklEQVR4nGNgAAAAAgABSK+kcQAAAABJRU5ErkJggg=="


def strict_failures(book: nbformat.NotebookNode, folder: Path) -> dict[int, str]:
    """Runs a notebook in strict mode past every error; the cells that raised, and what they raised."""
    environment = {**os.environ, **QUIET, "BERT_COURSE_STRICT": "1", "BERT_COURSE_HOME": str(folder / "my")}
    client = NotebookClient(book, timeout=300, kernel_name="python3", allow_errors=True)
    client.execute(env=environment, cwd=str(folder))
    return {
        number: output.ename
        for number, cell in enumerate(book.cells)
        for output in cell.get("outputs", [])
        if output.output_type == "error"
    }


def failures_in_this_process(book: nbformat.NotebookNode) -> dict[int, str]:
    """Runs a notebook of plain Python past every error, without a kernel: the cells that raised, and what."""
    space = {"__name__": "__main__"}  # answers belong to no module, as in a kernel
    raised = {}
    for number, cell in enumerate(book.cells):
        if cell.cell_type == "code":
            try:
                exec(compile(cell.source, f"<cell {number}>", "exec"), space)
            except Exception as error:
                raised[number] = type(error).__name__
    return raised


def failing_checks(book: nbformat.NotebookNode) -> dict[int, str]:
    """What strict mode should do to the edition that nobody has solved."""
    return {number: "CheckFailed" for number, cell in enumerate(book.cells) if has_tag(cell, "check")}


@pytest.mark.parametrize("rule", RULES)
@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_a_notebook_keeps_the_rule(path: Path, rule: str) -> None:
    found = [f"cell {cell}: {message}" for cell, message in RULES[rule](committed(path))]
    assert not found, "\n".join(found)


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_unsolved_exercises_fail_their_checks_and_nothing_else(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The import, exercise and check cells of the committed edition, in strict mode."""
    monkeypatch.setenv("BERT_COURSE_STRICT", "1")
    book = nbformat.read(path, as_version=4)
    assert failures_in_this_process(blank(book)) == failing_checks(book)


@pytest.mark.notebook
@pytest.mark.skipif(not NOTEBOOKS, reason="there are no notebooks yet")
def test_one_unsolved_notebook_runs_whole(tmp_path: Path) -> None:
    """An unsolved exercise breaks nothing that follows: every cell of one committed notebook."""
    path = next((path for path in NOTEBOOKS if path.stem.startswith("05")), NOTEBOOKS[0])
    book = nbformat.read(path, as_version=4)
    assert strict_failures(book, tmp_path) == failing_checks(book)


# ---------------------------------------------------------------------------------------------
# The rules themselves


def good_notebook() -> nbformat.NotebookNode:
    """A small notebook that keeps every rule; its cells are called by their ids."""
    sentence = "Each word of this text says a little. " * 104  # 832 words, 6.4 minutes
    asked = "<details><summary>Answer</summary>Because it is so.</details>\n"
    stub = '"""Easy."""\ndef f(x):\n    ...'
    folded = {"jupyter": {"outputs_hidden": True, "source_hidden": True}}
    cells = [
        text(
            "opening", "# Attention\n\nYou will be able to write it. About 55 minutes.\n\nYou need nothing."
        ),
        code(
            "map",
            "from lib import figures\nfrom lib.exercises import check, hint, solution\nfigures.draw_map()",
            outputs=[picture("a map")],
        ),
        text(
            "notes",
            "In 50 minutes: the core. In 90 minutes: the exercises too."
            "\n\n**If you are late by ten minutes:** skip section 1.",
            "notes",
        ),
        text("problem", f"## 1. The problem (27 min)\n\n{sentence}"),
        code(
            "schematic",
            "# Figure: what flows\n1",
            "schematic",
            outputs=[picture("boxes")],
            jupyter=folded["jupyter"],
        ),
        text("task", "### Exercise 1: write it (18 min)\n\nSee [Ada et al., 2017](https://arxiv.org/abs/1)."),
        code("exercise", stub, "exercise"),
        code("check", 'check("f", f)', "check", outputs=[printed("Not yet.")]),
        text("predict", f"## 2. The result (21 min)\n\n{sentence}"),
        text("task2", "### Exercise 2: read it (12 min)\n\n**Predict:** how many?"),
        code("exercise2", stub.replace("f(", "g("), "exercise"),
        code("check2", 'check("g", g)', "check", outputs=[printed("Not yet.")]),
        code(
            "result", "print(0.4567)", "reveal", outputs=[printed("0.4567")], jupyter={"outputs_hidden": True}
        ),
        text(
            "saw",
            '<details class="saw">\n<summary>What you saw</summary>\n\n'
            "**What you saw.** The share is 46%, as Ada et al. (2017) have it.\n\n</details>",
        ),
        text(
            "known",
            "## What you now know (2 min)\n\n" + "- You know this line of words well.\n" * 5 + sentence[:600],
        ),
        text("quiz", "## Exit quiz (5 min)\n\n" + asked * 3 + sentence[: 38 * 9]),
        text(
            "read",
            "## Read on\n\n[Ada et al., 2017](https://arxiv.org/abs/1), [Bo, 2018](https://doi.org/2).",
        ),
        code("further", "1 + 1", "stretch"),
    ]
    book = new_notebook(
        cells=cells,
        metadata={"kernelspec": {"name": "python3", "display_name": "Python 3", "language": "python"}},
    )
    for number, cell in enumerate((cell for cell in book.cells if cell.cell_type == "code"), start=1):
        cell.execution_count = number
    return book


def text(name: str, source: str, *tags: str) -> nbformat.NotebookNode:
    """A text cell of the good notebook."""
    return new_markdown_cell(source, id=name, metadata=about(tags))


def code(name: str, source: str, *tags: str, outputs: Any = (), jupyter: Any = None) -> nbformat.NotebookNode:
    """A code cell of the good notebook."""
    metadata = about(tags) | ({"jupyter": jupyter} if jupyter else {})
    return new_code_cell(source, id=name, metadata=metadata, outputs=list(outputs))


def about(tags: tuple[str, ...]) -> dict[str, Any]:
    """Metadata: the tags, and what the cell is on a slide."""
    return {"tags": list(tags), "slideshow": {"slide_type": "slide"}}


def picture(alt: str) -> nbformat.NotebookNode:
    """A displayed picture; `alt` is its text alternative."""
    data = {"image/png": PIXEL, "text/html": f'<img alt="{alt}" src="data:image/png;base64,{PIXEL}">'}
    return new_output("display_data", data=data, metadata={"image/png": {"alt": alt}})


def printed(text: str, name: str = "stdout") -> nbformat.NotebookNode:
    """Printed text."""
    return new_output("stream", text=text, name=name)


def html(source: str) -> nbformat.NotebookNode:
    """A displayed piece of HTML."""
    return new_output("display_data", data={"text/html": source})


def put(name: str, **fields: Any) -> Callable[[nbformat.NotebookNode], None]:
    """A change to one cell of the good notebook."""
    return lambda book: cell_of(book, name).update(fields)


def swap(name: str, old: str, new: str) -> Callable[[nbformat.NotebookNode], None]:
    """Other words in one cell of the good notebook."""

    def spoil(book: nbformat.NotebookNode) -> None:
        cell = cell_of(book, name)
        assert old in cell.source
        cell.source = cell.source.replace(old, new)

    return spoil


def tag(name: str, *tags: str) -> Callable[[nbformat.NotebookNode], None]:
    """Other tags for one cell of the good notebook."""
    return lambda book: cell_of(book, name).metadata.update(tags=list(tags))


def unset(name: str, key: str) -> Callable[[nbformat.NotebookNode], None]:
    """One entry less in a cell's metadata."""
    return lambda book: cell_of(book, name).metadata.pop(key)


def cell_of(book: nbformat.NotebookNode, name: str) -> nbformat.NotebookNode:
    """The cell with that id."""
    return next(cell for cell in book.cells if cell.id == name)


def widget_alone(book: nbformat.NotebookNode) -> None:
    data = {"application/vnd.jupyter.widget-view+json": {"model_id": "x"}}
    cell_of(book, "further").outputs = [new_output("display_data", data=data)]


def more_code(book: nbformat.NotebookNode) -> None:
    book.cells[3:3] = [code(f"more{number}", "1") for number in range(26)]


LONG = "x = 1\n"
BROKEN: list[tuple[str, Callable[[nbformat.NotebookNode], None]]] = [
    ("size", put("further", source=LONG * 31)),
    ("size", put("map", source=LONG * 16)),
    ("size", put("exercise", source=LONG * 26)),
    ("size", lambda book: book.metadata.update(long="x" * 1_600_000)),
    ("kernel", lambda book: book.metadata.pop("kernelspec")),
    ("order", put("further", execution_count=9)),
    ("order", put("further", execution_count=None)),
    ("clean", lambda book: book.metadata.update(widgets={})),
    ("clean", put("further", outputs=[new_output("error", ename="ValueError", evalue="", traceback=[])])),
    ("clean", put("further", outputs=[printed("careful", "stderr")])),
    ("clean", put("further", outputs=[printed("saved in /home/ada/model")])),
    ("clean", put("further", outputs=[html("<p>/Users/ada/model</p>")])),
    ("clean", put("further", source='folder = root / "/tmp/model"')),
    ("clean", put("further", source='folder = "/var/tmp/model"')),
    ("offline", put("saw", source="![a curve](https://example.org/curve.png)")),
    ("offline", put("saw", source='<script src="https://example.org/d3.js"></script>')),
    ("offline", put("further", outputs=[html('<link href="//example.org/style.css">')])),
    ("offline", put("further", outputs=[html("<script>import('https://unpkg.com/d3')</script>")])),
    ("readable", put("saw", source="![](curve.png)")),
    ("readable", put("further", outputs=[picture("")])),
    ("readable", put("further", outputs=[html('<img src="data:image/png;base64,AAAA">')])),
    ("readable", widget_alone),
    ("reveal", unset("result", "jupyter")),
    ("opening", swap("opening", "# Attention", "Attention")),
    ("opening", swap("opening", "55 minutes", "an hour")),
    ("opening", swap("opening", "You will be able to write it.", "Write it.")),
    ("opening", put("map", source="1")),
    ("sections", swap("predict", "## 2. ", "## 3. ")),
    ("sections", swap("predict", "## 2. ", "## ")),
    ("sections", swap("predict", " (21 min)", "")),
    ("sections", swap("quiz", "Exit quiz", "Questions")),
    ("clock", swap("problem", "(27 min)", "(17 min)")),
    ("clock", swap("opening", "About 55", "About 50")),
    ("words", swap("problem", "Each word of this text says a little.", "Little.")),
    ("core", more_code),
    ("core", tag("saw", "stretch")),
    ("needs", swap("opening", "You need nothing", "You need notebook 43")),
    ("needs", swap("opening", "You need nothing", "Nothing is asked")),
    ("schematic", tag("schematic")),
    ("folded", swap("schematic", "# Figure: what flows\n", "")),
    ("folded", put("further", source="figures.show(\n    1,\n    2,\n    3,\n    4,\n)")),
    ("result", swap("saw", "**What you saw.** The", "The")),
    ("predictions", put("saw", source="**What you saw.** Ada et al. (2017) were right.")),
    ("predictions", swap("saw", "The share is", "**Predict:** how many? The share is")),
    ("predictions", swap("task2", "**Predict:** how many?", "How many?")),
    ("numbers", swap("saw", "46%", "47%")),
    ("numbers", swap("saw", "46%", "about 70%")),
    ("citations", swap("saw", "Ada et al. (2017)", "Eve et al. (2019)")),
    ("closing", swap("known", "- You", "You")),
    ("closing", swap("quiz", "<details>", "<p>")),
    ("closing", swap("read", "https://doi.org/2", "a book")),
    ("exercise", tag("check")),
    ("exercise", tag("exercise")),
    ("exercise", swap("task", "(18 min)", "")),
    ("exercise", put("check", source="check(f)")),
    ("lecture", unset("saw", "slideshow")),
    ("lecture", tag("notes")),
    ("lecture", put("notes", source="Go slowly.")),
    ("lecture", put("notes", source="50 minutes: the core. 90 minutes: all. **If you are late:** hurry.")),
    ("lecturers_know_no_more", swap("notes", "the exercises too.", "the exercises. Elsewhere it was 71%.")),
    ("lecture", put("result", source=LONG * 11)),
    ("prose", put("saw", source="A colour-blind reader.")),
    ("prose", put("saw", source="Well done! \N{PARTY POPPER}")),
    ("imports", put("map", source="import transformers, draw_map")),
    ("imports", put("further", source="from tqdm.auto import tqdm")),
    ("imports", put("further", source="import sentence_transformers")),
    ("help", swap("map", "check, hint, solution", "check, hint")),
    ("help", swap("map", "from lib.exercises import check, hint, solution", "")),
    ("paths", put("further", source='open("notes.txt")')),
    ("paths", put("further", source='folder = pathlib.Path("data") / "reader"')),
    ("paths", put("further", source="%cd data")),
    ("paths", put("further", source="import os; os.chdir(root)")),
]


#: what only the notebooks of the plain form have to keep
PLAIN: list[tuple[str, Callable[[nbformat.NotebookNode], None]]] = [
    ("plain_code", put("map", source="\n".join(f"(x := {number})" for number in range(6)))),
    ("plain_code", put("map", source="first = 1; second = 2\n" * 6)),
    ("plain_code", put("map", source="[x for y in z for x in y]\n" * 6)),
    ("plain_code", put("map", source="print(), print()\n" * 6)),
    ("plain_code", put("map", source="name = lambda x: x + 1\n" * 6)),
    ("plain_code", put("map", source='f"{1 if x else 2}"\n' * 6)),
    ("plain_code", put("map", source=f"x = {'1 + ' * 25}1\n" * 6)),
    ("plain_code", put("map", source='figures.show(x, ", ".join(y))\n' * 6)),
    ("plain_code", put("schematic", source=LONG * 31)),
    ("few_figures", swap("problem", "Each word", "Each 1")),
    ("few_figures", swap("saw", "46%", "1, 2, 3, 4, 5, 6 and 7")),
    ("the_readers_function_runs", put("result", source="print(train_step)")),
    ("the_readers_function_runs", put("result", source="step = working(train_step)")),
    ("nothing_is_given_away", put("result", source="explore(f)", outputs=[printed("3 of 4")])),
    ("nothing_is_given_away", put("saw", source="**What you saw.** All of them.")),
    (
        "nothing_is_told_in_code",
        put("result", source="figures.draw_bars(a, b, 'The head finds most objects')"),
    ),
    ("own_files", put("map", source="model.save_pretrained(model_folder)")),
]


def plain_notebook() -> nbformat.NotebookNode:
    """The good one, with a function to write that is used, and a question that a value answers."""
    book = good_notebook()
    cell_of(book, "check").source = 'check("train_step", train_step)'
    cell_of(book, "check2").source = 'check("error_kinds", error_kinds)'
    cell_of(book, "result").source = "step = working(train_step)\nstep(model)"
    return book


@pytest.mark.parametrize(("rule", "spoil"), PLAIN, ids=[f"{n}-{rule}" for n, (rule, _) in enumerate(PLAIN)])
def test_each_rule_of_the_plain_form_sees_what_it_is_for(
    rule: str, spoil: Callable[[nbformat.NotebookNode], None], tmp_path: Path
) -> None:
    book = plain_notebook()
    assert rule not in broken_rules(book, tmp_path, "12_a.ipynb")
    spoil(book)
    assert rule in broken_rules(book, tmp_path, "12_a.ipynb")


def broken_rules(book: nbformat.NotebookNode, folder: Path, name: str = "41_a.ipynb") -> set[str]:
    """The names of the rules that a notebook breaks."""
    path = folder / name
    nbformat.write(copy.deepcopy(book), path)
    return {name for name, rule in RULES.items() if list(rule(Notebook(path)))}


def test_a_good_notebook_breaks_no_rule(tmp_path: Path) -> None:
    assert broken_rules(good_notebook(), tmp_path) == set()


@pytest.mark.parametrize(("rule", "spoil"), BROKEN, ids=[f"{n}-{rule}" for n, (rule, _) in enumerate(BROKEN)])
def test_each_rule_sees_what_it_is_for(
    rule: str, spoil: Callable[[nbformat.NotebookNode], None], tmp_path: Path
) -> None:
    book = good_notebook()
    spoil(book)
    assert rule in broken_rules(book, tmp_path)


def test_text_that_only_looks_wrong_breaks_no_rule(tmp_path: Path) -> None:
    book = good_notebook()
    cell_of(book, "saw").source += (
        "\nWrite `colour` and/or $\\text{normalise}$; a head/tail; see https://example.org/home.html, "
        "/var/tmp, the size 1/2, and [code](https://example.org/model.py)."
    )
    cell_of(book, "further").source = 'shape = "[batch, length]"\n%time x = open(root / "a.txt")\nx?'
    assert broken_rules(book, tmp_path) == set()


def test_checkpoints_of_jupyter_are_no_notebooks(tmp_path: Path) -> None:
    for name in ("00_a.ipynb", ".ipynb_checkpoints/00_a-checkpoint.ipynb"):
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text("{}", encoding="utf-8")
    assert notebooks_in([tmp_path]) == [tmp_path / "00_a.ipynb"]


def test_an_exercise_belongs_to_a_notebook_of_its_module() -> None:
    """Its notebook's name begins with the number of the package, or module, that defines it."""
    names = {path.stem for path in (root / "chapters").glob("nb[0-9][0-9]")}
    assert {f"nb{exercise.notebook[:2]}" for exercise in exercises.all()} <= names
