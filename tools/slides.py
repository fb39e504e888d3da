"""A deck of slides from the cells of a notebook: one HTML file that runs in any browser without a network.

What a slide shows of a cell, and which cell begins one, stands in CONTRIBUTING. This module chooses what is
shown and puts it on pages of 1280 x 720. The script in `slides.html` then measures each page in the browser
that projects it, and moves what does not fit to a page of its own. reveal.js is read at run time from the
package that carries it.
"""

from __future__ import annotations

import ast
import importlib.resources
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from html import escape
from pathlib import Path

from jinja2 import Environment
from markdown_it.tree import SyntaxTreeNode
from nbformat import NotebookNode
from pygments import highlight
from pygments.formatters import HtmlFormatter
from pygments.lexers import PythonLexer

from lib.files import write_whole
from tools import formulas
from tools.folded import SAW, unfolded
from tools.notebook_files import has_tag, read_notebook

MOST_LINES = 10  # of code on a slide
MOST_PRINTED = 14  # lines of printed text
LEAD_WORDS = 25  # a paragraph of so many words stays with the list, the table or the formula that it leads to
FEW = 4  # words in bold: no sentence, but a name or a label
NARROW = 76  # characters of code or print in a line; more are set smaller

STRETCH = "Stretch: "  # how the heading of a stretch begins
PART = re.compile(r"^(?=## )", re.MULTILINE)
MINUTES = re.compile(r"\s*\((?:about )?\d+ min(?:utes)?\)")
DETAILS = re.compile(r"<details>\s*<summary>.*?</summary>(?P<answer>.*?)</details>", re.DOTALL)
DISPLAY = re.compile(r"^\$\$.+?\$\$[.,]?[ \t]*$", re.DOTALL | re.MULTILINE)
TOLD = re.compile(r'class="said"|<strong>[^<]*:</strong>')
ASKED = re.compile(r"<strong>[^<]*:</strong>.*", re.DOTALL)  # such as "Predict: ...", to the paragraph's end
SENTENCE = re.compile(r"([.?!](?:</(?:strong|em|a|code|dfn)>)*)\s+(?=[A-Z<(“])")
REFERS = re.compile(  # to what stands before: such words can't begin a page
    r"\s*(?:Predict:.*\b(?:it|its|they|them|their|both)\b"
    r"|(?:But|Both|It|Its|They|Their|This|That|These|Those|Such|Here|There|So|And|The first|The second)\b)",
    re.DOTALL,
)
STRONG = re.compile(r"<strong>(?P<words>.+?)(?P<stop>[?!]?)</strong>", re.DOTALL)


@dataclass(eq=False)  # two pages that look alike are two
class Slide:
    """A page: a heading, blocks of HTML one below the other, and what the lecturer reads beside it."""

    anchor: str = ""  # its address in the deck
    row: list[str] = field(default_factory=list)  # the rows of a lecture's table that this page begins
    running: str = ""  # the section, in small print above
    heading: str = ""
    level: int = 0  # of the heading; 0 without one
    blocks: list[str] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)
    begins: bool = False  # a page of its own, wherever its cell stands
    is_figure: bool = False  # with a picture stands nothing but what is said of it

    @property
    def is_empty(self) -> bool:
        return not (self.heading or self.blocks)


def parts_of(book: NotebookNode) -> dict[str, list[NotebookNode]]:
    """The cells of a notebook by their heading, without its minutes; "" is the opening."""
    parts: dict[str, list[NotebookNode]] = {"": []}
    cells = parts[""]
    for cell in book.cells:
        if cell.cell_type != "markdown":
            cells.append(cell)
            continue
        for source in filter(None, PART.split(cell.source)):
            if source.startswith("## "):
                heading = source.partition("\n")[0].removeprefix("## ")
                cells = parts[MINUTES.sub("", heading).strip()] = []
            cells.append(NotebookNode(cell | {"source": source}))
    return parts


def stretches_of(book: NotebookNode) -> list[str]:
    """The names of a notebook's stretches."""
    return [name.removeprefix(STRETCH) for name in parts_of(book) if name.startswith(STRETCH)]


