"""Sentences with a tag for each word, in the columns of CoNLL or of CoNLL-U."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from lib.text.tasks.entity_tags import ENTITY_TAG, iob2, mark_entities
from lib.text.tasks.lines import lines_of
from lib.text.tasks.reading import Broken, Examples, is_blank, whole_examples
from lib.text.treebank import COUNTER, conllu_blocks, parse_conllu

# what headers call the columns of words and of tags, in lower case and without an s
WORD_NAMES = ("word", "token", "form", "text")
TAG_NAMES = (
    "tag", "label", "ner", "ner_tag", "pos", "pos_tag", "upos", "xpos", "chunk", "entity", "iob", "bio",
)  # fmt: skip
CONLLU_NAMES = ["id", "form", "lemma", "upos", "xpos", "feats", "head", "deprel", "deps", "misc"]
DOCUMENT = "-DOCSTART-"


class TaggedSentence(NamedTuple):
    """Words, and a tag for each, such as B-person, I-person, O."""

    words: list[str]
    tags: list[str]


class _Line(NamedTuple):
    """A line of a file and its cells; none where it is blank."""

    number: int
    text: str
    cells: list[str]


class _Layout(NamedTuple):
    """What the columns of a file hold."""

    header: int  # the line that names them; 0 for none
    width: int
    counted: bool  # the first counts the words
    word: int
    tag: int
    tags: frozenset[str]
    of_entities: bool


def read_conll(path: str | Path, encoding: str | None = None) -> Examples[TaggedSentence]:
    """The sentences of a file in columns: a word a line, its tag behind it, blank lines between.

    Columns are parted by tabs, or by spaces where there is none (Tjong Kim Sang and De Meulder, 2003). The
    tags are the last column that marks entities, and come in IOB2 whichever scheme the file has; where there
    is none, CoNLL-U's parts of speech or the last column. Columns may be named in the first line, or in
    `# global.columns = ID FORM ...`.

    No words are comments (what begins with # and is no word # with its tag), the numbers of a first column
    that counts, CoNLL-U's 2-3 and 8.1, and -DOCSTART-. Lines of word/TAG, of one word or of several, are read
    as well. A sentence with a line of other columns, without a word or its tag, or out of count, is left out,
    which a warning says with the line. encoding: another one than UTF-8, as Python calls it. Raises
    ValueError where the file is not of this form.
    """
    what = "a file in CoNLL's columns, such as train.conll"
    lines = _lines(lines_of(path, what, encoding))
    if not any(line.cells for line in lines):
        return whole_examples(path, (), what)
    try:
        layout = _layout(lines)
    except ValueError as error:
        raise ValueError(f"{path} {error}") from None
    return whole_examples(path, _sentences(lines, layout), what)


def read_conllu_tags(path: str | Path) -> Examples[TaggedSentence]:
    """The sentences of a CoNLL-U file, plain or .gz, with the universal part of speech of each word.

    A sentence that is no CoNLL-U is left out, which a warning says. Raises ValueError where none is.
    """
    return whole_examples(path, _parsed(conllu_blocks(path)), "a CoNLL-U file, such as en_ewt-ud-dev.conllu")


def _lines(texts: list[str]) -> list[_Line]:
    """The lines of a file; where they are of word/TAG, a line for each word."""
    lines = [_Line(number, text, _cells(text)) for number, text in enumerate(texts, start=1)]
    full = [line.cells for line in lines if line.cells and not line.text.startswith("# ")]
    if not full or not all(re.fullmatch(".+/[^/]+", cell) for cells in full for cell in cells):
        return lines
    are_sentences = any(len(cells) > 1 for cells in full)
    parted = []
    for line in lines:
        parted += [_Line(line.number, cell, list(cell.rpartition("/")[::2])) for cell in line.cells]
        if are_sentences or not line.cells:
            parted.append(_Line(line.number, "", []))
    return parted


def _cells(text: str) -> list[str]:
    if is_blank(text):
        return []
    # not split(): a word may hold the other spaces of Unicode
    return [cell.strip(" ") for cell in text.split("\t")] if "\t" in text else re.split(" +", text.strip(" "))


def _layout(lines: list[_Line]) -> _Layout:
    """What the columns hold. Raises ValueError, without its subject, where none can be that of the tags."""
    words = [line for line in lines if line.cells and DOCUMENT not in line.cells and line.text[0] != "#"]
    width = Counter(max(2, len(line.cells)) for line in words).most_common(1)[0][0] if words else 2
    words = [line for line in words if len(line.cells) == width]
    numbers = [line.cells[0] for line in words if COUNTER.fullmatch(line.cells[0])]
    counted = 2 * len(numbers) > len(words)  # most words of a text are no numbers
    if counted and width == 2 and numbers[0] in ("0", "1"):
        raise ValueError("has a number and a word in its lines, and no tag: give a file with tags.")
    header, names = 0, CONLLU_NAMES if counted and width == len(CONLLU_NAMES) else []
    for line in lines:
        if line.text.startswith("# global.columns"):
            names = line.text.lower().partition("=")[2].split()
    first = [cell.lower() for cell in words[0].cells] if words else []
    if _places(WORD_NAMES, first) and _places(TAG_NAMES, first):
        header, names, words = words[0].number, first, words[1:]
    columns = [[line.cells[place] for line in words] for place in range(width)]
    marking = [place for place in range(width) if mark_entities(columns[place])]
    place = marking[-1] if marking else names.index("upos") if "upos" in names else width - 1
    counted = counted and width > 2
    likely = [*_places(WORD_NAMES, names), *range(int(counted), width)]
    word = next(other for other in likely if other != place)
    return _Layout(header, width, counted, word, place, frozenset(columns[place]), place in marking)


def _places(known: tuple[str, ...], names: list[str]) -> list[int]:
    """Where among the names of columns those stand that are known."""
    return [place for place, name in enumerate(names) if {name, name.removesuffix("s")} & {*known}]


def _sentences(lines: list[_Line], layout: _Layout) -> Iterator[TaggedSentence | Broken]:
    block: list[_Line] = []
    for line in [*lines, _Line(0, "", [])]:
        if 0 < line.number <= layout.header:
            continue
        if line.cells and DOCUMENT not in line.cells:
            block += [] if _is_comment(line, layout, begins=not block) else [line]
        elif block:
            yield _sentence(block, layout)
            block = []


def _is_comment(line: _Line, layout: _Layout, begins: bool) -> bool:
    """Whether a line tells of a sentence; begins: no word of the sentence was before."""
    cells = line.cells
    if not line.text.startswith("#") or layout.counted:
        return line.text.startswith("#")
    if len(cells) != layout.width:
        return len(cells) > 1 and (begins or cells[0] == "#")
    is_tag = (
        ENTITY_TAG.fullmatch(cells[layout.tag]) if layout.of_entities else cells[layout.tag] in layout.tags
    )
    return begins and "\t" not in line.text and not is_tag


def _sentence(block: list[_Line], layout: _Layout) -> TaggedSentence | Broken:
    sentence, count = TaggedSentence([], []), None
    for line in block:
        cells = line.cells
        if fault := _fault(line, layout, count):
            return Broken(f"line {line.number}", fault)
        if layout.counted and not cells[0].isdecimal():  # 2-3, a contraction, or 8.1, an added word
            continue
        count = int(cells[0]) if layout.counted else None
        sentence.words.append(cells[layout.word])
        sentence.tags.append(cells[layout.tag])
    if layout.width > 2 and len(block) > 3 and len(set(sentence.words)) == 1:
        return Broken(f"line {block[0].number}", f"{sentence.words[0]!r} is in every line, and so no word")
    return sentence._replace(tags=iob2(sentence.tags)) if layout.of_entities else sentence


def _fault(line: _Line, layout: _Layout, count: int | None) -> str:
    """Why a line is no word and its tag, "" where it is one; count: the number of the word before."""
    cells = line.cells
    if len(cells) == 1 or (len(cells) == layout.width and not (cells[layout.word] and cells[layout.tag])):
        return f"{line.text!r} is not a word and its tag"
    if len(cells) != layout.width:
        return f"it has {len(cells)} columns, not {layout.width}"
    if layout.counted and not COUNTER.fullmatch(cells[0]):
        return f"{cells[0]!r} is no number of a word"
    if layout.counted and cells[0].isdecimal() and count is not None and int(cells[0]) != count + 1:
        return f"word {cells[0]} comes after word {count}"
    if layout.of_entities and not ENTITY_TAG.fullmatch(cells[layout.tag]):
        return f"{cells[layout.tag]!r} is no tag of an entity"
    return ""


def _parsed(blocks: list[str]) -> Iterator[TaggedSentence | Broken]:
    line = 1
    for block in blocks:
        try:
            parse = parse_conllu(block)
        except ValueError as error:
            yield Broken(f"the sentence of line {line}", str(error).rstrip("."))
        else:
            if parse.words:
                yield TaggedSentence(parse.words, parse.tags)
        line += block.count("\n") + 2
