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
    """Print the recorded ledger, tables for each machine: `python -m lib.compression ledger reviews`"""
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


def main() -> None:
    """Run the command that the arguments name."""
    command.run(app)


if __name__ == "__main__":
    main()
