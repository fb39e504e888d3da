"""What every reader types: `lab` and `reset`."""

from typing import Annotated

import typer

PANEL = "For everyone"
INTERRUPTED = "Interrupted. Run the same command again to go on."

app = typer.Typer()


def known(notebook: str) -> str:
    """The notebook's file name, from its number; one sentence if there is no such notebook."""
    from tools import copies  # not above: --help comes at once

    try:
        return copies.find(notebook).name
    except ValueError as error:
        raise typer.BadParameter(str(error)) from None


@app.command(rich_help_panel=PANEL)
def lab(
    notebook: Annotated[
        str, typer.Argument(help="the number of the notebook to open first, such as 05", callback=known)
    ] = "00",
    port: Annotated[
        int | None,
        typer.Option(min=1, max=65535, help="the port to listen on; by default the first free from 8888"),
    ] = None,
    browser: Annotated[bool, typer.Option(help="open a web browser, or only print the address")] = True,
    lecturer: Annotated[
        bool, typer.Option("--lecturer", help="copies with the lecturer's notes, in `my/lecturer/`")
    ] = False,
    pack: Annotated[
        str | None,
        typer.Option("--from", metavar="ZIP", help="install from a lecturer's pack, without a network"),
    ] = None,
) -> None:
    """Open JupyterLab on your own copies of the notebooks.

    The copies are made once, in `my/`, with the answers cleared and without the lecturer's notes: write in
    them as you like, an update of the course does not touch them. With --lecturer they have the notes, and
    lie in a folder of their own. JupyterLab listens on this machine only and asks nothing of the network.
    Where one is open on the same copies already, its address is printed; --port starts a second one.

    Examples: `python course.py lab 05` and `python course.py lab 05 --lecturer`
    """
    from tools import copies
    from tools.lab import open_lab

    if pack is not None:  # course.py takes it out, and installs from it
        raise typer.BadParameter(
            "--from is for `python course.py lab`, which installs; here all is installed."
        )
    audience = copies.LECTURER if lecturer else copies.LEARNER
    try:
        open_lab(audience, notebook, port, browser)
    except KeyboardInterrupt:
        raise SystemExit(INTERRUPTED) from None


@app.command(rich_help_panel=PANEL)
def reset(
    notebook: Annotated[str, typer.Argument(help="the notebook's number, such as 05", callback=known)],
) -> None:
    """Start over with one notebook; what you wrote is kept beside it under another name.

    The answers that you committed to in its explorers are forgotten, so that you can answer again.

    Example: `python course.py reset 05`
    """
    from tools import copies

    print(f"A fresh copy is in {copies.reset(notebook)}; what you wrote is beside it.")
