"""The sentences that the notebooks share, from `data/sentences/`; its README says what they are."""

import csv
from pathlib import Path
from typing import NamedTuple

from lib import root
from lib.text.grammar import AgreementPair

FOLDER = root / "data" / "sentences"


class Query(NamedTuple):
    """A search in `library()` whose best answer shares no content word with it."""

    text: str
    line: int  # of the best answer, counted from 1 as an editor does: library()[line - 1]
    why: str  # word overlap misses it
    note: str  # what MiniLM does wrong, empty where it ranks the answer first or second


class VerbObject(NamedTuple):
    """A sentence with one of its verbs and that verb's direct object, each a word that stands in it once."""

    verb: str
    object: str
    sentence: str


class World(NamedTuple):
    """A sentence that contradicts what everybody knows, and a blank that shows who is believed.

    Who believes the text fills `cloze` with `new`; who goes by memory, with `old`. `negated` is the
    control: the same words with "not", which say the opposite.
    """

    world: str
    negated: str
    cloze: str
    new: str
    old: str


class Cloze(NamedTuple):
    """A sentence with one [MASK], and the words that fit there."""

    sentence: str
    answer: str
    also: tuple[str, ...]  # other words that nobody could call wrong

    def accepts(self, word: str) -> bool:
        """Whether this word fills the blank."""
        return word.strip().lower() in (self.answer, *self.also)


def library() -> list[str]:
    """360 sentences on everyday subjects, to be searched by meaning."""
    return _existing("library.txt").read_text(encoding="utf-8").splitlines()


def queries() -> list[Query]:
    """Twelve searches in `library()`; with two of them MiniLM fails."""
    return [Query(row["query"], int(row["line"]), row["why"], row["note"]) for row in _rows("queries.tsv")]


def bank() -> list[tuple[str, str]]:
    """Ten pairs of sense ("money" or "river") and sentence, each with the word "bank" once."""
    return [(row["sense"], row["sentence"]) for row in _rows("bank.tsv")]


def cast() -> list[str]:
    """The six sentences that go through every station of the course."""
    return _existing("cast.txt").read_text(encoding="utf-8").splitlines()


def objects() -> list[VerbObject]:
    """108 sentences, each with a verb and its direct object, from one to eight words apart, some turned."""
    return [VerbObject(row["verb"], row["object"], row["sentence"]) for row in _rows("objects.tsv")]


def cloze() -> list[Cloze]:
    """Ten sentences with a blank that has, to a human reader, one answer."""
    return [Cloze(row["sentence"], row["answer"], tuple(row["also"].split())) for row in _rows("cloze.tsv")]


def worlds() -> list[World]:
    """Twenty small worlds that contradict the corpus, each with its control and its blank."""
    return [World(**row) for row in _rows("worlds.tsv")]


def mentions() -> list[str]:
    """24 short texts in which every mention is marked with its chain: `[Anna|a] lost [her|a] [key|b]`."""
    return _existing("mentions.txt").read_text(encoding="utf-8").splitlines()


def occupations() -> list[str]:
    """40 occupations, each a noun that says nothing about who has it."""
    return _existing("occupations.txt").read_text(encoding="utf-8").splitlines()


def agreement() -> list[AgreementPair]:
    """200 sentences of hand-written parts whose verb, is or are, has to agree with a noun before it.

    Each of 20 subjects comes in both numbers, with nothing, a phrase, or a relative clause behind it, and the
    noun in there in both numbers too.
    """
    pairs = []
    for row in _rows("agreement.tsv"):
        behind = [("", "none", False)]
        for kind, name in (("near", "phrase"), ("far", "relative clause")):
            behind += [(row[kind], name, False), (row[f"{kind}_plural"], name, True)]
        for plural in (False, True):
            subject = row["plural" if plural else "singular"]
            for words, kind, many in behind:
                before = f"the {subject} {words}".split()
                forms = ("are", "is") if plural else ("is", "are")
                text = [*before, "[MASK]", *row["rest"].split(), "."]
                between = len(before) - 2
                differs = bool(words) and many != plural
                pairs.append(AgreementPair(text, len(before), *forms, subject, words, between, differs, kind))
    return pairs


def _rows(name: str) -> list[dict[str, str]]:
    with _existing(name).open(encoding="utf-8", newline="") as file:
        # Quotation marks are part of the text.
        return list(csv.DictReader(file, delimiter="\t", quoting=csv.QUOTE_NONE))


def _existing(name: str) -> Path:
    path = FOLDER / name
    if not path.is_file():
        raise ValueError(f"There is no {path}: restore data/sentences from the course's repository.")
    return path
