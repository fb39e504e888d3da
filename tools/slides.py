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
from itertools import zip_longest
from pathlib import Path
from typing import Any

from jinja2 import Environment
from latex2mathml.converter import convert
from markdown_it import MarkdownIt
from markdown_it.rules_inline import StateInline
from markdown_it.token import Token
from markdown_it.tree import SyntaxTreeNode
from nbformat import NotebookNode
from pygments import highlight
from pygments.formatters import HtmlFormatter
from pygments.lexers import PythonLexer

from lib.files import write_whole
from tools.editions import has_tag
from tools.folded import unfolded
from tools.notebook_files import read_notebook

MOST_LINES = 10  # of code on a slide
MOST_PRINTED = 14  # lines of printed text
LEAD_WORDS = 25  # a paragraph of so many words stays with the list, the table or the formula that it leads to
FEW = 4  # words in bold: no sentence, but a name or a label
NARROW = 76  # characters of code or print in a line; more are set smaller

MINUTES = re.compile(r"\s*\((?:about )?\d+ min(?:utes)?\)")
DETAILS = re.compile(r"<details>\s*<summary>.*?</summary>(?P<answer>.*?)</details>", re.DOTALL)
DISPLAY = re.compile(r"^\$\$.+?\$\$[.,]?[ \t]*$", re.DOTALL | re.MULTILINE)
FORMULA = re.compile(r"\$\$(?P<display>.+?)\$\$|\$(?P<inline>(?=\S)[^$\n]+?(?<=\S))\$(?!\d)", re.DOTALL)
ASKED = re.compile(r"<strong>[^<]*:</strong>.*", re.DOTALL)  # such as "Predict: ...", to the paragraph's end
STRONG = re.compile(r"<strong>(?P<words>.+?)(?P<stop>[?!]?)</strong>", re.DOTALL)


@dataclass
class Slide:
    """A page: a heading, blocks of HTML one below the other, and what the lecturer reads beside it."""

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


def slides_of(book: NotebookNode) -> list[Slide]:
    """The slides of a notebook's core, in order."""
    deck = [Slide()]
    running = ""
    for cell in book.cells:
        place = cell.metadata.get("slideshow", {}).get("slide_type", "")
        if has_tag(cell, "stretch"):
            continue
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
                wrap = '<div class="fragment">{}</div>' if place == "fragment" else "{}"
                deck[-1].blocks += map(wrap.format, slide.blocks)
                deck[-1].notes += slide.notes
            begins = False
    return deck[1:] if deck[0].is_empty else deck


def page(book: NotebookNode, title: str) -> str:
    """The deck of a notebook as one HTML page that asks nothing of the network."""
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
        slides=slides_of(book),
        styles=styles + _colors().get_style_defs(".code"),
        scripts=scripts,
    )


def write_deck(notebook: Path, folder: Path) -> Path:
    """Write the deck of a notebook into `folder` as NN_name.slides.html, whole or not at all."""
    target = folder / f"{notebook.stem}.slides.html"
    write_whole(target, page(read_notebook(notebook), notebook.stem))
    return target


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
    shown = [_shown(node, after) for node, after in zip_longest(group, group[1:])]
    prose = [
        number for number, node in enumerate(group) if node.type == "paragraph" and not _stands_alone(node)
    ]
    if prose and not any(shown[number] for number in prose):
        shown[prose[0]] = blocks[prose[0]]
    slide.blocks = [block for block in shown if block]
    slide.notes = [block for block, part in zip(blocks, shown, strict=True) if part != block]
    return slide


def _shown(node: SyntaxTreeNode, after: SyntaxTreeNode | None) -> str:
    """What of a block stands on a slide: of running prose what is in bold, of the rest everything."""
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
        return f"<p>{question.group()}"
    loud = [run["words"].rstrip(".,;") + (run["stop"] or ".") for run in STRONG.finditer(html)]
    loud = [words[0].upper() + words[1:] for words in loud if len(_words(words)) > FEW]
    return f'<p class="said">{" ".join(loud)}</p>' if loud else ""


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


def _read_formula(state: StateInline, silent: bool) -> bool:
    """The rule by which Markdown finds a formula between dollars."""
    found = FORMULA.match(state.src, state.pos)
    if found and not silent:
        token = state.push("formula", "math", 0)
        token.content = found["display"] or found["inline"]
        token.block = bool(found["display"])
    state.pos = found.end() if found else state.pos
    return bool(found)


def _formula(renderer: Any, tokens: Sequence[Token], index: int, options: Any, environment: Any) -> str:
    """A formula as MathML, which browsers draw themselves."""
    latex = re.sub(r"\{aligned\}", "{align*}", tokens[index].content)
    return convert(latex, display="block" if tokens[index].block else "inline")


ANSWER = '<span class="answer fragment">'
MARKDOWN = MarkdownIt(
    "commonmark",
    {"html": True, "highlight": lambda code, language, _: _code(code) if language == "python" else ""},
).enable("table")
MARKDOWN.inline.ruler.before("escape", "formula", _read_formula)
MARKDOWN.add_render_rule("formula", _formula)


# ---------------------------------------------------------------------------------------------
# Code cells


def _from_code(cell: NotebookNode) -> Iterator[Slide]:
    """A slide for the code with what it prints, one for each picture; nothing of an exercise or its check."""
    if has_tag(cell, "exercise") or has_tag(cell, "check"):
        return
    source = _shown_code(cell)
    slide = Slide(blocks=[_code(source)] if source else [])
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
                slide.blocks.append(f'<pre class="printed{_width(printed)}">{escape(printed)}</pre>')
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


def _code(source: str) -> str:
    return highlight(source, PythonLexer(), _colors(_width(source)))


def _colors(width: str = "") -> HtmlFormatter[str]:
    return HtmlFormatter(style="xcode", cssclass=f"code{width}")


def _width(text: str) -> str:
    """The class that makes long lines fit, as an addition to others."""
    return " wide" if max(map(len, text.splitlines()), default=0) > NARROW else ""


def _picture(output: NotebookNode) -> str:
    alt = output.metadata.get("image/png", {}).get("alt", "")
    data = output.data["image/png"].replace("\n", "")
    return f'<img alt="{escape(alt)}" src="data:image/png;base64,{data}">'
