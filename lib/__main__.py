"""The course's command line: `python -m lib --help`."""

from pathlib import Path
from typing import Annotated

import typer

app = typer.Typer(
    name="python -m lib",
    help="""BERT, inside out: open the course, test it, measure it.

    `python course.py COMMAND` does the same and first installs whatever is missing. The commands
    for lecturers (list the exercises, write the solved edition, grade a folder of hand-ins) are
    under `python -m lib.exercises --help`.""",
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
    rich_markup_mode="markdown",
)


@app.command()
def lab(
    notebook: Annotated[
        str, typer.Argument(help="the number of the notebook to open first, such as 05")
    ] = "00",
    port: Annotated[
        int | None, typer.Option(help="the port to listen on; by default the first free from 8888")
    ] = None,
    browser: Annotated[bool, typer.Option(help="open a web browser, or only print the address")] = True,
) -> None:
    """Open JupyterLab on your own copies of the notebooks.

    The copies are made once, in `my/`, with the answers cleared: write in them as you like, an
    update of the course does not touch them. JupyterLab listens on this machine only and asks
    nothing of the network.

    Example: `python course.py lab 05`
    """
    from lib.exercises import copies  # here, so that --help comes at once
    from lib.lab import open_lab

    own = copies.make_own_copies()
    open_lab(own, copies.find(notebook).name, port, browser)


@app.command()
def test(
    fast: Annotated[
        bool, typer.Option("--fast", help="style, types and unit tests only: about 3 minutes")
    ] = False,
) -> None:
    """Run every test of the course (about half an hour on two cores).

    In order: style (ruff), types (mypy), unit tests, every notebook in its solved edition, and
    the notebooks in a real browser (where Chromium is installed). It needs no network. A summary
    comes last, and the exit status is 0 only if everything passed.
    """
    from lib.testing import run_tests

    raise typer.Exit(0 if run_tests(fast) else 1)


@app.command()
def bench(
    parts: Annotated[
        list[str] | None,
        typer.Argument(help="speed, imports, check, notebooks, wordpiece; by default all"),
    ] = None,
    data: Annotated[
        Path | None,
        typer.Option(help="a folder with wikitext2/valid.txt, for the part wordpiece"),
    ] = None,
) -> None:
    """Measure the course on this machine and print a table (about ten minutes).

    speed: our BERT beside that of transformers, forward and backward. imports: what `import
    lib.bert` costs over `import torch`. check: one exercise's check. notebooks: seconds and peak
    memory of each. wordpiece: our word pieces against those of transformers, on a whole corpus.
    Close other programs first; the figures are medians.

    Examples: `python course.py bench` and `python course.py bench speed imports`
    """
    from lib.bench import run_bench

    run_bench(parts or None, data)


@app.command()
def reset(
    notebook: Annotated[str, typer.Argument(help="the notebook's number, such as 05")],
) -> None:
    """Start over with one notebook; what you wrote is kept beside it under another name.

    Example: `python course.py reset 05`
    """
    from lib.exercises import copies

    print(copies.reset(notebook))


if __name__ == "__main__":
    app()
