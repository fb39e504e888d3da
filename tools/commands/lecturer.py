"""What a lecturer types: `list`, `solve`, `slides`, `questions`, `exam`, `grade`, `contest` and `pack`."""

import sys
from pathlib import Path
from typing import Annotated

import typer

PANEL = "For lecturers"

app = typer.Typer()

Extra = Annotated[
    Path | None,
    typer.Option(help="a folder of your own exercises: Python files, each with a list EXERCISES"),
]


@app.command("list", rich_help_panel=PANEL)
def list_(extra: Extra = None) -> None:
    """List every exercise: its notebook, kind, name, and the mistakes that its check knows.

    Below it stand the names by which a table of grades calls these mistakes.

    Example: `python course.py list`
    """
    from lib.exercises import registry

    for exercise in registry.with_extra(extra).values():
        mistakes = list(dict.fromkeys(mistake.name for mistake in exercise.mistakes))
        print(f"{exercise.notebook:<22} {exercise.kind:<9} {exercise.name}")
        if mistakes:
            print(f"{'':<33}knows {', '.join(mistakes)}")


@app.command(rich_help_panel=PANEL)
def solve(
    notebooks: Annotated[list[str], typer.Argument(help="numbers (05), names or paths")],
    output: Annotated[Path, typer.Option("-o", help="the folder to write the solved editions to")],
    extra: Extra = None,
) -> None:
    """Write the solved edition of notebooks: our answers imported, their source below.

    Nothing is run, and a solved notebook has no outputs: open it in JupyterLab and run all of its cells.

    Example: `python course.py solve 05 -o solved`
    """
    from lib.exercises import registry
    from tools import copies, editions

    exercises = registry.with_extra(extra)
    for notebook in notebooks:
        print(editions.solve_file(copies.find_file(notebook), output, exercises))


@app.command(rich_help_panel=PANEL)
def slides(
    output: Annotated[Path, typer.Option("-o", help="the folder to write the decks to")],
    notebooks: Annotated[list[str] | None, typer.Argument(help="numbers (05), names or paths")] = None,
    stretches: Annotated[
        list[str] | None, typer.Option("--with", help="the name of a stretch to show after the core")
    ] = None,
    deck: Annotated[
        int | None, typer.Option(help="follow this deck of docs/lectures.md through the notebooks")
    ] = None,
    rows: Annotated[
        str, typer.Option(help="of --deck, the rows with these slides alone, such as '5, 8, 12 to 16'")
    ] = "",
) -> None:
    """Write a deck of slides of notebooks: one HTML file each, which needs no network.

    A deck shows the core with its stored outputs; nothing is run. Open it in a browser: the arrow keys turn
    the pages, `S` opens the speaker's notes, `F` fills the screen, `G` finds a page by a word.

    `--with` can be given several times, and adds stretches in its order.

    `--deck` makes one file of a lecture that docs/lectures.md follows. A page says which of its slides it
    belongs to. Of each section it shows the question, formulas, sentences in bold, and at most two figures or
    tables, but no exercise and no code. A section that returns is shown once. What each row takes is printed;
    `--rows` keeps those that you name by its slides.

    Example: `python course.py slides 05 --with "what an LSTM forgets" -o decks`

    Example: `python course.py slides --deck 3 --rows "12 to 16, 46 to 58" -o decks`
    """
    from tools import copies, lectures
    from tools.slides import choose_stretches, write_deck

    if not notebooks and deck is None:
        raise ValueError("Name a notebook, such as 05, or a deck of docs/lectures.md, such as --deck 3.")
    files = [copies.find_file(notebook) for notebook in notebooks or []]
    chosen = choose_stretches(files, stretches or [])
    for file in files:
        path, pages = write_deck(file, output, chosen[file])
        print(f"{path}\n{lectures.account_of(path, pages)}")
    if deck is not None:
        path, account = lectures.write_deck(deck, output, rows)
        print(f"{path}\n{account}")


@app.command("questions", rich_help_panel=PANEL)
def questions_(
    notebooks: Annotated[list[str], typer.Argument(help="numbers (05), names or paths")],
    output: Annotated[Path, typer.Option("-o", help="the folder to write the decks to")],
) -> None:
    """Write questions for a vote: a deck for each notebook, and a sheet of letters to hold up.

    A question is asked, talked over with a neighbor and asked again. Then its cell shows the answer, and a
    sentence says to each option why it is right or what is believed by who chooses it. The speaker's notes
    (`S`) have the letter, the time and the shares: a guess, until a class has voted.

    Example: `python course.py questions 05 -o decks`
    """
    from tools import copies, questions

    for path in map(copies.find_file, notebooks):
        print(questions.write_deck(path, output))
    print(questions.write_letters(output))


@app.command(rich_help_panel=PANEL)
def exam(
    seed: Annotated[int, typer.Option(help="a whole number that the questions' numbers are drawn from")],
    output: Annotated[Path, typer.Option("-o", help="the folder to write the exam to")],
    notebooks: Annotated[list[str] | None, typer.Argument(help="numbers (05) or names")] = None,
) -> None:
    """Write an exam: a question of each notebook, to be answered by hand, with its solutions.

    The folder gets `questions.html` and `solutions.html`, two pages to print (A4), and `moodle.xml`, the same
    questions for Moodle's question bank. Beside each solution stand three wrong answers with what leads to
    them; Moodle says it to whoever gives one.

    The same seed draws the same numbers again, another seed others. Who knows the seed and has the course can
    write the solutions, so choose one that nobody guesses.

    Example: `python course.py exam 05 10 14 20 --seed 7 -o exam`
    """
    from tools.exam import write_exam

    for path in write_exam(notebooks or [], seed, output):
        print(path)


