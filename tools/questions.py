"""Questions for a vote as slides, which need no network, and a sheet of letters to hold up.

A question has five slides: asked, talked over, asked again, answered by its cell, and a sentence to each
option. What the cell prints is computed while the deck is written.
"""

from __future__ import annotations

import contextlib
import inspect
import io
from html import escape
from importlib import import_module
from pathlib import Path

from lib import root
from lib.files import write_whole
from lib.questions import LETTERS, Question, Right, Shares
from tools import slides
from tools.notebook_files import read_notebook
from tools.slides import Slide

TALK = "Turn to somebody who voted for another letter. You have two minutes: who convinces whom?"
PLAN = (
    "If fewer than about a third are right at the first vote, explain before they talk; if more than about"
    " two thirds are, skip to the cell. In between, let them talk. (A rule of thumb.)"
)
LETTERS_PAGE = """<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<title>Letters for a vote</title>
<style>
@page { size: A4; margin: 0 }
body { margin: 0; display: grid; grid-template: 1fr 1fr / 1fr 1fr; width: 210mm; height: 296mm }
p { margin: 0; display: grid; place-items: center; border: 1px dashed #66727f; font: 700 88mm sans-serif }
p:nth-child(4n + 2), p:nth-child(4n + 3) { background: #dbe8f4; print-color-adjust: exact }
</style>
</head>
<body>
%s
</body>
</html>
"""


def questions_of(notebook: Path) -> list[Question]:
    """Those of a notebook, in the order of its sections; a ValueError where it has none."""
    chapter = f"nb{notebook.name[:2]}"
    if not (root / "chapters" / chapter / "questions.py").is_file():
        raise ValueError(f"{notebook.stem} has no questions for a vote.")
    found: list[Question] = import_module(f"chapters.{chapter}.questions").QUESTIONS
    return sorted(found, key=lambda question: question.section)


def write_deck(notebook: Path, folder: Path) -> Path:
    """Write a notebook's questions into `folder` as NN_name.questions.html, whole or not at all."""
    asked = questions_of(notebook)
    title = slides.slides_of(read_notebook(notebook))[0].heading
    deck = [Slide(heading=title, level=1, blocks=["<p>Questions for a vote</p>"])]
    for question in asked:
        deck += slides_of(question)
    target = folder / f"{notebook.stem}.questions.html"
    write_whole(target, slides.page(deck, f"{notebook.stem}, questions"))
    return target


def write_letters(folder: Path) -> Path:
    """Write the sheet that a learner folds twice, and holds up with one letter in front."""
    target = folder / "letters.html"
    write_whole(target, LETTERS_PAGE % "\n".join(f"<p>{letter}</p>" for letter in LETTERS))
    return target


def slides_of(question: Question) -> list[Slide]:
    """The five slides of a question; a ValueError where its cell finds another letter than the right one."""
    options = _list([_inline(option.text) for option in question.options])
    asked = f"<p>{_inline(question.text)}</p>"
    running = f"After section {question.section}" if question.section else "Before section 1"
    source, printed = _shown(question)
    told = [
        (option, f"<strong>{_inline(option.text)}</strong> {_inline(option.sentence)}")
        for option in question.options
    ]
    sentences = "".join(
        f'<li class="{"right" if isinstance(option, Right) else "wrong"}">{text}</li>'
        for option, text in told
    )
    pages = [
        ("Vote", [asked, options], _notes(question)),
        ("Turn to your neighbor", [f"<p>{TALK}</p>", options], [f"<p>{PLAN}</p>"]),
        ("Vote again", [asked, options], _notes(question)),
        ("What the cell shows", [slides.printed_text(printed), slides.code(source)], []),
        (f"{question.right} is right", [f'<ol type="A">{sentences}</ol>'], []),
    ]
    return [
        Slide(running=running, heading=heading, level=2, blocks=blocks, notes=notes)
        for heading, blocks, notes in pages
    ]


def _shown(question: Question) -> tuple[str, str]:
    """The source of the cell, and what it prints now."""
    with contextlib.redirect_stdout(io.StringIO()) as written:
        letter = question.shows()
    if letter != question.right:
        raise ValueError(
            f"The cell of {question.name} finds {letter}, and {question.right} is called right: mend one of"
            f" them in {question.shows.__module__}."
        )
    return inspect.getsource(question.shows).strip(), written.getvalue().strip("\n")


def _notes(question: Question) -> list[str]:
    """What the lecturer reads: the right letter, the time, and the votes of classes or the author's guess."""
    told = [f"{question.right} is right. {question.seconds} seconds to think, without talking."]
    told += [
        f"{count.day}, {count.size} people: {_shares(count.first)}, after talking {_shares(count.second)}."
        for count in question.counted
    ]
    if not question.counted:
        first, second = map(_shares, question.guessed)
        told.append(f"No class has voted yet. The author's guess: {first}, after talking {second}.")
    return [f"<p>{escape(line)}</p>" for line in told]


def _shares(shares: Shares) -> str:
    return ", ".join(f"{letter} {share}%" for letter, share in zip(LETTERS, shares, strict=True))


def _list(items: list[str]) -> str:
    return f'<ol type="A"><li>{"</li><li>".join(items)}</li></ol>'


def _inline(text: str) -> str:
    return slides.MARKDOWN.renderInline(text)
