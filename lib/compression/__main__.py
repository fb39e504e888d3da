"""The command line of compression: `python -m lib.compression --help`."""

from typing import Annotated

import typer

from lib import command

app = typer.Typer(
    name="python -m lib.compression",
    help="Making BERT small: what every method reached, and what its model costs.",
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
)


@app.callback()
def compression() -> None:
    """Making BERT small: what every method reached, and what its model costs."""


@app.command()
def ledger(
    tasks: Annotated[list[str] | None, typer.Argument(help="such as reviews; by default all")] = None,
) -> None:
    """Print the recorded ledger, a table for each task: `python -m lib.compression ledger reviews`"""
    from lib.compression.ledger.table import ledger_tables, recorded_rows  # not above: --help comes at once

    rows = recorded_rows()
    known = sorted({row.task for row in rows})
    if unknown := set(tasks or ()) - set(known):
        raise ValueError(f"The ledger has no rows of {min(unknown)}; it has {', '.join(known) or 'none'}.")
    if not rows:
        raise ValueError("The ledger has no rows yet: there is no data/records/ledger*.json.")
    print(ledger_tables(row for row in rows if not tasks or row.task in tasks))


def main() -> None:
    """Run the command that the arguments name."""
    command.run(app)


if __name__ == "__main__":
    main()
