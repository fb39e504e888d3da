"""Sentences with a tag for each word, in the columns of CoNLL or of CoNLL-U."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path
from typing import NamedTuple

from lib.text.tasks.entity_tags import ENTITY_TAG, iob2, mark_entities
from lib.text.tasks.lines import lines_of
from lib.text.tasks.reading import Broken, Examples, is_blank, whole_examples
from lib.text.tasks.tables import listed
from lib.text.treebank import COUNTER, conllu_blocks, parse_conllu

# what headers call the columns of words and of tags, in lower case and without an s
WORD_NAMES = ("word", "token", "form", "text")
TAG_NAMES = (
    "tag", "label", "ner", "ner_tag", "pos", "pos_tag", "upos", "xpos", "chunk", "entity", "iob", "bio",
)  # fmt: skip
CONLLU_NAMES = ["id", "form", "lemma", "upos", "xpos", "feats", "head", "deprel", "deps", "misc"]
USUAL_NAMES = ("text", "word", "token", "label", "tag", "ner", "ner_tag")  # of a table, too: no wish
CHUNKS = {"NP", "VP", "PP", "NC", "VC", "PC"}  # labels of phrases, which are marked as entities are
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
    other_entities: list[int]  # places of columns that mark some, too, where none is asked for


def read_conll(
    path: str | Path, encoding: str | None = None, text: str = "text", label: str = "label"
) -> Examples[TaggedSentence]:
    """The sentences of a file in columns: a word a line, its tag behind it, blank lines between.

    Columns are parted by tabs, or by spaces where there is none (Tjong Kim Sang and De Meulder, 2003). The
    tags are the first column that marks entities, and come in IOB2 whichever scheme the file has; where there
    is none, CoNLL-U's parts of speech or the last column. Columns may be named in the first line, or in
    `# global.columns = ID FORM ...`. text, label: the columns of words and of tags, by these names or by
    their numbers from 1; the usual names ask for none. `remarks` says which columns are read.

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
        layout = _layout(lines, text, label)
    except ValueError as error:
        raise ValueError(f"{path} {error}") from None
    sentences = whole_examples(path, _sentences(lines, layout), what)
    sentences.remarks = tuple(_remarks(path, sentences, layout))
    return sentences


def _remarks(path: str | Path, sentences: list[TaggedSentence], layout: _Layout) -> Iterator[str]:
    pairs = [pair for one in sentences for pair in zip(one.words, one.tags, strict=True)]
    word, tag = next((pair for pair in pairs if pair[1] != "O"), [*pairs, ("", "")][0])
    columns = f"words, such as {word!r}, are column {layout.word + 1}, tags, such as {tag!r}, column"
    yield f"{path}: {columns} {layout.tag + 1}."
    if layout.other_entities:
        numbers = [str(place + 1) for place in layout.other_entities]
        also = f"Careful: entities are marked in column {', '.join(numbers)}, too"
        yield f"{also}; --label {numbers[0]} learns that."


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


def _layout(lines: list[_Line], text: str, label: str) -> _Layout:
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
    columns = [[line.cells[place] for line in words] for place in range(width)]
    first = [column[0].lower() for column in columns if column]
    named = _places((*TAG_NAMES, label.lower()), first) or [
        place for place in _marking(columns) if not ENTITY_TAG.fullmatch(columns[place][0])
    ]
    if named and _places((*WORD_NAMES, text.lower()), first):
        header, names, columns = words[0].number, first, [column[1:] for column in columns]
    marking = _marking(columns)
    entities = [place for place in marking if not CHUNKS & {tag[2:] for tag in columns[place]}]
    entities = entities or [place for place in range(width) if {*columns[place]} == {"O"}] or marking
    last = names.index("upos") if "upos" in names else width - 1
    tag, word = _asked(label, names, width), _asked(text, names, width)
    other_entities = entities[1:] if tag is None else []
    if tag is None:
        tag = entities[0] if entities else last
    counted = counted and width > 2
    if word is None:
        others = [place for place in range(int(counted), width) if place != tag]
        of_words = [place for place in others if place not in marking and _are_words(columns[place])]
        likely = [*_places(WORD_NAMES, names), *of_words, *others]
        word = next(place for place in likely if place != tag)
    return _Layout(header, width, counted, word, tag, frozenset(columns[tag]), tag in marking, other_entities)


def _marking(columns: list[list[str]]) -> list[int]:
    return [place for place, column in enumerate(columns) if mark_entities(column)]


def _are_words(column: list[str]) -> bool:
    """Whether cells may be words: not all have a digit, as ids have, and few are those of the line before."""
    with_digit = [cell for cell in column if any(one.isdigit() for one in cell)]
    again = sum(cell == below for cell, below in pairwise(column))
    return len(with_digit) < len(column) and 2 * again < len(column)


def _asked(name: str, names: list[str], width: int) -> int | None:
    """The place of the column of a name or a number; None for a usual name that no header has.

    Raises ValueError, without its subject, where there is no such column.
    """
    if name.lower() in names:
        return names.index(name.lower())
    if name.isdecimal() and 0 < int(name) <= width:
        return int(name) - 1
    if name in ("text", "label") or (not names and _places(USUAL_NAMES, [name.lower()])):
        return None
    there = listed(names) or "no line with their names"
    raise ValueError(f"has no column {name!r}: it has {there}; name one by its number, 1 to {width}.")


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