def choose_stretches(notebooks: Sequence[Path], names: Sequence[str]) -> dict[Path, list[str]]:
    """Which of these stretches each notebook has. ValueError lists what there is if none has one of them."""
    there = {
        notebook: {name.lower(): name for name in stretches_of(read_notebook(notebook))}
        for notebook in notebooks
    }
    wanted = [MINUTES.sub("", name).strip().lower() for name in names]
    for name in wanted:
        if not any(name in stretches for stretches in there.values()):
            listed = "; ".join(one for stretches in there.values() for one in stretches.values())
            raise ValueError(f"There is no stretch {name!r}; there are: {listed or 'none'}.")
    return {
        notebook: [there[notebook][name] for name in wanted if name in there[notebook]] for notebook in there
    }


def slides_of(book: NotebookNode, stretches: Sequence[str] = ()) -> list[Slide]:
    """The slides of a notebook's core, in order, and then those of the stretches with these names."""
    parts = parts_of(book)
    core = [cell for cell in book.cells if not has_tag(cell, "stretch")]
    return pages_of(core + [cell for name in stretches for cell in parts[STRETCH + name]])


def pages_of(cells: Sequence[NotebookNode]) -> list[Slide]:
    """The slides of cells, in order."""
    deck = [Slide()]
    running = ""
    for cell in cells:
        place = _place(cell)
        if place in ("skip", "notes") or has_tag(cell, "notes"):
            if cell.cell_type == "markdown":
                deck[-1].notes += map(_html, _blocks(cell.source))
            continue
        begins = place in ("slide", "subslide")
        for slide in _from_text(unfolded(cell.source)) if cell.cell_type == "markdown" else _from_code(cell):
            if slide.is_empty:
                continue
            if slide.level == 2:
                running = slide.heading
            is_caption = place == "fragment" and all("said" in block for block in slide.blocks)
            if begins or slide.begins or (deck[-1].is_figure and not is_caption):
                slide.running = running if slide.level in (0, 3) else ""
                deck.append(slide)
            else:
                wrap = f"{FRAGMENT}{{}}</div>" if place == "fragment" else "{}"
                deck[-1].blocks += map(wrap.format, slide.blocks)
                deck[-1].notes += slide.notes
            begins = False
    return deck[1:] if deck[0].is_empty else deck


def _place(cell: NotebookNode) -> str:
    """What a cell is on a slide; cells of a stretch, which is shown if named, don't say it themselves."""
    if not has_tag(cell, "stretch"):
        return cell.metadata.get("slideshow", {}).get("slide_type", "")
    return "fragment" if unfolded(cell.source).startswith(SAW) else "subslide"


def page(slides: Sequence[Slide], title: str) -> str:
    """A deck as one HTML page that asks nothing of the network."""
    reveal = importlib.resources.files("pyreveal") / "revealjs" / "dist"
    styles, *scripts = [
        (reveal / name).read_text("utf-8") for name in ("reveal.css", "reveal.js", "plugin/notes.js")
    ]
    template = Environment(autoescape=True).from_string(
        Path(__file__).with_name("slides.html").read_text("utf-8")
    )
    # a script must not hold what would end it
    scripts = [re.sub(r"<(/script|!--)", r"<\\\1", script, flags=re.IGNORECASE) for script in scripts]
    return template.render(
        title=title,
        slides=slides,
        styles=styles + _colors().get_style_defs(".code"),
        scripts=scripts,
    )


def write_deck(notebook: Path, folder: Path, stretches: Sequence[str] = ()) -> tuple[Path, list[Slide]]:
    """Write the deck of a notebook into `folder` as NN_name.slides.html, whole or not at all."""
    deck = slides_of(read_notebook(notebook), stretches)
    target = folder / f"{notebook.stem}.slides.html"
    write_whole(target, page(deck, notebook.stem))
    return target, deck


# ---------------------------------------------------------------------------------------------
# Text cells


