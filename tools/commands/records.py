"""`python course.py records`: list, show and run the recorded experiments."""

from typing import Annotated

import typer

app = typer.Typer(
    help="""The recorded experiments: runs too long for a notebook, kept in data/records with commit, date,
    machine and seeds. `list` them, `show` one, `run` one again.

    Example: `python course.py records list`""",
    no_args_is_help=True,
)


@app.command("list")
def list_records() -> None:
    """List the records there are, and the experiments that can be run.

    Example: `python course.py records list`
    """
    from lib.experiments.records import load, names
    from lib.experiments.registry import EXPERIMENTS

    for name in names():
        record = load(name)
        print(f"{name}: {record.about} ({record.date}, commit {record.commit}, {record.seconds:.0f} s)")
    for name in sorted(set(EXPERIMENTS) - set(names())):
        print(f"{name}: {EXPERIMENTS[name].about} (not recorded yet, {EXPERIMENTS[name].minutes:g} minutes)")


@app.command("show")
def show_record(name: Annotated[str, typer.Argument(help="a name from `list`")]) -> None:
    """Print one record: how it was made, and a line for each seed.

    Example: `python course.py records show NAME`
    """
    from lib.experiments.records import load
    from lib.experiments.registry import misfits

    record = load(name)
    print(f"{record.about}\n{record.date}, commit {record.commit}, {record.seconds:.0f} s\n{record.machine}")
    for changed in misfits(record):
        print(f"It no longer fits: {changed}.")
    for seed, result in zip(record.seeds, record.results, strict=True):
        print(f"seed {seed}: {result}")


@app.command("run")
def run_record(name: Annotated[str, typer.Argument(help="a name from `list`")]) -> None:
    """Run one experiment and write its record anew: for maintainers, it can take an hour.

    Example: `python course.py records run NAME`
    """
    from lib.experiments.registry import run

    print(f"Recorded in {run(name).seconds:.0f} s: data/records/{name}.json")
