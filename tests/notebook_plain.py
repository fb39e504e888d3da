"""How plain a notebook's code and prose are, and whether what its reader writes is used.

The rules hold for the notebooks of `PLAIN`; the others are still in the older form, whose limits stand in
`notebook_form.py` and `notebook_dose.py`. The texts that readers like best have 3 to 12 such places in 265 to
970 lines of code, and 2.5 to 3.5 figures in a hundred words.
"""

import ast
import re
from collections.abc import Iterator
from typing import Any

from notebook_file import Cell, Found, Notebook, text_of

from lib.exercises import registry
from lib.exercises.spec import Exercise

PLAIN = tuple(f"{number:02}" for number in range(41))

MOST_PLACES = 5
MOST_FOLDED = 30
MOST_FIGURES = 4.0  # in a hundred words
MOST_FIGURES_UNDER_A_RESULT = 6
MOST_WORDS_TOLD = 3  # of a title in the code that answers a prediction
WIDE = 100  # characters
LONG_TEXT = 50  # characters of a formatted text that belongs into the notebook's drawings

DRAWS = re.compile(r"(?:^|\.)(?:draw_\w+|show_table)$")  # what gives a picture or a table its title
# a title with one of these is a sentence, and says what came out
VERB = re.compile(
    r"\b(?:is|are|has|have|was|were|does|do|can|cannot|than|hardly|no|know|learn|grow|get|forget"
    r"|(?:beat|cost|count|decide|differ|dominate|fall|fill|find|gain|give|help|hold|keep|lead|lean|let|look|lose"
    r"|make|move|need|pass|point|reach|rest|save|say|show|spell|spread|stay|take|tell|weigh|win)s)\b"
)
COMPREHENSION = ast.ListComp | ast.SetComp | ast.DictComp | ast.GeneratorExp
ONE_CALL = ast.Call | ast.Attribute | ast.Subscript | ast.Name | ast.Constant
FIGURE = re.compile(r"(?<![\w.,])-?\d[\d,]*(?:\.\d+)?")
WORD = re.compile(r"[A-Za-z][A-Za-z'’-]*")
WHAT_YOU_SAW = "**What you saw"
GOES_ON = ("working", "use", "using", "install")


def is_plain(book: Notebook) -> bool:
    """Whether the notebook was written by these rules."""
    return book.path.name[:2] in PLAIN


def is_folded(cell: Cell) -> bool:
    """Whether the code is out of sight until the reader opens it."""
    return bool(cell.metadata.get("jupyter", {}).get("source_hidden", False))


# ---------------------------------------------------------------------------------------------
# Code


def places(cell: Cell) -> Iterator[str]:
    """What has to be read twice in the code of a cell: each place, with its line."""
    statements: dict[int, int] = {}
    for node in ast.walk(cell.tree):
        if isinstance(node, ast.stmt) and not hasattr(node, "body"):
            statements[node.lineno] = statements.get(node.lineno, 0) + 1
        if said := dense(node):
            yield f"line {getattr(node, 'lineno', '?')}: {said}"
    yield from (f"line {line}: {count} statements" for line, count in statements.items() if count > 1)
    draws = re.search(r"figures\.show|draw_", cell.source)
    for number, line in enumerate(cell.source.splitlines(), start=1):
        if len(line) > WIDE:
            yield f"line {number}: {len(line)} characters"
        builds = "join(" in line or re.search(rf"\bf([\"']).{{{LONG_TEXT},}}\1", line)
        if draws and builds:
            yield f"line {number}: a text is built where a picture is drawn"


def dense(node: ast.AST) -> str:
    """Why a node has to be read twice; nothing if it hasn't."""
    match node:
        case ast.NamedExpr():
            return "a walrus"
        case ast.Lambda(body=body) if not isinstance(body, ONE_CALL):
            return "a lambda that is more than a call"
        case ast.ListComp() | ast.SetComp() | ast.DictComp() | ast.GeneratorExp():
            inside = any(one is not node and isinstance(one, COMPREHENSION) for one in ast.walk(node))
            return "a comprehension of two loops" if inside or len(node.generators) > 1 else ""
        case ast.Expr(value=ast.Tuple(elts=parts)) if has_calls(parts, 1):
            return "calls in a tuple"
        case ast.Assign(targets=[ast.Tuple()], value=ast.Tuple(elts=parts)) if has_calls(parts, 2):
            return "several calls unpacked"
        case ast.FormattedValue() if any(isinstance(one, ast.IfExp) for one in ast.walk(node)):
            return "a condition in an f-string"
    return ""


def has_calls(parts: list[ast.expr], least: int) -> bool:
    """Whether so many of the expressions are calls."""
    return sum(isinstance(part, ast.Call) for part in parts) >= least


def rule_plain_code(book: Notebook) -> Found:
    """Open code has at most five places that must be read twice; little code is folded away."""
    if not is_plain(book):
        return
    code = [cell for cell in book.core if cell.is_code]
    found = [
        (cell.number, place)
        for cell in code
        if "exercise" not in cell.tags and not is_folded(cell)
        for place in places(cell)
    ]
    if len(found) > MOST_PLACES:
        yield from found
    if (folded := sum(cell.lines for cell in code if is_folded(cell))) > MOST_FOLDED:
        yield None, f"{folded} lines in folded cells; at most {MOST_FOLDED}"


# ---------------------------------------------------------------------------------------------
# Prose


def plain_prose(source: str) -> str:
    """Running text: without code, formulas on lines of their own, tables, headings, years and notebooks."""
    for pattern in (
        r"(?s)```.*?```|`[^`]*`|\$\$.*?\$\$",
        r"(?m)^(?:\||#+ ).*$",
        r"\[notebook \d\d?\]|notebooks? \d\d?(?:(?:, | and | to )\d\d?)*|\b(?:19|20)\d\d\b|\(\d\d\)",
        r"(?<=\])\([^)]*\)",
        r"<[^>]+>",
    ):
        source = re.sub(pattern, " ", source)
    return source


