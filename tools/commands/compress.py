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
    """Print the recorded ledger: of each task a table, and the machine that measured what the models cost.

    Example: `python course.py compress ledger reviews`
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
