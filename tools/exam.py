"""An exam of questions that are answered by hand: two pages to print, and a file that Moodle imports.

The questions stand in `chapters/nbNN/exam.py`. What is drawn for a notebook hangs on the seed and on its
number alone, so another choice of notebooks leaves it as it is. The pages ask nothing of the network; Moodle
draws formulas itself, from LaTeX.
"""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence
from fractions import Fraction
from importlib import import_module
from pathlib import Path
from random import Random
from typing import Any
from xml.etree import ElementTree

from jinja2 import Environment, FileSystemLoader

from lib import root
from lib.by_hand import Answer, ByHand, drawn, plain
from lib.files import write_whole
from tools import copies, formulas

Questions = Mapping[str, ByHand]  # by the number of their notebook

PRINTED = formulas.markdown(formulas.mathml)
MOODLE = formulas.markdown(formulas.latex)


def with_questions() -> list[str]:
    """The numbers of the notebooks that have a question."""
    return sorted(path.parent.name[2:] for path in (root / "chapters").glob("nb[0-9][0-9]/exam.py"))


def questions(notebooks: Sequence[str], seed: int) -> Questions:
    """A question of each of these notebooks, with the numbers of a seed. ValueError where one has none."""
    there = with_questions()
    if not notebooks:
        raise ValueError(f"Name the notebooks of the exam; those with a question are {', '.join(there)}.")
    asked = [copies.find(notebook).stem[:2] for notebook in notebooks]
    for number in asked:
        if number not in there:
            raise ValueError(
                f"Notebook {number} has no question for an exam; those with one are {', '.join(there)}."
            )
    return {number: drawn(_draw(number), Random(f"{seed} {number}")) for number in asked}


def write_exam(notebooks: Sequence[str], seed: int, folder: Path) -> list[Path]:
    """Write the questions, their solutions and the file for Moodle, each whole or not at all."""
    asked = questions(notebooks, seed)
    contents = {
        "questions.html": page("exam_questions.html", asked),
        "solutions.html": page("exam_solutions.html", asked, seed=seed),
        "moodle.xml": moodle(asked),
    }
    for name, content in contents.items():
        write_whole(folder / name, content)
    return [folder / name for name in contents]


# ---------------------------------------------------------------------------------------------
# Pages


def page(template: str, asked: Questions, **more: Any) -> str:
    """One of the two pages as HTML."""
    environment = Environment(
        loader=FileSystemLoader(Path(__file__).parent), autoescape=True, trim_blocks=True, lstrip_blocks=True
    )
    environment.filters.update(html=PRINTED.render, form=form, answer=written)
    version = hashlib.sha256(repr(sorted(asked.items())).encode()).hexdigest()[:4]
    total = sum(question.points for question in asked.values())
    return environment.get_template(template).render(asked=asked, version=version, total=total, **more)


def form(question: ByHand) -> str:
    """How the answer is to be written, where the question leaves it open."""
    if not question.decimals:
        return ""
    return f"Write a fraction, or a number with {_decimals(question)}."


def written(answer: Answer) -> str:
    """An answer as a lecturer reads it: 2.6, or a fraction with its decimals behind it."""
    if isinstance(answer, str):
        return answer
    text = plain(answer)
    return f"{text} ({plain(round(Fraction(answer), 3))})" if "/" in text else text


def _decimals(question: ByHand) -> str:
    return "1 decimal" if question.decimals == 1 else f"{question.decimals} decimals"


def _draw(number: str) -> Any:
    return import_module(f"chapters.nb{number}.exam").draw


# ---------------------------------------------------------------------------------------------
# Moodle


def moodle(asked: Questions) -> str:
    """The questions in the XML that Moodle imports: a number is typed in, a text is chosen from four."""
    quiz = ElementTree.Element("quiz")
    for number, question in asked.items():
        is_text = isinstance(question.answer, str)
        one = ElementTree.SubElement(quiz, "question", type="multichoice" if is_text else "numerical")
        _text(one, "name", f"{number} {question.title}")
        _text(one, "questiontext", MOODLE.render(question.text) + _how(question), format="html")
        _text(one, "generalfeedback", MOODLE.render(question.solution), format="html")
        ElementTree.SubElement(one, "defaultgrade").text = str(question.points)
        if is_text:
            for setting in ("single", "shuffleanswers"):
                ElementTree.SubElement(one, setting).text = "true"
        _add_answer(one, question, question.answer, "100", "")
        for slip in question.slips:
            _add_answer(one, question, slip.answer, "0", slip.sentence)
    ElementTree.indent(quiz)
    return f'<?xml version="1.0" encoding="UTF-8"?>\n{ElementTree.tostring(quiz, encoding="unicode")}\n'


def _how(question: ByHand) -> str:
    """What Moodle adds to a question, as it knows no fractions."""
    return f"<p>Write a number with {_decimals(question)}.</p>" if question.decimals else ""


def _add_answer(
    question: ElementTree.Element, asked: ByHand, answer: Answer, percent: str, said: str
) -> None:
    """An answer, the share of the points that it gets, and what is said to whoever gives it."""
    is_text = isinstance(answer, str)
    kind = "html" if is_text else "moodle_auto_format"
    text = answer if isinstance(answer, str) else f"{float(answer):.{asked.decimals + 2}f}"
    one = _text(question, "answer", text, fraction=percent, format=kind)
    _text(one, "feedback", said, format="html")
    if not is_text:
        ElementTree.SubElement(one, "tolerance").text = str(float(asked.tolerance))


def _text(parent: ElementTree.Element, name: str, text: str, **attributes: str) -> ElementTree.Element:
    """An element with a text inside, as Moodle wants nearly all of them."""
    one = ElementTree.SubElement(parent, name, attributes)
    ElementTree.SubElement(one, "text").text = text
    return one
