"""How much a notebook asks a reader to carry at one time: numbers, rows, sentences under a result.

The rules hold for the notebooks of `TAUGHT`, which were written by them; `notebook_rules.py` runs them with
the others. The clock's seconds a number were measured: a student of computer science read notebooks 14 to 28
as they were, from end to end, and needed 1,335 minutes where they promised 872. Words at 110 a minute, eight
seconds for each printed number and what the clock counted before fit the fifteen best.
"""

import re
from html import unescape
from typing import Any

from notebook_file import Cell, Found, Notebook, text_of
from notebook_plain import is_plain

TAUGHT = ("12", *(str(number) for number in range(14, 41)))
TAKES_HOME = ("03", "05", "10", *TAUGHT)
NO_STEP = ("19", "25", "33", "37", "40")  # they train nothing before the reader's eyes, or by the loop of 12
FRONTIER = range(19, 34)

MOST_SENTENCES, MEAN_SENTENCES = 4, 3.5
MOST_NUMBERS_UNDER_A_RESULT = 8
MOST_NUMBERS = 150
MOST_ROWS, MOST_ROWS_LOOKED_UP = 6, 12
MOST_NOT_RESOLVED = 3
MOST_LINE = 110
MOST_STRETCHES, MOST_STRETCH_WORDS = 3, 700
PLAIN_STRETCHES, PLAIN_STRETCH_WORDS = 5, 1500
MOST_YOURS = range(8, 21)
PLAIN_YOURS, PLAIN_YOURS_CELLS = range(20, 65), range(2, 5)

NUMBER = re.compile(r"(?<![\w.])[-+−]?\d+(?:[,.]\d+)*")
SAW = re.compile(r"\*\*What you saw\.?.*?(?=\n\n[#>|]|\Z)", re.DOTALL)
ABBREVIATED = re.compile(r"\b(et al|vs|e\.g|i\.e|Fig|No)\.")
SENTENCE_END = re.compile(r"(?<=[.!?])[\"”)]?\s+(?=[A-Z“\"(0-9*])")


def is_taught(book: Notebook) -> bool:
    """Whether the notebook was written by these rules."""
    return book.path.name[:2] in TAUGHT


def takes_home(book: Notebook) -> bool:
    """Whether the notebook has cells that its reader takes home."""
    return book.path.name[:2] in TAKES_HOME


def printed(cell: Cell) -> str:
    """What a cell shows as text, tables and printouts; a picture's text alternative is none of it."""
    return " ".join(text for output in cell.outputs if (text := _text_of_output(output)))


def _text_of_output(output: dict[str, Any]) -> str:
    data = output.get("data", {})
    html = text_of(data.get("text/html"))
    if "<table" in html:
        return re.sub(r"<[^>]+>", " ", unescape(" ".join(re.findall(r"<table.*?</table>", html, re.DOTALL))))
    if "alt=" in html or "image/png" in data or "application/vnd.jupyter.widget-view+json" in data:
        return ""
    return text_of(output.get("text")) or text_of(data.get("text/plain"))


def printed_numbers(cell: Cell) -> int:
    """How many numbers a reader finds in what a cell prints; those of a check are for whoever runs it."""
    return 0 if {"check", "exercise"} & set(cell.tags) else len(NUMBER.findall(printed(cell)))


def results(book: Notebook) -> list[tuple[Cell, str]]:
    """Each paragraph of what you saw in the core, without its two first words."""
    return [
        (cell, re.sub(r"^\*\*What you saw\.?\*\*\s*", "", found))
        for cell in book.core
        if cell.is_text
        for found in SAW.findall(cell.source)
    ]


def sentences(text: str) -> list[str]:
    """The sentences of a paragraph."""
    plain = re.sub(r"\[([^\]]*)\]\([^)]*\)", r"\1", text.replace("**", ""))
    plain = ABBREVIATED.sub(r"\1", plain)
    return [part for part in SENTENCE_END.split(plain.strip()) if len(part.split()) > 1]


def rule_under_a_result(book: Notebook) -> Found:
    """Under a result stand two to four sentences and at most eight numbers."""
    if not is_taught(book):
        return
    counts = []
    for cell, paragraph in results(book):
        counts.append(len(sentences(paragraph)))
        if counts[-1] > MOST_SENTENCES:
            yield cell.number, f"{counts[-1]} sentences under a result; at most {MOST_SENTENCES}"
        numbers = NUMBER.findall(re.sub(r"\]\([^)]*\)|\$[^$]*\$|`[^`]*`", " ", paragraph))
        if len(numbers) > MOST_NUMBERS_UNDER_A_RESULT:
            yield (
                cell.number,
                f"{len(numbers)} numbers under a result; at most {MOST_NUMBERS_UNDER_A_RESULT}",
            )
    if counts and sum(counts) / len(counts) > MEAN_SENTENCES:
        yield (
            None,
            f"{sum(counts) / len(counts):.1f} sentences under a result on average; at most {MEAN_SENTENCES}",
        )