@app.command(rich_help_panel=PANEL)
def grade(
    folder: Annotated[Path, typer.Argument(help="FOLDER/LEARNER/NN_name.ipynb, or files side by side")],
    output: Annotated[
        Path | None,
        typer.Option("-o", help="the table to write: grades.csv, of disks ranks.csv"),
    ] = None,
    extra: Extra = None,
    seconds: Annotated[float, typer.Option(help="of computing, what each answer may take")] = 5.0,
    unprotected: Annotated[
        bool, typer.Option("--unprotected", help="without bubblewrap: every answer has your rights")
    ] = False,
) -> None:
    """Judge a folder of hand-ins and write a row for each exercise of each.

    The columns: hand_in, notebook, exercise, status, mistake, message, seconds. The status is
    passed; failed, blank, missing (no cell defines the name, or there is no notebook), copied (it is
    the course's own answer, its source, or calls it); error (an exception, or code that Python cannot
    read), timeout (--seconds), memory (2 GB), died (Python crashed or was ended); unreadable (not a
    notebook, or an archive, or a link); untried (no process could be started: grade again).

    An answer is found by the name it defines, the last definition if there are several, and is run
    with the imports and the other definitions that it needs; if that ends in an error, once more with
    all that stands above it. Check cells may be edited, copied or gone, and outputs are not looked at.

    A row is in the table as soon as it is known, so that an interrupted run leaves what it had; a
    table that was there is kept as `grades.csv.before`. The command ends with 1 if any answer is
    untried.

    Every answer runs in a process of its own, on all cores, behind bubblewrap (Linux: `apt install
    bubblewrap`): it writes to memory alone, and sees no home folder, no other hand-in and no network.
    What remains possible: an answer can alter the process in which it is judged, and so **claim to be
    right** (read what passes); it can read what every user may, though it can send it nowhere. Where
    bubblewrap does not work (macOS, Windows, some containers), grade in a virtual machine, or, the work of
    people whom you trust, with `--unprotected`: every answer has your rights then.

    A folder of notebook 33's files, and of no notebooks, is weighed and ranked, as `python course.py
    contest` does it.

    Example: `python course.py grade hand-ins -o grades.csv`
    """
    from lib.exercises import registry, walls
    from tools import contest as contests
    from tools import grading

    if contests.holds_disks(folder):
        contest(folder, output or Path("ranks.csv"))
        return
    output = output or Path("grades.csv")
    if unprotected:
        print(walls.OFF, file=sys.stderr)
    around = [] if unprotected else walls.command([folder])
    grading.read_folder(folder, {})  # what cannot be graded is said before all exercises are imported
    verdicts = grading.grade(folder, registry.with_extra(extra), output, seconds, around)
    print(f"{grading.summary(verdicts)}\n\n{len(verdicts)} rows in {output}")
    if around:
        print(walls.ON)
    if untried := sum(verdict.report.status == "untried" for verdict in verdicts):
        raise ValueError(
            f"{untried} OF {len(verdicts)} ANSWERS COULD NOT BE TRIED: their rows say nothing about them."
            " Close what else runs on this machine, and grade the folder again."
        )


@app.command(rich_help_panel=PANEL)
def contest(
    folder: Annotated[Path, typer.Argument(help="FOLDER/LEARNER/NAME.zip, or files side by side")],
    output: Annotated[Path, typer.Option("-o", help="the table to write")] = Path("ranks.csv"),
    held_out: Annotated[
        Path | None, typer.Option(help="headlines that nobody has seen: a tab-separated file, sealed or not")
    ] = None,
    seconds: Annotated[float, typer.Option(help="of computing, what each file may take")] = 120.0,
) -> None:
    """Weigh and run the files of notebook 33's contest, and rank them by class of size.

    The columns: class (100 kB, 360 kB, 1.44 MB, or refused), place, hand_in, bytes, accuracy, message. Bytes
    are weighed. A file is refused, in one sentence, that is too large, is not what `write_floppy` writes,
    unpacks to something else than it says, asks for code, or lists texts where pieces belong.

    Nothing of a hand-in is run as code: it holds numbers, pieces, names, and a list of allowed alterations.
    The first place of a class has who sorts most headlines right; of equals, the smaller file. One file a
    learner has a place, the best. The course's own disks, in data/contest, stand in the table to be beaten,
    without a place, and so do copies of them. A row says how far it is ahead of the next one of its class,
    and from how many headlines on that is more than luck.

    The course's own test rows are known to everybody, so a file may have learned them. Where the contest
    counts, give `--held-out` the sealed headlines of data/contest or your own, in columns text and category
    (the card beside them says how).

    Example: `python course.py contest hand-ins --held-out data/contest/headlines.tsv.xz`
    """
    from tools import contest as contests

    entries = contests.contest(folder, output, held_out, seconds)
    print(f"\n{contests.summary(entries)}\n\n{contests.judged_on(entries, held_out)}")
    print(f"{len(entries)} rows in {output}")


@app.command(rich_help_panel=PANEL)
def pack(
    target: Annotated[Path, typer.Argument(help="the ZIP to write, such as course-linux.zip")],
) -> None:
    """Write the course and all that it installs into one ZIP, for a room without a network.

    It serves machines like this one: the same system, processor and version of Python. Unpack it there, and
    `python3 course.py lab` in its folder installs from it. Where there is a clone of the course already,
    `python3 course.py lab --from course-linux.zip` does the same. Packing itself needs the network.

    Example: `python course.py pack course-linux.zip`
    """
    from tools import pack as packing

    print(packing.pack(target))
