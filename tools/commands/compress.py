"""`python course.py compress`: the field's methods on one table."""

from typing import Annotated

import typer

app = typer.Typer(
    help="""Making BERT small: `ledger` prints what every method reached and what its model costs, as it was
    recorded.

    Example: `python course.py compress ledger reviews`""",
    no_args_is_help=True,
)


@app.callback()
def compression() -> None:
    """Making BERT small: what every method reached, and what its model costs."""


@app.command()
def ledger(
    tasks: Annotated[list[str] | None, typer.Argument(help="such as reviews; by default all")] = None,
) -> None:
    """Print the recorded ledger: for each machine, a table of each task and what the models cost.

    Example: `python course.py compress ledger reviews`
    """
    # not above: --help comes at once
    from lib.compression.ledger.table import ledger_tables, recorded_by_machine

    recorded = recorded_by_machine()
    known = sorted({row.task for rows in recorded.values() for row in rows})
    if unknown := set(tasks or ()) - set(known):
        raise ValueError(f"The ledger has no rows of {min(unknown)}; it has {', '.join(known) or 'none'}.")
    if not recorded:
        raise ValueError("The ledger has no rows yet: there is no data/records/ledger*.json.")
    for machine, rows in recorded.items():
        if asked := [row for row in rows if not tasks or row.task in tasks]:
            print(f"Measured on {machine}\n\n{ledger_tables(asked)}\n")
