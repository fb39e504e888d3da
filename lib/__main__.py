"""The course's command line: `python -m lib --help`."""

from pathlib import Path
from typing import Annotated

import typer

from lib import command

app = typer.Typer(
    name="python -m lib",
    help="""BERT, inside out: open the course, test it, measure it.

    `python course.py COMMAND` does the same and first installs whatever is missing. The commands
    for lecturers (list the exercises, write the solved edition, grade a folder of hand-ins) are
    under `python -m lib.exercises --help`.""",
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
    rich_markup_mode="markdown",
)


records = typer.Typer(
    help="""The recorded experiments: runs too long for a notebook, kept in data/records with commit, date,
    machine and seeds. `list` them, `show` one, `run` one again.

    Example: `python course.py records list`""",
    no_args_is_help=True,
)
app.add_typer(records, name="records")

cache = typer.Typer(
    help="""What several notebooks need and one machine makes once: `build` it before a class, `list` what
    there is, `clear` it. It lies in the platform's folder for caches, or in BERT_COURSE_CACHE.

    Example: `python course.py cache build`""",
    no_args_is_help=True,
)
app.add_typer(cache, name="cache")


def known(notebook: str) -> str:
    """The notebook's file name, from its number; one sentence if there is no such notebook."""
    from lib.exercises import copies  # not above: --help comes at once

    try:
        return copies.find(notebook).name
    except ValueError as error:
        raise typer.BadParameter(str(error)) from None


@app.command()
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
) -> None:
    """Open JupyterLab on your own copies of the notebooks.

    The copies are made once, in `my/`, with the answers cleared and without the lecturer's notes: write in
    them as you like, an update of the course does not touch them. With --lecturer they have the notes, and
    lie in a folder of their own. JupyterLab listens on this machine only and asks nothing of the network.

    Examples: `python course.py lab 05` and `python course.py lab 05 --lecturer`
    """
    from lib.exercises import copies
    from lib.lab import open_lab

    audience = copies.LECTURER if lecturer else copies.LEARNER
    open_lab(copies.make_own_copies(audience).resolve(), notebook, port, browser)


@app.command()
def test(
    fast: Annotated[
        bool, typer.Option("--fast", help="style, types and unit tests only: about 3 minutes")
    ] = False,
    everything: Annotated[
        bool,
        typer.Option("--all", help="also the slow tests: all of a corpus, every notebook in the browser"),
    ] = False,
) -> None:
    """Run the tests of the course (about a quarter of an hour on two cores).

    In order: style (ruff), types (mypy), unit tests, every notebook in its solved edition, and a
    notebook or two in a real browser (where Chromium is installed). It needs no network. A summary
    comes last, and the exit status is 0 only if everything passed.
    """
    from lib.testing import Extent, run_tests

    if fast and everything:
        raise typer.BadParameter("--fast and --all contradict each other: choose one.")
    extent = Extent.FAST if fast else Extent.ALL if everything else Extent.USUAL
    raise typer.Exit(0 if run_tests(extent) else 1)


@app.command()
def bench(
    parts: Annotated[list[str] | None, typer.Argument(help="what to measure; by default everything")] = None,
    data: Annotated[
        Path | None,
        typer.Option(help="a folder of data sets, for the parts that read one: the last three below"),
    ] = None,
) -> None:
    """Measure the course on this machine and print tables (about twenty minutes).

    speed: our BERT beside that of transformers, forward and backward. imports: what `import lib.bert` costs
    over `import torch`. check: the check of one exercise. notebooks: seconds and peak memory of each.
    vectors: how many analogies the course's word vectors answer. pretraining: pieces a second beside
    transformers, and what each step bought. corpus: memory of the corpus reader on up to 1 GB. finetuning: an
    epoch of reviews beside the Trainer of transformers. ways: every way of training on every task, recorded.
    public_sets: MiniLM on public sets, recorded. plane: a plane of losses around MiniLM. onnx: MiniLM in
    onnxruntime, in float32 and in int8, beside ours. distilling: an epoch of distillation
    beside the Trainer of transformers. pruned: MiniLM without half of its heads and neurons, and the
    like, beside the whole. elastic: every size of an elastic MiniLM beside the whole.

    With --data. wordpiece: our word pieces beside those of transformers, line by line through
    wikitext2/valid.txt. objects: how well one attention head finds direct objects, in ud_english_ewt.
    first_step: seconds from the start of pretraining to its first step, on pretrain_wikipedia.

    Close other programs first: the figures are medians, but a busy machine shifts them all.

    Examples: `python course.py bench` and `python course.py bench speed imports`
    """
    from lib.bench import DATA, PARTS, measurement

    chosen = parts or [part for part in PARTS if data or part not in DATA]
    measurements = [measurement(part, data) for part in chosen]
    from lib.bench.tables import heading  # not before: what is wrong is said at once

    print(heading(), flush=True)
    for measure in measurements:
        print(f"\n{measure()}", flush=True)


@records.command("list")
def list_records() -> None:
    """List the records there are, and the experiments that can be run.

    Example: `python course.py records list`
    """
    from lib.records import record
    from studies import registry

    for name in record.names():
        print(f"{name}: {record.about(name)}")
    for name in sorted(set(registry.names()) - set(record.names())):
        print(f"{name}: not recorded yet")


@records.command("show")
def show_record(name: Annotated[str, typer.Argument(help="a name from `list`")]) -> None:
    """Print one record: how it was made, and a line for each seed.

    Example: `python course.py records show NAME`
    """
    from lib.records import record
    from studies.registry import misfits_of

    print(record.about(name))
    for changed in misfits_of(name):
        print(f"It no longer fits: {changed}.")
    print("\n".join(record.lines(name)))


@records.command("run")
def run_record(name: Annotated[str, typer.Argument(help="a name from `list`")]) -> None:
    """Run what a study's record lacks, or an older experiment as a whole. It can take an hour.

    Example: `python course.py records run NAME`
    """
    from studies.registry import run

    run(name)
    print(f"Recorded: data/records/{name}.json")


@cache.command("build")
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


@cache.command("list")
def list_cache() -> None:
    """List what is kept: its size, when, from what and in how many seconds it was made, and if it still fits.

    Example: `python course.py cache list`
    """
    from lib.records.cache import cache_folder, listing
    from studies.registry import entries

    print(*listing(entries()), f"in {cache_folder()}", sep="\n")


@cache.command("clear")
def clear_cache(
    names: Annotated[list[str] | None, typer.Argument(help="names from `list`; by default all")] = None,
) -> None:
    """Remove what is kept; it is made anew when it is asked for.

    Example: `python course.py cache clear`
    """
    from lib.records.cache import clear, clear_all

    print(f"Removed: {sum(map(clear, names)) if names else clear_all()}")


@app.command()
def reset(
    notebook: Annotated[str, typer.Argument(help="the notebook's number, such as 05", callback=known)],
) -> None:
    """Start over with one notebook; what you wrote is kept beside it under another name.

    The answers that you committed to in its explorers are forgotten, so that you can answer again.

    Example: `python course.py reset 05`
    """
    from lib.exercises import copies

    print(f"A fresh copy is in {copies.reset(notebook)}; what you wrote is beside it.")


def main() -> None:
    """Run the command that the arguments name."""
    command.run(app)


if __name__ == "__main__":
    main()
