"""`python course.py cache`: build, list and clear what several notebooks share."""

from typing import Annotated

import typer

app = typer.Typer(
    help="""What several notebooks need and one machine makes once: `build` it before a class, `list` what
    there is, `clear` it. It lies in the platform's folder for caches, or in BERT_COURSE_CACHE.

    Example: `python course.py cache build`""",
    no_args_is_help=True,
)


@app.command("build")
def build_cache(
    names: Annotated[list[str] | None, typer.Argument(help="names from `list`; by default all")] = None,
) -> None:
    """Make what is not there yet or no longer fits, on all cores.

    Example: `python course.py cache build`
    """
    from lib.records.cache import build
    from studies.registry import entries

    known = entries()
    if unknown := set(names or ()) - known.keys():
        raise typer.BadParameter(f"there is no {min(unknown)}; there are {', '.join(sorted(known))}")
    for made in build([known[name] for name in names or known]):
        print(f"{made.entry.name}: {made}", flush=True)


@app.command("list")
def list_cache() -> None:
    """List what is kept: its size, when, from what and in how many seconds it was made, and if it still fits.

    Example: `python course.py cache list`
    """
    from lib.records.cache import cache_folder, listing
    from studies.registry import entries

    print(*listing(entries()), f"in {cache_folder()}", sep="\n")


@app.command("clear")
def clear_cache(
    names: Annotated[list[str] | None, typer.Argument(help="names from `list`; by default all")] = None,
) -> None:
    """Remove what is kept; it is made anew when it is asked for.

    Example: `python course.py cache clear`
    """
    from lib.records.cache import clear, clear_all

    print(f"Removed: {sum(map(clear, names)) if names else clear_all()}")
