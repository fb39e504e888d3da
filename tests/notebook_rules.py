"""The rules that every committed notebook keeps, read from the file alone; nothing is run.

    python tests/notebook_rules.py [--clock] [NOTEBOOK_OR_FOLDER ...]      by default the folder notebooks/

One line for each fault; the exit status is 1 if there is any. The rules are the functions below
that are called `rule_...`, and those of `notebook_form.py`, `notebook_dose.py` and `notebook_plain.py`: their
first line says what each of them wants.
"""

import argparse
import ast
import base64
import re
import sys
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import notebook_dose
import notebook_form
import notebook_plain
from notebook_file import PICTURES, Cell, Found, Notebook, text_of

from lib import root

MAX_FILE_BYTES = 1_500_000
MAX_PICTURE_BYTES = 120_000
MAX_CODE_LINES = 15
MAX_SET_UP_LINES = 16  # of the cell that imports
MAX_LONG_LINES = 25  # a class, an exercise, an explorer, what is taken home
MAX_STRETCH_LINES = 30

WIDGET = "application/vnd.jupyter.widget-view+json"

IMG_TAG = re.compile(r"<img\b[^>]*>", re.IGNORECASE)
IMG_ALT = re.compile(r"""\balt\s*=\s*(?:"[^"]*\w[^"]*"|'[^']*\w[^']*')""", re.IGNORECASE)
MARKDOWN_PICTURE = re.compile(r"!\[(?P<alt>[^\]]*)\]\((?P<target>[^)\s]+)")
FROM_NETWORK = re.compile(
    r"""
    \b(?:src|srcset|href|data)\s*=\s*["']?(?:https?:)?//[^"'>\s]+
        \.(?:m?js|css|png|jpe?g|gif|svg|webp|woff2?)\b   # a tag that fetches a file
    | @import\s+(?:url\(|["'])                           # a style sheet that fetches another
    | \b(?:cdnjs|unpkg|jsdelivr|esm\.sh|skypack)\b       # the usual hosts of scripts
    """,
    re.IGNORECASE | re.VERBOSE,
)
# A path of the machine that ran the notebook; `/opt/python` is one, `and/or`, `a/home`, /var/tmp are not.
MACHINE_PATH = re.compile(
    r"(?<![\w./])/(?:root|home|tmp|work|var(?!/tmp\b(?!/))|mnt|Users|private|opt/\w+)/[\w.-]+"
    r"|\b[A-Z]:\\\\?Users\\"
)
# What Python prints for a thing that has no text of its own, such as <zip object at 0x7f00>.
ADDRESS = re.compile(r"<[^<>]{1,80} at 0x[0-9a-f]+>")
EMOJI = re.compile("[\u2600-\u27bf\U0001f000-\U0001faff]")
BRITISH = re.compile(
    r"\b(?:colour|behaviour|neighbour|favour|honour|centre[sd]?\b|analyse|licence|grey\b|modelling"
    r"|labell|travell|cancell(?!ation)|catalogue|programme\b"
    r"|(?:normal|token|initial|optim|recogn|regular|vector|summar|general|memor|real|visual|final"
    r"|general|character|minim|maxim|factor|organ|emphas|util|special|categor)is(?:e|ed|es|ing|ation))"
    r"\w*",
    re.IGNORECASE,
)


@dataclass(frozen=True)
class Fault:
    """One thing that is wrong: the rule, the cell's number from 0 (None: the whole file), why."""

    rule: str
    cell: int | None
    message: str


# ---------------------------------------------------------------------------------------------
# The file


def rule_size(book: Notebook) -> Found:
    """The file, each picture and each code cell stay small."""
    if book.bytes > MAX_FILE_BYTES:
        yield None, f"{book.bytes / 1e6:.2f} MB; at most {MAX_FILE_BYTES / 1e6} MB"
    for cell in book.code:
        if cell.lines > (most := most_lines(cell)) and not notebook_plain.is_plain(book):
            yield cell.number, f"{cell.lines} lines of code; at most {most}"
        for output in cell.outputs:
            picture = text_of(output.get("data", {}).get("image/png"))
            if picture and len(base64.b64decode(picture)) > MAX_PICTURE_BYTES:
                yield cell.number, f"a picture of more than {MAX_PICTURE_BYTES // 1000} kB"


def most_lines(cell: Cell) -> int:
    """How many lines of code a cell may have."""
    if "stretch" in cell.tags:
        return MAX_STRETCH_LINES
    if cell.calls("draw_map"):
        return MAX_SET_UP_LINES
    has_class = any(isinstance(node, ast.ClassDef) for node in cell.tree.body)
    is_long = bool({"exercise", "yours"} & set(cell.tags)) or has_class or bool(cell.calls("explore"))
    return MAX_LONG_LINES if is_long else MAX_CODE_LINES


