"""The words of the grammar, from `data/grammar/`: nouns by kind, adjectives by what they fit, verbs' forms.

A noun's kind says what can be done with it: the frames let people open what is of kind a door and cats chase
mice, so that the sentences make sense.
"""

from typing import NamedTuple

from lib.text.grammar import tables

WORDS = tables.tables("words.txt", tables.WORDS)
LISTS = WORDS["lists"]


def words(text: str) -> frozenset[str]:
    """The words of a line as a set."""
    return frozenset(text.split())


# --- nouns ----------------------------------------------------------------------------------------

# kind: (type of entity, nouns). A star marks what cannot be counted, an equals sign what is always plural.
NOUNS = {
    kind: (type_, nouns)
    for type_, kinds in tables.tables("nouns.txt", tables.NOUNS).items()
    for kind, nouns in kinds.items()
}
NAMES, CITIES = WORDS["names"], WORDS["names"]["city"]  # names by the pronoun: "she", "he"
KINDS, PLURALS = WORDS["kinds"], WORDS["plurals"]
FEMININE, MASCULINE = words(LISTS["feminine"]), words(LISTS["masculine"])
SINGLE, OWNED = words(LISTS["single"]), words(LISTS["owned"])
UNCOUNTED = {noun[:-1] for _, nouns in NOUNS.values() for noun in nouns.split() if noun[-1] == "*"}
ONLY_PLURAL = {noun[:-1] for _, nouns in NOUNS.values() for noun in nouns.split() if noun[-1] == "="}
NOUN_IN_KIND = {noun.rstrip("*="): kind for kind, (_, nouns) in NOUNS.items() for noun in nouns.split()}
TYPES = {kind: type_ for kind, (type_, _) in NOUNS.items()} | {"name": "person", "city_name": "place"}


def nouns_of(kind: str) -> list[str]:
    """The nouns of a base kind, or the noun itself."""
    return [noun.rstrip("*=") for noun in NOUNS[kind][1].split()] if kind in NOUNS else [kind]


def plural(noun: str) -> str:
    """The plural of a noun: "boxes", "children"."""
    if noun in ONLY_PLURAL or noun in PLURALS:
        return PLURALS.get(noun, noun)
    if noun.endswith(("s", "x", "ch", "sh")):
        return noun + "es"
    if noun.endswith("y") and noun[-2] not in "aeiou":
        return noun[:-1] + "ies"
    return noun + "s"


def go_together(first: str, second: str) -> bool:
    """Whether something can be both, as "small and old", but not "small and large"."""
    return first != second and not any(first in group and second in group for group in ONE_OF)


# --- verbs ----------------------------------------------------------------------------------------


class Verb(NamedTuple):
    """The five forms of a verb: see, sees, saw, seen, seeing."""

    base: str
    third: str
    past: str
    participle: str
    gerund: str


THAT_VERBS, TO_VERBS, ASK_VERBS = LISTS["that_verbs"], LISTS["to_verbs"], LISTS["ask_verbs"]
ONCE, ACCIDENTS = words(LISTS["once"]), words(LISTS["accidents"])
_DOUBLED = words(LISTS["doubled"])
_IRREGULAR = tables.tables("verbs.txt", tables.FORMS)["irregular"]


def verb(base: str) -> Verb:
    """All forms of a verb from its base."""
    if base == "be":
        return Verb("be", "is", "was", "been", "being")
    sibilant = base.endswith(("s", "x", "z", "ch", "sh", "o"))
    soft = base.endswith("y") and base[-2] not in "aeiou"
    third = {"have": "has"}.get(base) or (
        base + "es" if sibilant else base[:-1] + "ies" if soft else base + "s"
    )
    stem = base + base[-1] if base in _DOUBLED else base
    regular = base + "d" if base.endswith("e") else base[:-1] + "ied" if soft else stem + "ed"
    past, participle = _IRREGULAR.get(base, f"{regular} {regular}").split()
    silent = base.endswith("e") and not base.endswith(("ee", "ye", "oe"))
    gerund = "lying" if base == "lie" else (base[:-1] if silent else stem) + "ing"
    return Verb(base, third, past, participle, gerund)


# --- adjectives, adverbs, times -------------------------------------------------------------------

_FITTING = tables.tables("adjectives.txt", tables.WORDS)
ADJECTIVES, STATES = _FITTING["before"], _FITTING["said"]  # by the noun, its kind, or the type of entity
ONE_OF = [words(line) for line in _FITTING["one_of"].values()]
NO_ADJECTIVE, UNGRADED = words(LISTS["no_adjective"]), words(LISTS["ungraded"])
DEGREES, FREQUENCY, NUMBERS = LISTS["degrees"], LISTS["frequency"], LISTS["numbers"]
TIMES, DAYS, SEASONS = LISTS["times"], LISTS["days"], LISTS["seasons"]
