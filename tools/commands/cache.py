"""`python course.py cache`: build and clear what several notebooks share."""

import typer

app = typer.Typer(
    help="""What several notebooks need and one machine makes once: `build` it before a class, `clear` it. It
    lies in the platform's folder for caches, or in BERT_COURSE_CACHE.

    Example: `python course.py cache build`""",
    no_args_is_help=True,
)


@app.command("build")
def build_cache() -> None:
    """Make what is not there yet or no longer fits.

    Example: `python course.py cache build`
    """
    from lib.records.cache import cached
    from studies.registry import entries

    for entry in entries().values():
        print(f"{entry.name}: {cached(entry)}", flush=True)


@app.command("clear")
def clear_cache() -> None:
    """Remove what is kept, runs of studies among it; it is made anew when it is asked for.

    Example: `python course.py cache clear`
    """
    from lib.records.cache import clear

    print(f"Removed: {clear()}")