def _from_text(source: str) -> Iterator[Slide]:
    """A slide for each heading of a text cell, and one for what stands before the first."""
    slide = Slide()
    group: list[SyntaxTreeNode] = []
    for node in _blocks(source):
        if node.type != "heading":
            group.append(node)
            continue
        yield _filled(slide, group)
        heading = MINUTES.sub("", _html(node.children[0]))
        slide, group = Slide(heading=heading, level=int(node.tag[1]), begins=True), []
    yield _filled(slide, group)


def _filled(slide: Slide, group: Sequence[SyntaxTreeNode]) -> Slide:
    """The slide with what it shows of these blocks, and the rest in its notes."""
    blocks = [_html(node) for node in group]
    if slide.heading.startswith("Exercise"):  # its statement is read by everybody
        slide.blocks = blocks
        return slide
    neighbors = zip([None, *group], group, [*group[1:], None], strict=False)
    shown = [_shown(before, node, after) for before, node, after in neighbors]
    prose = [
        number for number, node in enumerate(group) if node.type == "paragraph" and not _stands_alone(node)
    ]
    is_told = any(shown[number] == blocks[number] or TOLD.search(shown[number]) for number in prose)
    if prose and not is_told:
        shown[prose[0]] = blocks[prose[0]]
    slide.blocks = [block for block in shown if block]
    slide.notes = [block for block, part in zip(blocks, shown, strict=True) if part != block]
    return slide


def _shown(before: SyntaxTreeNode | None, node: SyntaxTreeNode, after: SyntaxTreeNode | None) -> str:
    """What of a block stands on a slide: of running prose what is in bold, of the rest everything.

    Of prose beside a formula the sentence that leads to it is shown, too, and the one that explains it.
    """
    html = _html(node)
    if node.type == "fence":
        return html if node.content.count("\n") <= MOST_LINES else ""
    if node.type != "paragraph" or _stands_alone(node):
        return html
    if after is not None and _stands_alone(after):
        is_question = "answer" in _html(after)
        if is_question or len(_words(html)) <= LEAD_WORDS:
            return html
    if question := ASKED.search(html):
        return f"<p>{_context(html, question.start(), question.group())}{question.group()}"
    shown = []
    sentences = sentences_of(html)
    if _is_formula(before) and ("<math" in sentences[0] or sentences[0][0].islower()):
        shown.append(sentences[0])
    loud = [run for run in STRONG.finditer(html) if len(_words(run["words"])) > FEW]
    if loud:
        said = " ".join(_context(html, run.start(), run["words"]) + _sentence(run) for run in loud)
        shown.append(f'<p class="said">{said}</p>')
    if _is_formula(after):
        shown.append(sentences[-1])
    return "".join(
        one if one.startswith("<p ") else f"<p>{one}</p>"
        for one in dict.fromkeys(shown)
        if one.startswith("<p ") or not any(run.group() in one for run in loud)
    )


def _sentence(run: re.Match[str]) -> str:
    """What is in bold, as a sentence."""
    words = run["words"].rstrip(".,;") + (run["stop"] or ".")
    return words[0].upper() + words[1:]


def _context(html: str, start: int, words: str) -> str:
    """The sentence before this place of a paragraph, where the words alone would hang in the air."""
    if not REFERS.match(re.sub(r"<[^>]*>", "", words)):
        return ""
    earlier = [one for one in sentences_of(html[:start]) if len(_words(one)) > FEW]
    return f"{earlier[-1]} " if earlier else ""


def sentences_of(paragraph: str) -> list[str]:
    """The sentences of a paragraph in HTML, without its own tags."""
    inner = re.sub(r"\A<p[^>]*>|</p>\s*\Z", "", paragraph).replace("\n", " ")
    return [one.strip() for one in SENTENCE.sub(r"\1\n", inner).split("\n") if one.strip()]


def _is_formula(node: SyntaxTreeNode | None) -> bool:
    return node is not None and node.type == "paragraph" and 'display="block"' in _html(node)


def _words(html: str) -> list[str]:
    return re.sub(r"<[^>]*>", " ", html).split()


