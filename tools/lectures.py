"""Decks for lectures that others gave: the rows of docs/lectures.md, each with the slides of what it names.

A lecture goes through many notebooks, so of each section it shows the gist alone: its question, the sentences
in bold, formulas, tables and figures, without exercises, code and prints. A section that several rows name
is shown at the first of them, and the others say where that was.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache
from html import escape
from itertools import chain, zip_longest
from pathlib import Path

from nbformat import NotebookNode

import lib
from chapters.nb40 import docket
from lib.files import write_whole
from tools import copies, slides
from tools.notebook_files import read_notebook
from tools.slides import Slide

PAGE_CHARACTERS = 760  # of text that go on one page
WORDS_A_MINUTE = 150
LONGEST_TITLE = 30  # words
LINE = 60  # characters; a row of a table, an item or a formula takes as much room
NOT_SHOWN = re.compile(rf'(?:{slides.FRAGMENT})?(?:<div class="code|<pre)')
FORMULA = 'display="block"'
QUESTION = "<strong>Predict"
OF_CELLS = re.compile(  # what is said of a page that runs, which a room hasn't
    r"\b(?:next|last|this|these|two|three|first|second|code) cells?\b|\bcells? (?:above|below|after)"
    r"|\bexplorer\b|\brun (?:it|the|this|these|two|three)\b|\bthin lines\b"
    r"|\A(?:then it|it also|the first one|<code>)",
    re.IGNORECASE,
)
PARAGRAPH = re.compile(r"(?P<begin><p[^>]*>)(?P<text>.*?)</p>", re.DOTALL)
OWN_WORK = re.compile(r"\byour (?:own )?(?:function|class|code|mask)", re.IGNORECASE)  # which a room hasn't
NUMBER = re.compile(rf"\A(?:\d+\. |{slides.STRETCH})")

DOCKET = f"{slides.STRETCH}the docket"
SOURCES = {  # how the errata name the lectures
    0: "Xu, Penn State, 2021",
    1: "ROCLING 2020",
    2: "Johns Hopkins",
    3: "Liu, Huawei, 2021",
    4: "Wu, CU Boulder, 2020",
}
SLIDES_OF_ERRATUM = re.compile(r"\bslides? (\d+)(?: and (\d+))?")

TITLE = re.compile(r"\ADeck (?P<number>\d+): “(?P<title>[^\n]*)”\n\n(?P<source>[^\n]*)")
SLIDES = re.compile(r"\s*(?P<first>\d+)(?:\s*(?:to|-|–)\s*(?P<last>\d+))?\s*")
ROW = re.compile(r"^\| (?P<slides>\d+(?: to \d+)?) \| (?P<topic>.*?) \| (?P<where>.*) \|$", re.MULTILINE)
LINK = r"\[\d\d(?:, (?:section|stretch) [^\]]+)?\]\([^)]+\)"
LINKS = re.compile(rf"(?P<links>{LINK}(?:, {LINK})*)(?:: “(?P<part>[^”]+)”)?")
PLACE = re.compile(r"\[(?P<notebook>\d\d)(?:, section (?P<section>\d+)|, stretch “(?P<stretch>[^\]]+)”)?\]")


@dataclass(frozen=True)
class Place:
    """A part of a notebook, by how its heading begins; "" is the opening."""

    notebook: str
    heading: str

    def __str__(self) -> str:
        if not self.heading:
            return f"notebook {self.notebook}, its opening"
        if self.heading.endswith(". "):
            return f"notebook {self.notebook}, section {self.heading[:-2]}"
        kind, _, name = self.heading.rpartition(slides.STRETCH)
        return f"notebook {self.notebook}, {'stretch ' if kind or name != self.heading else ''}“{name}”"

    @property
    def anchor(self) -> str:
        return re.sub(r"\W+", "-", f"at {self.notebook} {self.heading}").strip("-").lower()


@dataclass(frozen=True)
class Row:
    """Slides of a lecture, what they are about, and where the course has it."""

    slides: str
    topic: str
    where: str
    places: tuple[Place, ...]

    @property
    def name(self) -> str:
        return f"slides {self.slides}" if " to " in self.slides else f"slide {self.slides}"

    @property
    def numbers(self) -> range:
        return _numbers(self.slides)


@dataclass(frozen=True)
class Lecture:
    """One of the lectures that docs/lectures.md follows."""

    number: int
    title: str
    source: str
    rows: tuple[Row, ...]

    def limited_to(self, wanted: str) -> Lecture:
        """With the rows alone that hold one of these slides, such as "5, 12 to 16"; with all if it is "".

        ValueError where something is no number, and where a part of it meets no row that names a section.
        """
        rows: list[Row] = []
        for part in filter(None, wanted.split(",")):
            numbers = _numbers(part)
            met = [row for row in self.rows if row.places and set(row.numbers) & set(numbers)]
            if not met:
                there = ", ".join(row.slides for row in self.rows if row.places)
                raise ValueError(f"Nothing is shown for slides {part.strip()}; there are rows for {there}.")
            rows += met
        return replace(self, rows=tuple(row for row in self.rows if row in rows)) if rows else self


def _numbers(text: str) -> range:
    """The slides of "5" or "12 to 16"."""
    if not (found := SLIDES.fullmatch(text)):
        raise ValueError(f"{text.strip()!r} names no slides: write them as in '5, 8, 12 to 16'.")
    return range(int(found["first"]), int(found["last"] or found["first"]) + 1)


def lectures(page: str) -> dict[int, Lecture]:
    """The lectures of a page such as docs/lectures.md, by number."""
    found = {}
    for text in page.split("\n## ")[1:]:
        if begins := TITLE.match(text):
            rows = tuple(
                Row(row["slides"], row["topic"], row["where"], tuple(_places(row["where"])))
                for row in ROW.finditer(text)
            )
            number = int(begins["number"])
            found[number] = Lecture(number, begins["title"], begins["source"], rows)
    return found


def of_number(number: int) -> Lecture:
    """The lecture of docs/lectures.md with this number. ValueError names those that there are."""
    there = lectures((lib.root / "docs" / "lectures.md").read_text(encoding="utf-8"))
    if number not in there:
        raise ValueError(f"There is no deck {number}; docs/lectures.md has {', '.join(map(str, there))}.")
    return there[number]


def _places(where: str) -> Iterator[Place]:
    for links in LINKS.finditer(where):
        for place in PLACE.finditer(links["links"]):
            if place["section"]:
                heading = f"{place['section']}. "
            elif place["stretch"]:
                heading = slides.STRETCH + slides.MINUTES.sub("", place["stretch"])
            else:
                heading = links["part"] or ""
            yield Place(place["notebook"], heading)


@cache
def _parts(notebook: str) -> dict[str, list[NotebookNode]]:
    return slides.parts_of(read_notebook(copies.find(notebook)))


def cells_at(place: Place) -> list[NotebookNode]:
    """The cells of a part of a notebook. ValueError, in a sentence, if the notebook has no such part."""
    parts = _parts(place.notebook)
    is_section = place.heading.endswith(". ")
    for heading, cells in parts.items():
        if heading == place.heading or (is_section and heading.startswith(place.heading)):
            return cells
    there = "; ".join(filter(None, parts))
    raise ValueError(
        f"docs/lectures.md names {place}, which is not there: the notebook's headings are {there}."
    )


# ---------------------------------------------------------------------------------------------
# Slides


def title_of(lecture: Lecture) -> Slide:
    """The page that a deck begins with."""
    return Slide(heading=escape(lecture.title), level=1, blocks=[f"<p>{escape(lecture.source)}</p>", ABOUT])


def pages_of(lecture: Lecture) -> dict[Row, list[Slide]]:
    """The pages of each row that names something: what no earlier row has shown.

    A row whose sections have all been shown has no page; its band stands at the top of the next one.
    """
    found: dict[Row, list[Slide]] = {}
    shown: dict[Place, Row] = {}
    waiting: list[str] = []  # bands of rows without a page
    for row in lecture.rows:
        if not row.places:
            continue
        places = [place for place in dict.fromkeys(row.places) if not place.heading.startswith(DOCKET)]
        waiting.append(_band(row, {place: shown[place] for place in places if place in shown}))
        found[row] = []
        for place in places:
            if place not in shown:
                shown[place] = row
                gist = gist_of(cells_at(place))
                for slide in gist[:1]:
                    slide.anchor = place.anchor
                for slide in gist:
                    slide.running = f"{row.name} · {escape(str(place))}"
                found[row] += gist
        found[row] += errata_at(lecture, row)
        if pages := found[row]:
            pages[0].row, pages[0].running = waiting, pages[0].running.partition(" · ")[2]
            waiting = []
    if waiting:
        found[row] = [Slide(row=waiting, heading="Shown before", level=2)]
    return found


def errata_at(lecture: Lecture, row: Row) -> list[Slide]:
    """A page for each registered error of these slides; notebook 40 lists those of all notebooks."""
    pages = []
    for entry in docket.entries():
        erratum = entry.erratum
        at = SLIDES_OF_ERRATUM.search(erratum.source)
        if (
            at
            and SOURCES[lecture.number] in erratum.source
            and any(int(slide) in row.numbers for slide in at.groups("-1"))
        ):
            claim, printed, computed = map(escape, (erratum.claim, erratum.printed, erratum.recompute()))
            blocks = [f"<p>{claim}</p>", f"<p>Printed: {printed}</p>"]
            blocks.append(f"{slides.FRAGMENT}<p>Computed: {computed}</p></div>")
            running = f"{row.name} · notebook {entry.notebook}"
            pages.append(Slide(running=running, heading="An error in print", level=2, blocks=blocks))
    return pages


def _band(row: Row, before: Mapping[Place, Row]) -> str:
    """What a row is about, and where those of its places are that an earlier row has shown."""
    band = f"<b>{row.name.capitalize()}</b> {escape(row.topic)}"
    links = [
        f'<a href="#/{place.anchor}">{escape(str(place))}</a> (at {earlier.name})'
        for place, earlier in before.items()
    ]
    return f"{band}<small>shown before: {'; '.join(links)}</small>" if links else band


def minutes_of(deck: Sequence[Slide], with_notes: bool = False) -> float:
    """How long a deck takes by the clock of docs/writing.md: read, and a minute for each look."""
    read = [block for slide in deck for block in [slide.heading, *slide.blocks, *slide.notes * with_notes]]
    looked_at = sum(_is_evidence(slide) or QUESTION in "".join(slide.blocks) for slide in deck)
    return looked_at + sum(len(_text(block).split()) for block in read) / WORDS_A_MINUTE


ABOUT = (
    "<p>In the order of that lecture, with the words and figures of this course. Nothing of its slides is"
    " repeated here. The numbers at the top of a page are those of its slides, by our count.</p>"
)


def gist_of(cells: Sequence[NotebookNode]) -> list[Slide]:
    """The pages that a lecture shows of a part of a notebook; the notes keep what is said of the others."""
    # what a row names is shown, "Read on" as well, which the deck of a notebook leaves out
    named = cells[0].metadata | {"slideshow": {"slide_type": "slide"}}
    begins = NotebookNode(cells[0] | {"metadata": NotebookNode(named)})
    deck = slides.pages_of([begins, *cells[1:]])
    title = NUMBER.sub("", deck[0].heading)
    level = deck[0].level
    parts = _without_exercises(deck)
    kept = _first_and_last([part for part in parts if _is_evidence(part)])
    gist: list[Slide] = []
    for part, after in zip_longest(parts, parts[1:]):
        if _is_evidence(part):
            if part in kept:
                if part.is_figure and len(part.blocks) == 1:
                    part.blocks.append(f'<p class="said">{_title_of_picture(part.blocks[0]) or title}</p>')
                gist.append(part)
            continue
        is_answered = after is not None and (after in kept or _is_answer(after))
        for blocks in _groups(part.blocks):
            text = "".join(blocks)
            is_question = QUESTION in text
            if (is_question and not is_answered) or OWN_WORK.search(text):
                continue
            page = gist[-1] if gist and not gist[-1].is_figure else None
            answers = _is_answer(part) and page is not None and QUESTION in page.blocks[-1]
            if page and (answers or sum(map(_room, [*page.blocks, *blocks])) <= PAGE_CHARACTERS):
                page.blocks += blocks
            elif not gist or is_question or FORMULA in text or "<table" in text:
                gist.append(Slide(blocks=list(blocks)))
                if part.level == 3 or len(gist) == 1:
                    gist[-1].heading, gist[-1].level = part.heading, part.level
            else:
                gist[-1].notes += blocks
        if gist:
            gist[-1].notes += part.notes
    gist = gist or [Slide()]
    gist[0].heading, gist[0].level = title[:1].upper() + title[1:], level
    return gist


def _without_exercises(deck: Sequence[Slide]) -> list[Slide]:
    """What a lecture can show: no exercise, no code, no print; what is said of a figure stands with it."""
    parts: list[Slide] = []
    for slide in deck:
        told = [_to_a_room(block) for block in slide.blocks if not NOT_SHOWN.match(block)]
        slide.blocks = [
            block for block in told if _text(block).strip() or "<img" in block or "<math" in block
        ]
        if slide.heading.startswith("Exercise") or not slide.blocks:
            continue
        if parts and _is_evidence(parts[-1]) and _is_answer(slide):
            parts[-1].blocks += [block for block in slide.blocks if 'class="said"' in block]
            parts[-1].notes += slide.notes
        else:
            parts.append(slide)
    return parts


def _to_a_room(block: str) -> str:
    """A block without the sentences on cells; a prediction doesn't wait for a key, as its answer does."""
    if QUESTION in block:
        block = block.removeprefix(slides.FRAGMENT).removesuffix("</div>")
    return (
        PARAGRAPH.sub(_without_cells, block) if block.lstrip().startswith(("<p", slides.FRAGMENT)) else block
    )


