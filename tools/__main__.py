"""The course's command line: `python course.py WORD` runs `python -m tools WORD`."""

import io
import signal
import sys

import typer

from lib import command
from tools.commands import cache, lecturer, ledger, maintainer, models, reader, records

PROGRAM = "python course.py"

app = typer.Typer(
    name=PROGRAM,
    help="""BERT, inside out: open the course, teach with it, test it.

    `python course.py WORD --help` explains a word and gives an example.""",
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
    rich_markup_mode="markdown",
)

app.add_typer(reader.app)
app.add_typer(cache.app, name="cache", rich_help_panel=reader.PANEL)
app.add_typer(records.app, name="records", rich_help_panel=reader.PANEL)
app.add_typer(ledger.app)
app.add_typer(lecturer.app)
app.add_typer(maintainer.app)
app.add_typer(models.app)
app.add_typer(models.make, name="make", rich_help_panel=maintainer.PANEL)


def main() -> None:
    """Run the command that the arguments name."""
    try:
        signal.signal(signal.SIGINT, signal.default_int_handler)  # course.py has it ignored until here
        if isinstance(sys.stdout, io.TextIOWrapper):
            sys.stdout.reconfigure(errors="backslashreplace")  # names of files are bytes, and not always text
        command.run(lambda: app(prog_name=PROGRAM))
    except KeyboardInterrupt:
        sys.exit("Interrupted.")
    except SystemExit as ended:
        if ended.code == 130:  # what typer makes of Ctrl+C
            print("Interrupted.", file=sys.stderr)
        raise


if __name__ == "__main__":
    main()