def _stands_alone(node: SyntaxTreeNode) -> bool:
    """Whether a block is more than prose: a list, a table, code, a formula, the answer to a question."""
    if node.type != "paragraph":
        return True
    parts = node.children[0].children
    return all(part.type in ("formula", "softbreak") for part in parts) or parts[0].content == ANSWER


def _blocks(source: str) -> list[SyntaxTreeNode]:
    """The blocks of a text; a folded answer is one that the next key press shows."""
    source = DETAILS.sub(lambda found: f"{ANSWER}{' '.join(found['answer'].split())}</span>", source)
    # in one line, and apart from the prose: a line of a formula may begin as an item of a list does
    source = DISPLAY.sub(lambda found: f"\n{' '.join(found[0].split())}\n", source)
    return SyntaxTreeNode(MARKDOWN.parse(source)).children


def _html(node: SyntaxTreeNode) -> str:
    return MARKDOWN.renderer.render(node.to_tokens(), MARKDOWN.options, {})


ANSWER = '<span class="answer fragment">'
FRAGMENT = '<div class="fragment">'
MARKDOWN = formulas.markdown(
    formulas.mathml,
    {"highlight": lambda source, language, _: code(source) if language == "python" else ""},
)


# ---------------------------------------------------------------------------------------------
# Code cells


def _from_code(cell: NotebookNode) -> Iterator[Slide]:
    """A slide for the code with what it prints, one for each picture; nothing of an exercise or its check."""
    if has_tag(cell, "exercise") or has_tag(cell, "check"):
        return
    source = _shown_code(cell)
    slide = Slide(blocks=[code(source)] if source else [])
    if has_tag(cell, "reveal"):  # the answer is not to be seen beside the question
        yield slide
        slide = Slide(begins=True)
    for output in cell.outputs:
        data = output.get("data", {})
        if "image/png" in data:
            yield slide
            yield Slide(blocks=[_picture(output)], begins=True, is_figure=True)
            slide = Slide()
        elif "<table" in data.get("text/html", ""):
            slide.blocks.append(data["text/html"])
        elif output.output_type in ("stream", "execute_result"):
            printed = (output.get("text") or data.get("text/plain", "")).strip("\n")
            if printed.count("\n") < MOST_PRINTED:
                slide.blocks.append(printed_text(printed))
    yield slide


def _shown_code(cell: NotebookNode) -> str:
    """The code of a cell without imports and calls that draw; nothing if it is folded, or still too long."""
    if cell.metadata.get("jupyter", {}).get("source_hidden") or "draw_map" in cell.source:  # the set-up
        return ""
    try:
        statements = ast.parse(cell.source).body
    except SyntaxError:  # a line for IPython
        return ""
    lines = cell.source.splitlines()
    for statement in reversed(statements):
        is_import = isinstance(statement, (ast.Import, ast.ImportFrom))
        if is_import or ast.unparse(statement).startswith(("figures.", "drawings.")):
            del lines[statement.lineno - 1 : statement.end_lineno]
    source = re.sub(r"\n{3,}", "\n\n", "\n".join(lines)).strip("\n")
    held = [line for line in source.splitlines() if line.strip()]
    only_says = all(line.lstrip().startswith("#") for line in held)
    return "" if only_says or len(held) > MOST_LINES else source


def code(source: str) -> str:
    """Python, in colors."""
    return highlight(source, PythonLexer(), _colors(_width(source)))


def printed_text(text: str) -> str:
    """What a cell printed."""
    return f'<pre class="printed{_width(text)}">{escape(text)}</pre>'


def _colors(width: str = "") -> HtmlFormatter[str]:
    return HtmlFormatter(style="xcode", cssclass=f"code{width}")


def _width(text: str) -> str:
    """The class that makes long lines fit, as an addition to others."""
    return " wide" if max(map(len, text.splitlines()), default=0) > NARROW else ""


def _picture(output: NotebookNode) -> str:
    alt = output.metadata.get("image/png", {}).get("alt", "")
    data = output.data["image/png"].replace("\n", "")
    return f'<img alt="{escape(alt)}" src="data:image/png;base64,{data}">'
