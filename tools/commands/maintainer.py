"""What maintainers and CI type: `test`, `bench`, `site`, `refresh`, `glossary`, `seminar` and `new`."""

from enum import StrEnum
from pathlib import Path
from typing import Annotated

import typer

from tools.commands.lecturer import Extra

PANEL = "For maintainers"

app = typer.Typer()


@app.command(rich_help_panel=PANEL)
def test(
    fast: Annotated[bool, typer.Option("--fast", help="style, types and unit tests only: 7 minutes")] = False,
    everything: Annotated[
        bool,
        typer.Option("--all", help="also the slow tests: all of a corpus, every notebook in the browser"),
    ] = False,
) -> None:
    """Run the tests of the course (half an hour on two cores).

    In order: style (ruff), types (mypy), unit tests, every notebook in its solved edition, and a
    notebook or two in a real browser (where Chromium is installed). It needs no network. A test that
    fails is named at once. A summary comes last, also after Ctrl+C, and the exit status is 0 only if
    everything passed.

    Example: `python course.py test --fast`
    """
    from tools.testing import Extent, run_tests

    if fast and everything:
        raise typer.BadParameter("--fast and --all contradict each other: choose one.")
    extent = Extent.FAST if fast else Extent.ALL if everything else Extent.USUAL
    raise typer.Exit(0 if run_tests(extent) else 1)


class Part(StrEnum):
    """What can be measured: functions of `tools.bench`."""

    SPEED = "speed"
    IMPORTS = "imports"
    CHECK = "check"
    NOTEBOOKS = "notebooks"
    PRETRAINING = "pretraining"
    FINETUNING = "finetuning"


@app.command(rich_help_panel=PANEL)
def bench(
    parts: Annotated[list[Part] | None, typer.Argument(help="what to measure; by default everything")] = None,
) -> None:
    """Measure the course on this machine and print tables (about half an hour, most of it the notebooks).

    speed: our BERT beside that of transformers, forward and backward. imports: what `import lib.bert` costs
    over `import torch`. check: the check of one exercise. notebooks: seconds and peak memory of each.
    pretraining: pieces a second beside transformers. finetuning: an epoch of reviews beside the Trainer of
    transformers.

    Close other programs first: the figures are medians, but a busy machine shifts them all.

    Examples: `python course.py bench` and `python course.py bench speed imports`
    """
    from tools import bench as measurements

    print(measurements.heading(), flush=True)
    for part in parts or Part:
        print(f"\n{getattr(measurements, part)()}", flush=True)


@app.command(rich_help_panel=PANEL)
def site(output: Annotated[Path, typer.Option("-o", help="the folder to write the pages to")]) -> None:
    """Write the course as a book of pages for a browser: with the stored outputs, and nothing is run.

    Open its `index.html`, from a disk or a server: it asks nothing of the network. A result waits for the
    reader's prediction; of lecturers' notes, solutions and verdicts nothing is in it. Two builds are the same
    to the byte. It is written whole or not at all, and a folder that holds something else is not touched.

    Example: `python course.py site -o site`
    """
    from tools.book import build

    account = build.build(output)
    print(f"{account.folder / 'index.html'}\n{account.pages} pages, {account.megabytes:.0f} MB")


@app.command(rich_help_panel=PANEL)
def refresh(
    notebooks: Annotated[list[str], typer.Argument(help="numbers (05), names or paths")],
    extra: Extra = None,
) -> None:
    """Run the solved edition of notebooks and store its outputs in the committed files.

    For maintainers, after an edit. Exercise cells store nothing, check cells what they print before
    anything is written, reveal cells are folded. A notebook that raises, or writes to stderr, is
    left as it was.

    Example: `python course.py refresh 05 09`
    """
    import time

    from lib.exercises import registry
    from tools import copies, editions
    from tools.kernel import bind_jupyter_to_this_python

    bind_jupyter_to_this_python()
    exercises = registry.with_extra(extra)
    failed = 0
    for notebook in notebooks:
        path = copies.find_file(notebook)
        begin = time.perf_counter()
        try:
            editions.refresh(path, exercises)
        except editions.RefreshFailed as error:
            failed += 1
            print(f"{error}\n{path.name}: left as it was.", flush=True)
        else:
            print(f"{path.name}: refreshed in {time.perf_counter() - begin:.0f} s", flush=True)
    raise typer.Exit(min(failed, 1))


@app.command(rich_help_panel=PANEL)
def glossary() -> None:
    """Write `docs/glossary.md` from the notebooks: each term in the sentence that explains it first.

    A notebook marks the term in that sentence by `<dfn>` and `</dfn>`. The page is never edited by hand.

    Example: `python course.py glossary`
    """
    from tools import copies, glossary

    print(glossary.write(copies.every_notebook()))


@app.command(rich_help_panel=PANEL)
def seminar() -> None:
    """Write the pages of the seminar, one a paper, into `docs/seminar`.

    What they say of the course is computed from records and errata, so run it after these change. The
    texts stand in `tools/papers`; only `roles.md` is written by hand.

    Example: `python course.py seminar`
    """
    from tools import seminar

    for path in seminar.write():
        print(path)


@app.command(rich_help_panel=PANEL)
def new(
    notebook: Annotated[str, typer.Argument(help="its number, such as 05")],
    name: Annotated[str, typer.Argument(help="of the function, class or variable that the learner writes")],
) -> None:
    """Write the skeleton of an exercise and of its answers, and print where they are.

    What has to be filled in is marked TODO; CONTRIBUTING says what each part is for.

    Example: `python course.py new 05 no_mask`
    """
    from tools import skeleton

    for path in skeleton.write(notebook, name):
        print(path)
