"""The form of a notebook, as a reader meets it: sections with minutes, prose, results, figures, terms, links.

`notebook_rules.py` runs these rules with the others. `clock` estimates the minutes of each section.
"""

import ast
import calendar
import re
from collections.abc import Iterator
from dataclasses import dataclass, field

from notebook_dose import is_taught, printed_numbers, takes_home
from notebook_file import Cell, Found, Notebook, text_of
from notebook_plain import checked, figures_in, is_folded, is_plain

from tools.folded import PREDICT
from tools.glossary import CORE

CORE_MINUTES = (45, 60)
PLAIN_MINUTES = (35, 75)
CORE_WORDS = (1800, 2800)
PLAIN_WORDS = (1200, 2300)
MAX_SECTIONS, MAX_PLAIN_SECTIONS = 5, 4
MAX_CORE_CODE = 25
MAX_CORE_EXERCISES = 3
MAX_WIDGETS = 2
MAX_SLIDE_LINES = 10
MAX_SHOWING_LINES = 4  # a cell that shows more than it computes, and is longer, is folded
CLOSING = ("What you now know", "Exit quiz", "Read on")
YOURS = "Now yours"  # comes before these where a notebook has it

# Minutes, timed by reading notebooks aloud and doing what they ask; of `TAUGHT` as a student needed them.
WORDS_A_MINUTE, STUDIED_A_MINUTE = 130, 110
MINUTES_A_NUMBER = 8 / 60  # that is printed
MINUTES_A_LINE = 0.1  # of code that is in sight
MINUTES_A_PICTURE = 0.67  # or a table
MINUTES_A_QUESTION = 1.0  # a prediction, an explorer, a question of the quiz
# Of the notebooks of `PLAIN`, whose code is read, folded code too.
PLAIN_WORDS_A_MINUTE = 150
CHARACTERS_A_MINUTE = 500
MINUTES_A_FIGURE = 0.1  # in prose

HEADING = re.compile(r"^## (?:(?P<number>\d)\. )?(?P<title>.+?)(?: \((?P<minutes>\d+) min\))?$", re.MULTILINE)
EXERCISE = re.compile(r"^### Exercise \d: .+ \((?P<minutes>\d+) min\)$", re.MULTILINE)
POSITIVE = re.compile(r"(?<![\w.,])\d+(?:,\d{3})*(?:\.\d+)?")
BASE64 = re.compile(r"base64,[A-Za-z0-9+/=]+")
PLAN = re.compile(  # what a lecturer's figures may be of their own: minutes, places, years
    r"\(\d+(?=[,;)])|\b\d+(?:\.\d)? (?:minutes|seconds|weeks)\b|\]\([^)]*\)|\b(?:19|20)\d\d\b"
    r"|\b(?:section|exercise|notebook|lecture|question|slide)s? \d+(?:(?:, | and | to | or )\d+)*"
)
IF_LATE = re.compile(r"\*\*If you are late by ten minutes:\*\*.*\b(?:section|exercise)s? \d", re.DOTALL)
WHAT_YOU_SAW = "**What you saw"
LINK = re.compile(r"\[(?P<text>[^\]]+)\]\((?P<target>https?://[^)\s]+)\)")
CITED = re.compile(
    r"\b(?P<name>[A-Z][\w’'-]+)(?: and [A-Z][\w’'-]+| et al\.| and others)?,? \(?(?P<year>(?:19|20)\d\d)\b"
)
MONTHS = calendar.month_name[1:]
NUMBER = re.compile(
    r"(?P<hedge>\b(?:about|nearly|almost|roughly|around|some|over|under|than|half) )?"
    r"(?<![\w.,/-])(?P<number>\d+(?:,\d{3})*(?:\.\d+)?)(?P<percent>\s?%)?(?![\w-])"
)


def prose_of(cell: Cell) -> str:
    """What a reader reads: without code, formulas, tags and the targets of links."""
    text = re.sub(r"```.*?```|\$\$.*?\$\$", " ", cell.source, flags=re.DOTALL)
    text = re.sub(r"`[^`]*`|\$[^$\n]*\$", "x", text)
    text = LINK.sub(lambda link: link["text"], text)
    return re.sub(r"<[^>]*>", " ", text)