def rule_kernel(book: Notebook) -> Found:
    """The file names its kernel, python3, so that nobody is asked for one."""
    name = book.metadata.get("kernelspec", {}).get("name")
    if name != "python3":
        yield None, f"the kernel is {name!r}, it should be 'python3'"


def rule_order(book: Notebook) -> Found:
    """Every code cell was run, from a fresh kernel, from top to bottom: 1, 2, 3, ..."""
    for expected, cell in enumerate(book.code, start=1):
        if cell.execution_count != expected:
            yield cell.number, f"execution count {cell.execution_count}, expected {expected}"


# ---------------------------------------------------------------------------------------------
# The outputs


def rule_clean(book: Notebook) -> Found:
    """No error, nothing on stderr, no widget state, no path of somebody's machine, no address in memory."""
    if "widgets" in book.metadata:
        yield None, "stored widget state (metadata.widgets)"
    for cell in book.cells:
        for output in cell.outputs:
            if output["output_type"] == "error":
                yield cell.number, f"an error is stored: {output.get('ename')}"
            if output.get("name") == "stderr":
                yield cell.number, f"stderr: {text_of(output['text']).strip()[:80]}"
            data = output.get("data", {})
            words = [text_of(output.get("text"))]
            words += [text_of(data.get(kind)) for kind in ("text/plain", "text/html")]
            if path := MACHINE_PATH.search(" ".join(words)):
                yield cell.number, f"a path of the author's machine: {path.group()}"
            if address := ADDRESS.search(" ".join(words)):
                yield cell.number, f"an object printed instead of what it holds: {address.group()}"
        if path := MACHINE_PATH.search(cell.source):
            yield cell.number, f"a path of the author's machine: {path.group()}"


def rule_offline(book: Notebook) -> Found:
    """No picture, script or style sheet comes from the network."""
    for cell in book.text:
        for picture in MARKDOWN_PICTURE.finditer(cell.source):
            if picture["target"].startswith(("http:", "https:", "//")):
                yield cell.number, f"a picture from the network: {picture['target']}"
        if FROM_NETWORK.search(cell.source):
            yield cell.number, "the text loads a file from the network"
    for cell in book.code:
        for output in cell.outputs:
            if FROM_NETWORK.search(text_of(output.get("data", {}).get("text/html"))):
                yield cell.number, "the output loads a file from the network"


def rule_readable(book: Notebook) -> Found:
    """Every picture says in words what it shows; a widget has a picture beside it."""
    for cell in book.text:
        for picture in MARKDOWN_PICTURE.finditer(cell.source):
            if not picture["alt"].strip():
                yield cell.number, f"the picture {picture['target']} has no text alternative"
        if any(not IMG_ALT.search(tag) for tag in IMG_TAG.findall(cell.source)):
            yield cell.number, "an <img> has no text alternative"
    for cell in book.code:
        for output in cell.outputs:
            data, metadata = output.get("data", {}), output.get("metadata", {})
            for kind in PICTURES:
                alt = metadata.get(kind, {}).get("alt") or metadata.get("alt")
                if kind in data and not str(alt or "").strip():
                    yield cell.number, f"{kind} has no text alternative: use lib.figures.show"
            html = text_of(data.get("text/html"))
            if any(not IMG_ALT.search(tag) for tag in IMG_TAG.findall(html)):
                yield cell.number, "an <img> in the output has no text alternative"
        widget = any(WIDGET in output.get("data", {}) for output in cell.outputs)
        if widget and not cell.has_picture():
            yield cell.number, "a widget without a picture: nothing to see without a kernel"


def rule_reveal(book: Notebook) -> Found:
    """A cell that gives a prediction's answer away is stored folded."""
    for cell in book.code:
        folded = cell.metadata.get("jupyter", {}).get("outputs_hidden", False)
        if "reveal" in cell.tags and not folded:
            yield cell.number, "tagged reveal, but metadata.jupyter.outputs_hidden is not true"


# ---------------------------------------------------------------------------------------------
# The form


def rule_opening(book: Notebook) -> Found:
    """Title, what the reader will be able to do, minutes, and the map of BERT."""
    if not book.cells or not book.cells[0].is_text or not book.cells[0].source.startswith("# "):
        yield 0, "the first cell is not a title ('# ...')"
    read = [cell for cell in book.cells[:3] if cell.is_text and "notes" not in cell.tags]
    opening = " ".join(cell.source for cell in read).lower()
    if "minute" not in opening:
        yield 0, "the first three cells do not say how many minutes this takes"
    if not re.search(r"\byou(?: will|'ll| can)\b|\bable to\b", opening):
        yield 0, "the first three cells do not say what you will be able to do"
    if not any("draw_map" in cell.source for cell in book.code[:2]):
        yield 0, "neither of the first two code cells draws the map of BERT (draw_map)"


