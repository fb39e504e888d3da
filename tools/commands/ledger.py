"""`python course.py ledger`: the field's methods on one table."""

from typing import Annotated

import typer

from tools.commands import reader

app = typer.Typer()


@app.command(rich_help_panel=reader.PANEL)
def ledger(
    tasks: Annotated[list[str] | None, typer.Argument(help="such as headlines; by default all")] = None,
) -> None:
    """Print what every way to make BERT small reached and what its model costs, as it was recorded.

    Of each task a table, and the machine that measured what the models cost.

    Example: `python course.py ledger headlines`
    """
    # not above: --help comes at once
    from lib.compression.ledger.table import ledger_tables
    from lib.records.ledger import ledger_rows, machines

    recorded = ledger_rows()
    if unknown := set(tasks or ()) - recorded.keys():
        raise ValueError(f"The ledger has no rows of {min(unknown)}; it has {', '.join(recorded)}.")
    for task, machine in machines().items():
        if not tasks or task in tasks:
            print(f"Measured on {machine}\n\n{ledger_tables(recorded[task])}\n")
