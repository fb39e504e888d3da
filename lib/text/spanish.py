"""A closed grammar that writes English sentences, their Spanish translations, and which word became which.

    for pair in pairs(1000, seed=0):
        print(" ".join(pair.english), "->", " ".join(pair.spanish))

The same seed gives the same pairs, in any process. The words are in `data/grammar_spanish/`; its README says
what the grammar covers, and that no native speaker has read it. The Spanish is that of these rules alone:
gender and number agree, adjectives stand behind their noun unless the table says "before", an object takes
"a" where the verb's line says so (people, of some verbs animals), "a el" is written "al" and "de el" "del", a
pronoun that is an object stands before the verb, "'s" becomes "de", and "i" is left out, because the verb's
ending says it.
"""

from __future__ import annotations

import random
from collections.abc import Sequence
from functools import cache
from typing import NamedTuple
from zlib import crc32

from lib import root

FOLDER = root / "data" / "grammar_spanish"
CONTRACTED = {("a", "el"): "al", ("de", "el"): "del"}
#: of "to be": by the Spanish verb the present (él, ellos) and the past (él, ellos)
BE = {"ser": (("es", "son"), ("era", "eran")), "estar": (("está", "están"), ("estaba", "estaban"))}
PEOPLE = ("person", "child", "family")  # the kinds that the tables call "people"
HELD_OUT = 10  # of so many combinations of an adjective and a noun one is held out

Written = tuple[str, tuple[int, ...]]  # a Spanish word, and the places of the English words it came from


class Pair(NamedTuple):
    """A sentence in both languages, as lists of words.

    links: for each Spanish word the places of the English words it translates, none for the "a" before a
    person. described: each adjective with its noun, both in English, the noun in the singular.
    """

    english: list[str]
    spanish: list[str]
    links: list[tuple[int, ...]]
    described: list[tuple[str, str]]


class Part(NamedTuple):
    """A piece of a sentence while it is built."""

    english: list[str]
    spanish: list[Written]
    described: tuple[tuple[str, str], ...] = ()
    plural: bool = False
    feminine: bool = False
    kind: str = "person"


class Noun(NamedTuple):
    english: tuple[str, str]  # one, several; "-" where it has no plural here
    spanish: tuple[str, str]
    feminine: bool
    kind: str


class Verb(NamedTuple):
    english: tuple[str, str, str]  # they, he, past
    spanish: tuple[tuple[str, str, str], tuple[str, str, str]]  # present and past, each: yo, él, ellos
    whose: tuple[str, ...]  # the kinds of its subject
    what: tuple[str, ...]  # the kinds of its object, or of the place it leads to
    marked: tuple[str, ...]  # the kinds of its object that take "a"
    where: tuple[str, ...]  # the English prepositions that may follow


class Adjective(NamedTuple):
    english: str
    spanish: tuple[str, str, str, str]  # masculine, feminine, then the plurals
    before: bool
    be: str  # "ser" or "estar", "-" where it is not said of a subject
    sort: str  # such as "color": no subject has two of a sort
    kinds: tuple[str, ...]


# --- the tables -----------------------------------------------------------------------------------


def _sections(name: str, columns: int) -> dict[str, list[list[str]]]:
    """The lines below each [heading] of a table, cut at spaces; of a table without headings below ""."""
    path = FOLDER / f"{name}.txt"
    if not path.is_file():
        raise ValueError(f"There is no {path}: restore data/grammar_spanish from the course's repository.")
    found: dict[str, list[list[str]]] = {}
    heading = ""
    for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), start=1):
        if line.startswith("["):
            heading = line.strip("[] ")
        elif line.strip() and not line.startswith("#"):
            cut = line.split()
            if len(cut) < columns:
                raise ValueError(
                    f"data/grammar_spanish/{name}.txt, line {number}: {line!r} has {len(cut)} words, and"
                    f" needs {columns}; the file's first line says which."
                )
            found.setdefault(heading, []).append(cut)
    return found


@cache
def nouns() -> list[Noun]:
    """All nouns, in the order of their table."""
    return [
        Noun((one, several), (uno, varios), gender == "f", kind)
        for kind, lines in _sections("nouns", 5).items()
        for one, several, uno, varios, gender in lines
    ]


def _kinds(cell: str) -> tuple[str, ...]:
    """ "people/animal" to the kinds of nouns that it names."""
    return tuple(kind for name in cell.split("/") for kind in (PEOPLE if name == "people" else (name,)))


@cache
def verbs(heading: str) -> list[Verb]:
    """The verbs "with object", "without object" or "to a place"."""
    found = []
    for they, he, past, *forms, whose, what, marked, where in _sections("verbs", 13)[heading]:
        yo, el, ellos, yo_past, el_past, ellos_past = forms
        spanish = (yo, el, ellos), (yo_past, el_past, ellos_past)
        kinds = _kinds(whose), _kinds(what), _kinds(marked), tuple(where.split("/"))
        found.append(Verb((they, he, past), spanish, *kinds))
    return found