def words_of(cell: Cell) -> int:
    """How many words a text cell holds."""
    return len(re.findall(r"\w\S*", prose_of(cell)))


@dataclass
class Section:
    """What stands under one heading of the core."""

    title: str
    number: str | None
    minutes: int | None
    is_studied: bool  # of a notebook that counts every number
    is_plain: bool
    cells: list[Cell] = field(default_factory=list)

    @property
    def estimate(self) -> float:
        """The minutes that a reader takes: words, code, pictures, predictions, exercises."""
        if self.is_plain:
            return sum(map(plain_minutes, self.cells))
        minutes = 0.0
        words_a_minute = STUDIED_A_MINUTE if self.is_studied else WORDS_A_MINUTE
        for cell in self.cells:
            if cell.is_text:
                minutes += words_of(cell) / words_a_minute
                questions = cell.source.count(PREDICT) + cell.source.count("<details>")
                minutes += MINUTES_A_QUESTION * questions
                minutes += sum(int(found["minutes"]) for found in EXERCISE.finditer(cell.source))
            elif cell.is_code:
                in_sight = not is_folded(cell) and not {"exercise", "check"} & set(cell.tags)
                minutes += MINUTES_A_LINE * cell.lines * in_sight
                minutes += MINUTES_A_PICTURE * sum(is_shown(output) for output in cell.outputs)
                minutes += MINUTES_A_QUESTION * len(cell.calls("explore"))
                minutes += MINUTES_A_NUMBER * printed_numbers(cell) * self.is_studied
        return minutes


def plain_minutes(cell: Cell) -> float:
    """The minutes of one cell where code is written to be read; what is taken home is read at home."""
    if cell.is_text:
        questions = cell.source.count(PREDICT) + cell.source.count("<details>")
        asked = sum(int(found["minutes"]) for found in EXERCISE.finditer(cell.source))
        figures = MINUTES_A_FIGURE * figures_in(cell.source)
        return words_of(cell) / PLAIN_WORDS_A_MINUTE + questions + asked + figures
    if not cell.is_code or {"exercise", "check", "yours"} & set(cell.tags):
        return 0.0
    shown = sum(is_shown(output) for output in cell.outputs) + len(cell.calls("explore"))
    return len(cell.source) / CHARACTERS_A_MINUTE + shown


def is_shown(output: dict[str, object]) -> bool:
    """Whether an output is a picture or a table."""
    data = output.get("data", {})
    return isinstance(data, dict) and bool({"image/png", "text/html"} & set(data))


def sections(book: Notebook) -> list[Section]:
    """The core from its first `##` heading on."""
    found: list[Section] = []
    for cell in book.core:
        heading = HEADING.search(cell.source) if cell.is_text else None
        if heading:
            minutes = heading["minutes"]
            minutes_said = int(minutes) if minutes else None
            kind = is_taught(book), is_plain(book)
            found.append(Section(heading["title"], heading["number"], minutes_said, *kind))
        if found:
            found[-1].cells.append(cell)
    return found


def number_of(book: Notebook) -> str:
    """The notebook's number, such as 05."""
    return book.path.name[:2]


def clock(book: Notebook) -> str:
    """A line for each section: the minutes that its heading says, and the estimate."""
    lines = [
        f"{section.minutes or '-':>4} said {section.estimate:5.1f} estimated  {section.title}"
        for section in sections(book)
    ]
    words = sum(words_of(cell) for cell in book.core if cell.is_text)
    total = sum(section.estimate for section in sections(book))
    return "\n".join([*lines, f"     {total:5.1f} minutes, {words} words in the core"])