def rule_exercise(book: Notebook) -> Found:
    """An exercise says how long it takes and is followed by its check, which names it."""
    waiting: int | None = None
    for cell in book.cells:
        if "exercise" in cell.tags:
            if waiting is not None:
                yield waiting, "no cell tagged check follows this exercise"
            waiting = cell.number
            before = book.cells[cell.number - 1].source if cell.number else ""
            if not re.search(r"\bmin(?:ute)?s?\b", cell.source + before):
                yield cell.number, "neither the exercise nor the text before it says the minutes"
        if "check" in cell.tags:
            if waiting is None:
                yield cell.number, "a check without an exercise before it"
            waiting = None
            named = [call.args and isinstance(call.args[0], ast.Constant) for call in cell.calls("check")]
            if not named or not all(named):
                yield cell.number, 'a check cell calls check("name", your_answer)'
    if waiting is not None:
        yield waiting, "no cell tagged check follows this exercise"


def rule_prose(book: Notebook) -> Found:
    """American spelling, no emoji."""
    for cell in book.text:
        prose = re.sub(r"```.*?```|`[^`]*`|\$\$.*?\$\$|\$[^$\n]*\$", "x", cell.source, flags=re.S)
        if emoji := EMOJI.search(prose):
            yield cell.number, f"an emoji: {emoji.group()}"
        if british := BRITISH.search(prose):
            yield cell.number, f"not the American spelling: {british.group()}"


# ---------------------------------------------------------------------------------------------
# The code


def rule_imports(book: Notebook) -> Found:
    """A quick first cell; no progress bar that cannot be silenced."""
    for cell in book.code:
        modules = cell.imports()
        if cell is book.code[0] and any(name.split(".")[0] == "transformers" for name in modules):
            yield cell.number, "the first code cell imports transformers, which takes seconds"
        if {"tqdm.auto", "tqdm.notebook", "tqdm.autonotebook"} & modules:
            yield cell.number, "write `from tqdm import tqdm`: TQDM_DISABLE silences only that one"
        if any(name.split(".")[0] == "sentence_transformers" for name in modules):
            yield cell.number, "sentence_transformers is not imported: lib reads its files itself"


def rule_help(book: Notebook) -> Found:
    """Whoever a check sends to `hint` and `solution` can call both."""
    brought = {
        name.name
        for cell in book.code
        for node in ast.walk(cell.tree)
        if isinstance(node, ast.ImportFrom) and node.module == "lib.exercises"
        for name in node.names
    }
    for cell in [cell for cell in book.code if "check" in cell.tags][:1]:
        if missing := {"hint", "solution"} - brought:
            yield (
                cell.number,
                f"a check names hint and solution, and nothing imports {' and '.join(sorted(missing))}",
            )


def rule_paths(book: Notebook) -> Found:
    """No relative path, no working folder: a copy runs wherever it lies."""
    for cell in book.code:
        if re.search(r"\b(?:getcwd|chdir|Path\.cwd)\b|^\s*[%!]\s*cd\b", cell.source, re.MULTILINE):
            yield cell.number, "uses the working folder: start from lib.root"
        for call in cell.calls("open") + cell.calls("Path"):
            first = call.args[0] if call.args else None
            if isinstance(first, ast.Constant) and isinstance(first.value, str):
                yield cell.number, f"the path {first.value!r} is relative: start from lib.root"


RULES: dict[str, Callable[[Notebook], Found]] = {
    name.removeprefix("rule_"): function
    for name, function in [
        *vars(notebook_form).items(),
        *vars(notebook_dose).items(),
        *vars(notebook_plain).items(),
        *list(globals().items()),
    ]
    if name.startswith("rule_")
}


def faults(path: Path) -> list[Fault]:
    """Everything that is wrong with the notebook at `path`, rule by rule."""
    book = Notebook(path)
    return [Fault(name, cell, message) for name, rule in RULES.items() for cell, message in rule(book)]


def notebooks_in(places: list[Path]) -> list[Path]:
    """The notebooks among files and folders, sorted; Jupyter's own checkpoints are left out."""
    found = (sorted(place.rglob("*.ipynb")) if place.is_dir() else [place] for place in places)
    return [path for group in found for path in group if ".ipynb_checkpoints" not in path.parts]


def main() -> int:
    """Prints the faults of the notebooks named on the command line."""
    parser = argparse.ArgumentParser(description="Check notebooks against the house's rules.")
    parser.add_argument("place", nargs="*", type=Path, default=[root / "notebooks"])
    parser.add_argument(
        "--clock", action="store_true", help="print the minutes of each section, said and estimated"
    )
    count = 0
    arguments = parser.parse_args()
    paths = notebooks_in(arguments.place)
    if arguments.clock:
        for path in paths:
            print(path.name, notebook_form.clock(Notebook(path)), sep="\n")
        return 0
    for path in paths:
        for fault in faults(path):
            count += 1
            where = "" if fault.cell is None else f" cell {fault.cell}"
            print(f"{path.name}{where}: {fault.rule}: {fault.message}")
    print(f"{len(paths)} notebooks, {count} faults")
    return 1 if count else 0


if __name__ == "__main__":
    sys.exit(main())