@cache
def adjectives() -> list[Adjective]:
    """All adjectives, in the order of their table."""
    found = []
    for english, he, she, they, they_women, side, be, sort, *kinds in _sections("adjectives", 9)[""]:
        spanish = he, she, they, they_women
        found.append(Adjective(english, spanish, side == "before", be, sort, tuple(kinds)))
    return found


@cache
def _nouns_of(kinds: tuple[str, ...]) -> list[Noun]:
    return [one for one in nouns() if "any" in kinds or one.kind in kinds]


@cache
def _adjectives_of(kind: str) -> list[Adjective]:
    return [one for one in adjectives() if kind in one.kinds]


@cache
def _words(heading: str) -> list[list[str]]:
    return _sections("words", 2)[heading]


# --- phrases --------------------------------------------------------------------------------------


def is_held_out(adjective: str, noun: str) -> bool:
    """Whether this adjective never describes this noun (singular) in the pairs to learn from."""
    return crc32(f"{adjective} {noun}".encode()) % HELD_OUT == 0


def arranged(english: Sequence[Part], spanish: Sequence[tuple[Part, Sequence[Written]]]) -> Part:
    """Put parts side by side in the order of English; Spanish has an order of its own.

    spanish: words, each with the part from whose English words they came. A part may come several times.
    """
    starts = []
    words: list[str] = []
    for part in english:
        starts.append(len(words))
        words += part.english
    written = []
    for part, pieces in spanish:
        start = next(at for at, one in zip(starts, english, strict=True) if one is part)
        written += [(word, tuple(place + start for place in links)) for word, links in pieces]
    described = tuple(one for part in english for one in part.described)
    return Part(words, written, described)


def _in_order(*parts: Part) -> Part:
    return arranged(parts, [(part, part.spanish) for part in parts])


def _noun_phrase(
    rng: random.Random, kinds: tuple[str, ...], owned: bool = True, several: float = 0.3, without: str = ""
) -> Part:
    """ "the old dog" to "el perro viejo", sometimes with an owner; `several` is how often it is a plural.

    without: a sort of adjectives that does not describe it.
    """
    noun = rng.choice(_nouns_of(kinds))
    plural = rng.random() < several and noun.english[1] != "-"
    form = 2 * plural + noun.feminine
    head = Part([noun.english[plural]], [(noun.spanish[plural], (0,))])
    fitting = [one for one in _adjectives_of(noun.kind) if one.sort != without]
    if fitting and rng.random() < 0.5:
        adjective = rng.choice(fitting)
        said = Part([adjective.english], [(adjective.spanish[form], (0,))])
        order = [(said, said.spanish), (head, head.spanish)]
        head = arranged([said, head], order if adjective.before else order[::-1])
        head = head._replace(described=((adjective.english, noun.english[0]),))
    if owned and noun.kind not in ("place", "ground", "art") and rng.random() < 0.15:
        phrase = _owned(rng, head, ["el", "la", "los", "las"][form])
    else:
        articles = [one for one in _words("before a noun") if one[1 + form] != "-"]
        if noun.kind == "ground":  # nobody's river
            articles = [one for one in articles if one[0] != "my"]
        weights = [4 if one[0] == "the" else 1 for one in articles]
        article = rng.choices(articles, weights)[0]
        english = article[0]
        if english == "a" and head.english[0][0] in "aeiou":
            english = "an"
        phrase = _in_order(Part([english], [(article[1 + form], (0,))]), head)
    return phrase._replace(plural=plural, feminine=noun.feminine, kind=noun.kind)


def _owned(rng: random.Random, head: Part, article: str) -> Part:
    """ "the boy's dog" to "el perro del niño"; the article is that of the dog."""
    if rng.random() < 0.5:
        owner = _name(rng)
    else:
        owner = _noun_phrase(rng, PEOPLE, owned=False, several=0.0)
    mark = Part(["'s"], [("de", (0,))])
    the = Part([], [(article, ())])
    order = [(the, the.spanish), (head, head.spanish), (mark, mark.spanish), (owner, owner.spanish)]
    return arranged([owner, mark, head, the], order)


def _name(rng: random.Random) -> Part:
    english, spanish, gender = rng.choice(_words("names"))
    return Part([english], [(spanish, (0,))], feminine=gender == "f")


def _subject(rng: random.Random, kinds: tuple[str, ...]) -> Part:
    drawn = rng.random()
    if drawn < 0.15:
        return _name(rng)
    if drawn < 0.3:
        english, spanish = rng.choice(_words("subjects"))
        return Part([english], [(spanish, (0,))], plural=english == "they", feminine=english == "she")
    if drawn < 0.42:
        return Part(["i"], [])
    return _noun_phrase(rng, kinds)