def rule_sections(book: Notebook) -> Found:
    """At most five numbered sections, then what you now know, the quiz and where to read on."""
    parts = sections(book)
    most = MAX_PLAIN_SECTIONS if is_plain(book) else MAX_SECTIONS
    numbers = [part.number for part in parts if part.number]
    if not 2 <= len(numbers) <= most or numbers != [str(i + 1) for i in range(len(numbers))]:
        yield (
            None,
            f"numbered sections {numbers}; two to {most}, counted from 1 ('## 1. Title (9 min)')",
        )
    for part in parts[: len(numbers)]:
        if part.number is None:
            yield part.cells[0].number, f"the section {part.title!r} has no number"
    closing = tuple(part.title for part in parts[len(numbers) :])
    expected = (YOURS, *CLOSING) if takes_home(book) else CLOSING
    if closing != expected:
        yield None, f"the core ends with {closing}, it should be {expected}"
    for part in parts:
        if part.minutes is None and part.title != "Read on":
            yield part.cells[0].number, f"the heading {part.title!r} does not say its minutes"


def rule_clock(book: Notebook) -> Found:
    """The minutes at the headings are those that a reader takes; the core takes about an hour."""
    parts = sections(book)
    share = 0.2 if is_plain(book) else 0.3
    for part in parts:
        if part.minutes and abs(part.minutes - part.estimate) > max(2.0, share * part.estimate):
            yield (
                part.cells[0].number,
                f"{part.minutes} minutes for {part.title!r}; {part.estimate:.1f} by the clock",
            )
    total = sum(part.minutes or 0 for part in parts)
    low, high = PLAIN_MINUTES if is_plain(book) else CORE_MINUTES
    if not low <= total <= high:
        yield None, f"the core takes {total} minutes; {low} to {high}"
    said = re.search(r"About (\d+) minutes", book.cells[0].source)
    if said is None or int(said[1]) != total:
        yield 0, f"the opening should say 'About {total} minutes', the sum of the headings"


def rule_words(book: Notebook) -> Found:
    """The core has as much prose as its ideas need."""
    words = sum(words_of(cell) for cell in book.core if cell.is_text)
    least, most = PLAIN_WORDS if is_plain(book) else CORE_WORDS
    if not least <= words <= most:
        yield None, f"{words} words in the core; {least:,} to {most:,}"


def rule_core(book: Notebook) -> Found:
    """The core has few cells of code, exercises and explorers; what goes further stands after it."""
    core = book.core
    if (cells := sum(cell.is_code for cell in core)) > MAX_CORE_CODE and not is_plain(book):
        yield None, f"{cells} code cells in the core; at most {MAX_CORE_CODE}"
    if (exercises := sum("exercise" in cell.tags for cell in core)) > MAX_CORE_EXERCISES:
        yield None, f"{exercises} exercises in the core; at most {MAX_CORE_EXERCISES}"
    if (widgets := sum(len(cell.calls("explore")) for cell in core if cell.is_code)) > MAX_WIDGETS:
        yield None, f"{widgets} explorers in the core; at most {MAX_WIDGETS}"
    stretch = [cell.number for cell in book.cells if "stretch" in cell.tags]
    for cell in core:
        if stretch and cell.number > stretch[0]:
            yield cell.number, "a cell of the core after a cell tagged stretch"


def rule_needs(book: Notebook) -> Found:
    """What a notebook needs comes before it; a core notebook needs core notebooks only."""
    number = number_of(book)
    needs = re.search(r"You need\b.*?(?:\n\n|\Z)", book.cells[0].source, re.DOTALL)
    if needs is None:
        yield 0, "the opening does not say what you need ('You need ...')"
        return
    for named in re.findall(r"\b([0-4]\d)\b", needs[0]):
        if named >= number or (number in CORE and named not in CORE):
            yield 0, f"needs notebook {named}, which comes later or is not in the core route"


def rule_schematic(book: Notebook) -> Found:
    """The core has a schematic: what flows where."""
    if not any("schematic" in cell.tags and cell.has_picture() for cell in book.core):
        yield None, "no cell of the core is tagged schematic and shows a picture"