def _without_cells(paragraph: re.Match[str]) -> str:
    kept = [one for one in slides.sentences_of(paragraph["text"]) if not OF_CELLS.search(one)]
    return f"{paragraph['begin']}{' '.join(kept)}</p>" if kept else ""


def _title_of_picture(picture: str) -> str:
    """The first sentence of a picture's text alternative, "" if it is a list of numbers."""
    alt = re.search(r'alt="([^"]*)"', picture)
    first, *_ = [*slides.sentences_of(alt[1] if alt else ""), ""]
    return first if len(first.split()) <= LONGEST_TITLE else ""


def _is_evidence(slide: Slide) -> bool:
    """Whether a slide holds a picture, or a table that was computed."""
    return slide.is_figure or any("<table><caption" in block for block in slide.blocks)


def _is_answer(slide: Slide) -> bool:
    """Whether all of a slide comes with the next key."""
    return all(block.startswith(slides.FRAGMENT) for block in slide.blocks)


def _first_and_last(evidence: Sequence[Slide]) -> list[Slide]:
    """Of many figures and tables two, if there are any about which a sentence in bold says what they show."""
    told = [slide for slide in evidence if "said" in slide.blocks[-1]] or evidence
    return [*told[:1], *told[1:][-1:]]


def _groups(blocks: Sequence[str]) -> Iterator[list[str]]:
    """Blocks that stand together: a paragraph with what it leads to, a formula with what explains it."""
    group: list[str] = []
    for block, after in zip_longest(blocks, blocks[1:], fillvalue=""):
        group.append(block)
        is_formula = FORMULA in block
        leads = block.startswith("<p") and not is_formula
        explained = is_formula and after.startswith("<p>") and QUESTION not in after
        if not explained and not (leads and (FORMULA in after or after.startswith(("<ul", "<ol", "<table")))):
            yield group
            group = []