def _where(rng: random.Random, verb: Verb) -> Part:
    fitting = [one for one in _words("prepositions") if one[0] in verb.where]
    english, kinds, *spanish = rng.choice(fitting)
    preposition = Part([english], [(word, (0,)) for word in spanish])
    return _in_order(preposition, _noun_phrase(rng, _kinds(kinds), owned=False))


# --- sentences ------------------------------------------------------------------------------------


def _clause(rng: random.Random, verb: Verb, subject: Part, objects: Part | None, after: list[Part]) -> Part:
    """A sentence with a verb of action. objects: a pronoun, which in Spanish stands before the verb."""
    past, denied = rng.random() < 0.5, rng.random() < 0.25
    first = subject.english == ["i"]
    third = not first and not subject.plural
    base, he, past_form = verb.english
    if denied:
        helper = "did" if past else "does" if third else "do"
        english = [helper, "not", base]
    else:
        english = [past_form if past else he if third else base]
    spanish = verb.spanish[past][0 if first else 1 + subject.plural]
    if first:  # "i" is no word of its own in Spanish: it belongs to the verb
        english = ["i", *english]
        subject = Part([], [])
    links = tuple(place for place, word in enumerate(english) if word != "not")
    action = Part(english, [(spanish, links)])
    order: list[tuple[Part, Sequence[Written]]] = [(subject, subject.spanish)]
    if denied:
        order.append((action, [("no", (english.index("not"),))]))
    if objects is not None:
        order.append((objects, objects.spanish))
    order.append((action, action.spanish))
    order += [(part, part.spanish) for part in after]
    pronoun = [] if objects is None else [objects]
    return arranged([subject, action, *pronoun, *after], order)


def _with_object(rng: random.Random) -> Part:
    verb = rng.choice(verbs("with object"))
    subject = _subject(rng, verb.whose)
    if rng.random() < 0.25:
        fitting = [
            (english, spanish)
            for english, spanish in _words("objects")
            if english in ("it", "them") or {"any", "person"} & set(verb.what)
        ]
        english, spanish = rng.choice(fitting)
        return _clause(rng, verb, subject, Part([english], [(spanish, (0,))]), [])
    seen = _noun_phrase(rng, verb.what)
    after = [seen]
    if seen.kind in verb.marked:
        after = [Part([], [("a", ())]), seen]
    if verb.where != ("-",) and rng.random() < 0.25:
        after.append(_where(rng, verb))
    return _clause(rng, verb, subject, None, after)


def _without_object(rng: random.Random) -> Part:
    verb = rng.choice(verbs("without object"))
    return _clause(rng, verb, _subject(rng, verb.whose), None, [_where(rng, verb)])


def _to_a_place(rng: random.Random) -> Part:
    verb = rng.choice(verbs("to a place"))
    to = Part(["to"], [("a", (0,))])
    place = _noun_phrase(rng, verb.what, owned=False)
    return _clause(rng, verb, _subject(rng, verb.whose), None, [to, place])


def _description(rng: random.Random) -> Part:
    """ "the houses were not big" to "las casas no eran grandes"."""
    adjective = rng.choice([one for one in adjectives() if one.be != "-"])
    subject = _noun_phrase(rng, adjective.kinds, without=adjective.sort)
    past, denied = rng.random() < 0.5, rng.random() < 0.25
    english = (("is", "are"), ("was", "were"))[past][subject.plural]
    form = adjective.spanish[2 * subject.plural + subject.feminine]
    verb = Part([english], [(BE[adjective.be][past][subject.plural], (0,))])
    no = Part(["not"], [("no", (0,))])
    said = Part([adjective.english], [(form, (0,))])
    if denied:
        order = [(part, part.spanish) for part in (subject, no, verb, said)]
        return arranged([subject, verb, no, said], order)
    return _in_order(subject, verb, said)


def _contracted(written: list[Written]) -> list[Written]:
    done: list[Written] = []
    for word, links in written:
        if done and (short := CONTRACTED.get((done[-1][0], word))):
            done[-1] = (short, (*done[-1][1], *links))
        else:
            done.append((word, links))
    return done


KINDS = (_with_object, _without_object, _to_a_place, _description)


def pairs(count: int, seed: int, held_out: bool = False) -> list[Pair]:
    """So many pairs, no English sentence twice.

    In none of them does an adjective stand before a noun for which it is held out; with `held_out` it does in
    each of them, once at least.
    """
    rng = random.Random(f"spanish {seed}")
    found: dict[tuple[str, ...], Pair] = {}
    while len(found) < count:
        sentence = rng.choices(KINDS, (6, 2, 1, 2))[0](rng)
        if held_out == any(is_held_out(*one) for one in sentence.described):
            written = _contracted(sentence.spanish)
            spanish, links = zip(*written, strict=True)
            found.setdefault(
                tuple(sentence.english),
                Pair(sentence.english, list(spanish), list(links), list(sentence.described)),
            )
    return list(found.values())