def rule_folded(book: Notebook) -> Found:
    """Code that only draws is folded, under a comment that says what is drawn."""
    for cell in book.code:
        if is_folded(cell):
            if not cell.source.startswith("# "):
                yield cell.number, "folded, but its first line is no comment that says what it shows"
        elif not {"exercise", "check", "use"} & set(cell.tags) and not is_plain(book):
            showing = sum(
                node.end_lineno - node.lineno + 1
                for node in cell.tree.body
                if isinstance(node, ast.Expr) and node.end_lineno and shows(node)
            )
            if cell.lines > MAX_SHOWING_LINES and showing > cell.lines / 2:
                yield (
                    cell.number,
                    f"{showing} of {cell.lines} lines draw: fold the cell, a caption comment first",
                )


def shows(node: ast.AST) -> bool:
    """Whether a statement displays a figure, a table or an explorer."""
    return bool(re.match(r"(?:figures\.)?(?:show\w*|explore)\(", ast.unparse(node)))


def rule_result(book: Notebook) -> Found:
    """Under a result that answers a prediction, and in each section with a result, stands what you saw."""
    core = book.core
    for place, cell in enumerate(core):
        if cell.is_code and "reveal" in cell.tags:
            following = next((later for later in core[place + 1 :] if later.is_text), None)
            if following is None or not following.source.startswith(WHAT_YOU_SAW):
                yield cell.number, f"the next text does not begin with {WHAT_YOU_SAW}.**"
    for part in sections(book):
        results = [c for c in part.cells if c.is_code and "schematic" not in c.tags and c.has_picture()]
        if part.number and results and not any(WHAT_YOU_SAW in cell.source for cell in part.cells):
            yield part.cells[0].number, f"the section {part.title!r} does not say what you saw"


def rule_predictions(book: Notebook) -> Found:
    """What you saw is folded where it answers a prediction or an exercise, and nowhere else."""
    predicted = False
    for cell in book.cells:
        if cell.is_code:
            asks = bool(cell.calls("explore")) or is_answered_by_a_value(cell)
            predicted = predicted or (is_plain(book) and asks)
        if not cell.is_text:
            continue
        if cell.source.startswith(WHAT_YOU_SAW):
            if predicted != bool(cell.folded):
                yield cell.number, "answers a prediction: fold it" if predicted else "answers none: unfold it"
            if PREDICT in cell.folded:
                yield cell.number, "the next prediction is folded, too"
        ended = cell.source.startswith((WHAT_YOU_SAW, "#"))
        predicted = PREDICT in cell.source or (predicted and not ended)


def is_answered_by_a_value(cell: Cell) -> bool:
    """Whether a cell checks an exercise whose answer can be read off a text."""
    exercise = checked(cell)
    return exercise is not None and not exercise.by_code


def rule_numbers(book: Notebook) -> Found:
    """A number under a result was computed in this notebook, or its sentence cites who computed it."""
    known = list(numbers_in(book))
    for cell in book.core:
        if not (cell.is_text and cell.source.startswith(WHAT_YOU_SAW)):
            continue
        for sentence in re.split(r"(?<=[.?!:])\s+", cell.source):
            if LINK.search(sentence):
                continue
            plain = re.sub(r"`[^`]*`|\$[^$]*\$|\bnotebooks? [\d, andto]+", " ", sentence)
            for found in NUMBER.finditer(plain):
                value = float(found["number"].replace(",", ""))
                if not stands(value, found["number"], bool(found["percent"]), bool(found["hedge"]), known):
                    yield cell.number, f"{found[0].strip()!r} is in no output of this notebook"


def stands(value: float, written: str, percent: bool, hedged: bool, known: list[float]) -> bool:
    """Whether a number in prose is one of those known, rounded as it is written."""
    if not percent and value == int(value) and value <= 12:
        return True  # counted in words elsewhere: layers, heads, tries
    if not percent and 1900 < value < 2100:
        return True  # a year
    decimals = len(written.partition(".")[2])
    slack = 0.2 * value if hedged else 0.5000001 * 10**-decimals
    candidates = [*known, *(100 * number for number in known)] if percent else known
    return any(abs(abs(number) - value) <= slack for number in candidates)


