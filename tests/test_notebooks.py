"""The committed notebooks: the house's rules, and what an unsolved exercise does to the rest.

That the solved edition runs whole is checked by pytest with nbval: see `lib/testing.py`.
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
from notebook_rules import RULES, Notebook, notebooks_in

from lib import exercises, root
from lib.exercises.copies import every_notebook
from lib.exercises.editions import QUIET, blank, has_tag

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
    found = [f"cell {cell}: {message}" for cell, message in RULES[rule](Notebook(path))]
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
    """A small notebook that keeps every rule."""
    opening = "# Attention\n\nYou will be able to write it. 40 minutes."
    plan = "In 50 minutes: the core. In 90 minutes: the exercises too."
    stub = '"""Easy, 5 minutes."""\ndef f(x):\n    ...'
    book = new_notebook(
        cells=[
            new_markdown_cell(opening, metadata={"slideshow": {"slide_type": "slide"}}),
            new_markdown_cell(plan, metadata={"tags": ["notes"]}),
            new_code_cell("from lib import figures\nfigures.draw_map()", outputs=[picture("a map")]),
            new_markdown_cell("A short paragraph, and a link: [the paper](https://example.org/paper)."),
            new_code_cell(stub, metadata={"tags": ["exercise"]}),
            new_code_cell('check("f", f)', metadata={"tags": ["check"]}, outputs=[printed("Not yet.")]),
            new_code_cell(
                "print(1)",
                metadata={"tags": ["reveal"], "jupyter": {"outputs_hidden": True}},
                outputs=[printed("1")],
            ),
            new_code_cell("1 + 1", metadata={"tags": ["stretch"]}),
        ],
        metadata={"kernelspec": {"name": "python3", "display_name": "Python 3", "language": "python"}},
    )
    for number, cell in enumerate((cell for cell in book.cells if cell.cell_type == "code"), start=1):
        cell.execution_count = number
    return book


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


def put(cell: int, **fields: Any) -> Callable[[nbformat.NotebookNode], None]:
    """A change to one cell of the good notebook."""
    return lambda book: book.cells[cell].update(fields)


def tag(cell: int, *tags: str) -> Callable[[nbformat.NotebookNode], None]:
    """Other tags for one cell of the good notebook."""
    return lambda book: book.cells[cell].metadata.update(tags=list(tags))


def widget_alone(book: nbformat.NotebookNode) -> None:
    data = {"application/vnd.jupyter.widget-view+json": {"model_id": "x"}}
    book.cells[7].outputs = [new_output("display_data", data=data)]


def more_core(book: nbformat.NotebookNode) -> None:
    book.cells[3:3] = [new_markdown_cell("One more.") for _ in range(30)]


BROKEN: list[tuple[str, Callable[[nbformat.NotebookNode], None]]] = [
    ("size", put(7, source="x = 1\n" * 31)),
    ("size", lambda book: book.metadata.update(long="x" * 1_600_000)),
    ("kernel", lambda book: book.metadata.pop("kernelspec")),
    ("order", put(7, execution_count=9)),
    ("order", put(7, execution_count=None)),
    ("clean", lambda book: book.metadata.update(widgets={})),
    ("clean", put(7, outputs=[new_output("error", ename="ValueError", evalue="", traceback=[])])),
    ("clean", put(7, outputs=[printed("careful", "stderr")])),
    ("clean", put(7, outputs=[printed("saved in /home/ada/model")])),
    ("clean", put(7, outputs=[html("<p>/Users/ada/model</p>")])),
    ("clean", put(7, source='folder = root / "/tmp/model"')),
    ("clean", put(7, source='folder = "/var/tmp/model"')),
    ("offline", put(3, source="![a curve](https://example.org/curve.png)")),
    ("offline", put(3, source='<script src="https://example.org/d3.js"></script>')),
    ("offline", put(7, outputs=[html('<link href="//example.org/style.css">')])),
    ("offline", put(7, outputs=[html("<script>import('https://unpkg.com/d3')</script>")])),
    ("readable", put(3, source="![](curve.png)")),
    ("readable", put(7, outputs=[picture("")])),
    ("readable", put(7, outputs=[html('<img src="data:image/png;base64,AAAA">')])),
    ("readable", widget_alone),
    ("reveal", lambda book: book.cells[6].metadata.pop("jupyter")),
    ("opening", put(0, source="Attention. You will be able to write it. 40 minutes.")),
    ("opening", put(0, source="# Attention\n\nYou will be able to write it.")),
    ("opening", put(0, source="# Attention\n\n40 minutes.")),
    ("opening", put(2, source="1")),
    ("core", more_core),
    ("core", tag(3, "stretch")),
    ("exercise", tag(5)),
    ("exercise", tag(4)),
    ("exercise", put(4, source="def f(x):\n    ...")),
    ("exercise", put(5, source="check(f)")),
    ("lecture", lambda book: book.cells[0].metadata.pop("slideshow")),
    ("lecture", tag(1)),
    ("lecture", put(1, source="Go slowly.")),
    ("widgets", put(7, source="figures.explore(f)\n" * 3)),
    ("lecture", put(7, source="x = 1\n" * 9, metadata={"slideshow": {"slide_type": "slide"}})),
    ("prose", put(3, source="A colour-blind reader.")),
    ("prose", put(3, source="Well done! \N{PARTY POPPER}")),
    ("prose", put(3, source="word " * 91)),
    ("imports", put(2, source="import transformers, draw_map")),
    ("imports", put(7, source="from tqdm.auto import tqdm")),
    ("imports", put(7, source="import sentence_transformers")),
    ("paths", put(7, source='open("notes.txt")')),
    ("paths", put(7, source='folder = pathlib.Path("data") / "reader"')),
    ("paths", put(7, source="%cd data")),
    ("paths", put(7, source="import os; os.chdir(root)")),
]


def broken_rules(book: nbformat.NotebookNode, folder: Path) -> set[str]:
    """The names of the rules that a notebook breaks."""
    path = folder / "00_a.ipynb"
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
    book.cells[3].source = (
        "Write `colour` and/or $\\text{normalise}$; a head/tail; see https://example.org/home.html, "
        "/var/tmp, the size 1/2, and [code](https://example.org/model.py)."
    )
    book.cells[7].source = 'shape = "[batch, length]"\n%time x = open(root / "a.txt")\nx?'
    assert broken_rules(book, tmp_path) == set()


def test_checkpoints_of_jupyter_are_no_notebooks(tmp_path: Path) -> None:
    for name in ("00_a.ipynb", ".ipynb_checkpoints/00_a-checkpoint.ipynb"):
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text("{}", encoding="utf-8")
    assert notebooks_in([tmp_path]) == [tmp_path / "00_a.ipynb"]


def test_an_exercise_belongs_to_a_notebook_of_its_module() -> None:
    """Its notebook's name begins with the number of the package, or module, that defines it."""
    names = {path.stem for path in (root / "lib" / "exercises").glob("nb[0-9][0-9]*")}
    assert {f"nb{exercise.notebook[:2]}" for exercise in exercises.all()} <= names