def _text(html: str) -> str:
    return re.sub(r"<math.*?</math>|<[^>]*>", " ", html, flags=re.DOTALL)


def _room(block: str) -> int:
    return len(_text(block)) + LINE * (1 + len(re.findall(r"<(?:tr|li)\b", block)) + 2 * block.count(FORMULA))


def write_deck(number: int, folder: Path, slides_wanted: str = "") -> tuple[Path, str]:
    """Write the deck of a lecture into `folder` as deck_N.slides.html, and say what each row takes."""
    lecture = of_number(number).limited_to(slides_wanted)
    pages = pages_of(lecture)
    deck = [title_of(lecture), *chain.from_iterable(pages.values())]
    target = folder / f"deck_{number}.slides.html"
    write_whole(target, slides.page(deck, lecture.title))
    lines = [f"{'slides':<10} {'pages':>5} {'minutes':>7}  topic"]
    lines += [
        f"{row.slides:<10} {len(own):>5} {minutes_of(own):>7.1f}  {row.topic}" for row, own in pages.items()
    ]
    return target, "\n".join([*lines, account_of(target, deck)])


def account_of(target: Path, deck: Sequence[Slide]) -> str:
    """How much a written deck holds, in a sentence."""
    shown, with_notes = minutes_of(deck), minutes_of(deck, with_notes=True)
    return (
        f"About {len(deck)} pages, {target.stat().st_size / 1e6:.1f} MB; {shown:.0f} minutes for what the"
        f" pages show, {with_notes:.0f} with everything in the notes."
    )