def rule_printed(book: Notebook) -> Found:
    """The core prints at most 150 numbers, a table has six rows at most, no line of code is too long."""
    if not is_taught(book):
        return
    code = [cell for cell in book.core if cell.is_code]
    if (count := sum(map(printed_numbers, code))) > MOST_NUMBERS:
        yield None, f"{count} printed numbers in the core; at most {MOST_NUMBERS}"
    for cell in code:
        most = MOST_ROWS_LOOKED_UP if "lookup" in cell.tags else MOST_ROWS
        for output in cell.outputs:
            data = output.get("data", {})
            html = text_of(data.get("text/html"))
            for table in re.findall(r"<table.*?</table>", html, re.DOTALL):
                rows = [row for row in re.findall(r"<tr.*?</tr>", table, re.DOTALL) if "<td" in row]
                if len(rows) > most:
                    yield cell.number, f"a table of {len(rows)} rows; at most {most}"
        hidden = cell.metadata.get("jupyter", {}).get("source_hidden", False)
        longest = max(map(len, cell.source.splitlines()), default=0)
        if longest > MOST_LINE and not hidden:
            yield cell.number, f"a line of {longest} characters in sight; at most {MOST_LINE}"


def rule_not_resolved(book: Notebook) -> Found:
    """A difference is called not resolved at most three times."""
    if not is_taught(book):
        return
    said = " ".join(cell.source if cell.is_text else printed(cell) for cell in book.core)
    if (count := said.lower().count("not resolved")) > MOST_NOT_RESOLVED:
        yield None, f"'not resolved' {count} times; at most {MOST_NOT_RESOLVED}"


def rule_stretches(book: Notebook) -> Found:
    """At most three stretches, of 700 words in all; five of 1,500 where the core is plain."""
    if not is_taught(book):
        return
    most, most_words = MOST_STRETCHES, MOST_STRETCH_WORDS
    if is_plain(book):
        most, most_words = PLAIN_STRETCHES, PLAIN_STRETCH_WORDS
    texts = [cell for cell in book.text if "stretch" in cell.tags]
    count = sum(cell.source.count("## Stretch") for cell in texts)
    words = sum(len(re.findall(r"\w\S*", cell.source)) for cell in texts)
    if count > most or words > most_words:
        yield (
            None,
            f"{count} stretches of {words} words; at most {most} of {most_words}",
        )


def rule_open_step(book: Notebook) -> Found:
    """A whole training step stands in sight: backward() and step()."""
    if not is_taught(book) or book.path.name[:2] in NO_STEP:
        return
    in_sight = [
        cell.source
        for cell in book.core
        if cell.is_code and not cell.metadata.get("jupyter", {}).get("source_hidden", False)
    ]
    if not any(".backward()" in source and ".step()" in source for source in in_sight):
        yield None, "no cell in sight shows a training step, with backward() and step()"


def rule_yours(book: Notebook) -> Found:
    """What the reader takes home needs nothing of this course: one short cell, or a few readable ones."""
    if not takes_home(book):
        return
    yours = [cell for cell in book.core if "yours" in cell.tags]
    cells, lines = (PLAIN_YOURS_CELLS, PLAIN_YOURS) if is_plain(book) else (range(1, 2), MOST_YOURS)
    if len(yours) not in cells:
        yield None, f"{len(yours)} cells tagged yours; {cells.start} to {cells.stop - 1}"
    if (count := sum(cell.lines for cell in yours)) not in lines:
        yield None, f"{count} lines to take home; {lines.start} to {lines.stop - 1}"
    if is_plain(book) and not any("pip install" in cell.source for cell in book.core):
        yield None, "no line says what to install at home ('pip install ...')"
    for cell in yours:
        if re.search(r"^\s*(?:from|import)\s+(?:lib|chapters|tools)\b", cell.source, re.MULTILINE):
            yield cell.number, "what is taken home imports the course"


def rule_frontier(book: Notebook) -> Found:
    """From 19 to 33 the picture grows by this notebook's dots."""
    has_dots = any("frontier" in cell.tags for cell in book.core if cell.is_code)
    if is_taught(book) and int(book.path.name[:2]) in FRONTIER and not has_dots:
        yield None, "no cell is tagged frontier"
