"""`python course.py records`: list, show and run what is recorded."""

from typing import Annotated

import typer

app = typer.Typer(
    help="""The records of studies: runs too long for a notebook, kept in data/records with commit, date,
    machine and seeds. `list` them, `show` one, `run` one again.

    Example: `python course.py records list`""",
    no_args_is_help=True,
)


@app.command("list")
def list_records() -> None:
    """List the records there are, and the studies that have none yet.

    Example: `python course.py records list`
    """
    from lib.records import record
    from studies import registry

    for name in record.names():
        print(f"{name}: {record.about(name)}")
    for name in sorted(set(registry.names()) - set(record.names())):
        print(f"{name}: not recorded yet")


@app.command("show")
def show_record(name: Annotated[str, typer.Argument(help="a name from `list`")]) -> None:
    """Print one record: how it was made, and a line for each run.

    Example: `python course.py records show NAME`
    """
    from lib.records import record
    from studies.registry import misfits

    print(record.about(name))
    for changed in misfits(name):
        print(f"It no longer fits: {changed}.")
    print("\n".join(record.lines(name)))


@app.command("run")
def run_record(name: Annotated[str, typer.Argument(help="a name from `list`")]) -> None:
    """Run what a study's record lacks, or would have otherwise now. It can take hours.

    Example: `python course.py records run NAME`
    """
    from studies.registry import run

    run(name)
    print(f"Recorded: data/records/{name}.json")


@app.command("book")
def write_book() -> None:
    """Write docs/lab_book.md: every record as tables, and what papers claim beside it.

    Example: `python course.py records book`
    """
    from lib import root
    from lib.files import write_whole
    from tools.lab_book import page

    write_whole(root / "docs" / "lab_book.md", page())
    print("Written: docs/lab_book.md")