def figures_in(source: str) -> int:
    """How many figures a reader meets in a text."""
    return len(FIGURE.findall(plain_prose(source)))


def rule_few_figures(book: Notebook) -> Found:
    """At most four figures in a hundred words of prose, and six under a result."""
    if not is_plain(book):
        return
    texts = [cell.source for cell in book.core if cell.is_text]
    words = sum(len(WORD.findall(plain_prose(text))) for text in texts)
    rate = 100 * sum(map(figures_in, texts)) / max(1, words)
    if rate > MOST_FIGURES:
        yield None, f"{rate:.1f} figures in a hundred words; at most {MOST_FIGURES:.0f}"
    for cell in book.core:
        if cell.is_text and cell.source.startswith(WHAT_YOU_SAW):
            count = figures_in(cell.source.split("\n\n")[0])
            if count > MOST_FIGURES_UNDER_A_RESULT:
                yield cell.number, f"{count} figures under a result; at most {MOST_FIGURES_UNDER_A_RESULT}"


# ---------------------------------------------------------------------------------------------
# What the reader writes


def checked(cell: Cell) -> Exercise | None:
    """The exercise that a cell checks."""
    for call in cell.calls("check") if "check" in cell.tags else []:
        first = call.args[0] if call.args else None
        if isinstance(first, ast.Constant) and first.value in registry.names():
            return registry.get(first.value)
    return None


def rule_the_readers_function_runs(book: Notebook) -> Found:
    """After each exercise that is code, the notebook goes on with the reader's own function."""
    if not is_plain(book):
        return
    code = [cell for cell in book.core if cell.is_code]
    for place, cell in enumerate(code):
        exercise = checked(cell)
        if exercise and exercise.by_code and not is_used(exercise.name, code[place + 1 :]):
            yield cell.number, f"{exercise.name} is written and never run: working({exercise.name})"


def is_used(name: str, later: list[Cell]) -> bool:
    """Whether the answer of that name is put to work, and what `working` gives is called by its name."""
    for place, cell in enumerate(later):
        for call in [call for word in GOES_ON for call in cell.calls(word)]:
            if name not in [ast.unparse(argument) for argument in call.args]:
                continue
            if ast.unparse(call.func) != "working":
                return True
            bound = [
                ast.unparse(node.targets[0])
                for node in ast.walk(cell.tree)
                if isinstance(node, ast.Assign) and node.value is call
            ]
            return bool(bound) and any(reads(cell, bound[0]) for cell in later[place:])
    return False


def reads(cell: Cell, name: str) -> bool:
    """Whether a name's value is used in a cell."""
    loaded = (node for node in ast.walk(cell.tree) if isinstance(node, ast.Name))
    return any(node.id == name and isinstance(node.ctx, ast.Load) for node in loaded)


def rule_nothing_is_given_away(book: Notebook) -> Found:
    """Under an exercise or explorer that a value answers, what you saw is folded and nothing printed."""
    if not is_plain(book):
        return
    asked = False
    for cell in book.core:
        if cell.is_code:
            exercise = checked(cell)
            if exercise:
                asked = not exercise.by_code
            if cell.calls("explore"):
                asked = True
                if FIGURE.search(printed(cell.outputs)):
                    yield cell.number, "figures are printed under an explorer"
        elif asked and cell.source.startswith("#"):
            asked = False
        elif asked and cell.source.startswith(WHAT_YOU_SAW):
            asked = False
            if not cell.folded:
                yield cell.number, "tells what an exercise or explorer asks for: fold it"


def rule_nothing_is_told_in_code(book: Notebook) -> Found:
    """What answers a prediction holds no title that is a sentence: titles are read off the data."""
    if not is_plain(book):
        return
    asked = False
    for cell in book.cells:
        if cell.is_text:
            told = cell.source.startswith((WHAT_YOU_SAW, "#")) or bool(cell.folded)
            asked = "**Predict:**" in cell.source or (asked and not told)
        elif asked or "reveal" in cell.tags:
            yield from ((cell.number, f"tells before it is run: {text!r}") for text in told_texts(cell))


def told_texts(cell: Cell) -> Iterator[str]:
    """The titles in a cell's code that are sentences: whoever reads them knows what will come out."""
    for node in ast.walk(cell.tree):
        if isinstance(node, ast.Call) and DRAWS.search(ast.unparse(node.func)):
            given = [*node.args, *(keyword.value for keyword in node.keywords)]
            titles = [
                one.value for one in given if isinstance(one, ast.Constant) and isinstance(one.value, str)
            ]
            yield from filter(is_sentence, titles)


def is_sentence(title: str) -> bool:
    """Whether a title states something; a question doesn't."""
    words = len(WORD.findall(title))
    return words > MOST_WORDS_TOLD and bool(VERB.search(title)) and not title.endswith("?")


def printed(outputs: list[dict[str, Any]]) -> str:
    """What a cell has printed as text."""
    return " ".join(text_of(output.get("text")) for output in outputs)


def rule_own_files(book: Notebook) -> Found:
    """What a reader names as their own folder and file is read, and never written over by an example."""
    if not is_plain(book):
        return
    for cell in book.core:
        if not cell.is_code or "yours" in cell.tags:
            continue
        for call in [node for node in ast.walk(cell.tree) if isinstance(node, ast.Call)]:
            saves = ast.unparse(call.func).split(".")[-1].startswith("save")
            if saves and {"model_folder", "text_file"} & {ast.unparse(argument) for argument in call.args}:
                yield cell.number, "saves an example where the reader names something of their own"