def numbers_in(book: Notebook) -> Iterator[float]:
    """Every number in the outputs and the code of a notebook."""
    for cell in book.code:
        said = [cell.source]
        for output in cell.outputs:
            said += [text_of(output.get("text")), text_of(output.get("data", {}).get("text/plain"))]
        for number in re.findall(r"(?<![\w.])[-−]?\d[\d,_]*(?:\.\d+)?(?:e[-+]?\d+)?", " ".join(said)):
            yield float(number.replace(",", "").replace("_", "").replace("−", "-"))


def rule_citations(book: Notebook) -> Found:
    """A work that is cited is a link where it is first named."""
    linked: set[tuple[str, str]] = set()
    for cell in book.text:
        text = re.sub(r"`[^`]*`", " ", cell.source)
        for link in LINK.finditer(text):
            for name in re.findall(r"[A-Z][\w’'-]+", link["text"]):
                linked |= {(name, year) for year in re.findall(r"(?:19|20)\d\d", link["text"])}
        for cited in CITED.finditer(LINK.sub(" ", text)):
            if cited["name"] not in MONTHS and (cited["name"], cited["year"]) not in linked:
                linked.add((cited["name"], cited["year"]))  # said once
                yield cell.number, f"{cited[0]!r} is not a link"


def rule_closing(book: Notebook) -> Found:
    """Five lines of what you now know, three questions with reasons, references as links."""
    for part in sections(book):
        text = "\n".join(cell.source for cell in part.cells if cell.is_text)
        if part.title == "What you now know" and (lines := len(re.findall(r"^- ", text, re.MULTILINE))) != 5:
            yield part.cells[0].number, f"{lines} lines of what you now know; there are five"
        if part.title == "Exit quiz" and (asked := text.count("<details>")) != 3:
            yield part.cells[0].number, f"{asked} questions with an answer; there are three"
        if part.title == "Read on" and len(LINK.findall(text)) < 2:
            yield part.cells[0].number, "fewer than two references with links"


def rule_lecture(book: Notebook) -> Found:
    """Each cell says what it is on a slide; a lecturer finds plans, and what can be left out."""
    for cell in book.core:
        if cell.slide not in ("slide", "subslide", "fragment", "skip"):
            yield cell.number, "the cell does not say what it is on a slide (slideshow.slide_type)"
        shown = cell.is_code and cell.slide != "skip" and not is_folded(cell) and not cell.has_picture()
        if shown and cell.lines > MAX_SLIDE_LINES and not {"exercise", "yours"} & set(cell.tags):
            yield cell.number, f"{cell.lines} lines and no figure on a slide; at most {MAX_SLIDE_LINES}"
    notes = " ".join(cell.source for cell in book.text if "notes" in cell.tags)
    if not notes:
        yield None, "no text cell is tagged notes (for the lecturer)"
    elif not ("50" in notes and "90" in notes):
        yield None, "the lecturer's notes do not give a plan for 50 and for 90 minutes"
    elif not IF_LATE.search(notes):
        yield None, "the lecturer's notes do not say which section or exercise to leave out if one is late"


def rule_lecturers_know_no_more(book: Notebook) -> Found:
    """A lecturer's note has no figure that the learner's page lacks, where one rounded counts as the same."""
    page = " ".join(shown_text(cell) for cell in book.cells if "notes" not in cell.tags)
    figures = {found.replace(",", "") for found in POSITIVE.findall(page)}
    there = {
        rounded for figure in figures for rounded in (figure, *(f"{float(figure):.{n}f}" for n in (0, 1)))
    }
    for cell in book.text:
        if "notes" in cell.tags:
            said = [found.replace(",", "") for found in POSITIVE.findall(PLAN.sub(" ", cell.source))]
            yield from (
                (cell.number, f"the note's {figure} isn't on the page")
                for figure in said
                if figure not in there
            )


def shown_text(cell: Cell) -> str:
    """All text of a cell: its source, what it prints and what its pictures are called."""
    parts = [cell.source, cell.folded, *(text_of(output.get("text")) for output in cell.outputs)]
    for output in cell.outputs:
        parts += [text_of(text) for kind, text in output.get("data", {}).items() if kind.startswith("text/")]
    return BASE64.sub("", " ".join(parts))
