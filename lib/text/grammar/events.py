"""Who and what sentences are about, and what can happen to them, drawn from the lexicon's frames."""

from __future__ import annotations

import random
from dataclasses import dataclass, field
from functools import cache
from typing import NamedTuple

from lib.text.grammar import lexicon
from lib.text.grammar.lexicon import words

GIVES_TO = words("give send show lend offer bring sell read write throw")  # "gave Anna a book"
GIVES_FOR = words("bake make buy knit cook build sew")  # "baked Anna a cake"
# What is over as soon as it happens: not "is losing", not "loses every day".
ONCE = words(
    "lose forget miss find see hear notice drop break spill win solve arrive steal meet invite catch be have "
    "know return finish damage bite attack live grab fall want"
)
OWNED = words("valuable jewelry clothes toy reading car cycle pet picture container household house")


def pick(rng: random.Random, line: str) -> str:
    """One of the words of a line."""
    return rng.choice(line.split())


@dataclass(eq=False)
class Thing:
    """Somebody or something that sentences are about."""

    noun: str
    kind: str
    plural: bool = False
    gender: str = "it"  # the pronoun of one alone: "he", "she" or "it"
    named: bool = False
    owner: Thing | None = None
    members: tuple[Thing, ...] = ()
    adjective: str = ""
    unknown: bool = False  # the noun does not tell "he" from "she", and nothing said so yet
    mentioned: bool = False
    unique: bool = False  # "the" from the first mention on

    @property
    def type(self) -> str:
        return "person" if self.members else lexicon.TYPES[self.kind]

    @property
    def pronoun(self) -> str:
        return "they" if self.plural else self.gender

    def could_be(self, pronoun: str) -> bool:
        """Whether somebody who reads the pronoun may think of this thing."""
        return self.pronoun == pronoun or (self.unknown and not self.plural and pronoun in ("he", "she"))


@dataclass(eq=False)
class Event:
    """What happens: a verb with those who take part, or a state with `predicate` or a place in `phrases`."""

    verb: str
    subject: Thing | None
    object: Thing | None = None
    recipient: Thing | None = None
    phrases: list[tuple[str, Thing]] = field(default_factory=list)
    particle: str = ""
    predicate: str = ""  # "the soup is very hot": "very hot"
    complement: tuple[str, Event] | None = None  # ("to", ...) or ("that", ...)
    tense: str = "past"
    negated: bool = False
    passive: bool = False
    agent: bool = True  # whether a passive says by whom
    adverb: str = ""
    often: str = ""
    time: str = ""
    front: bool = False  # the time, or else the first phrase, begins the sentence
    kind: str = ""  # "there" for "there was a key in the box"


class Frame(NamedTuple):
    """A line of `lexicon.FRAMES`."""

    subject: str
    verb: str
    particle: str
    object: str
    phrases: tuple[tuple[str, str, bool], ...]  # preposition, kinds, whether it may be missing
    passive: bool
    adverbs: tuple[str, ...]


@cache
def frames() -> tuple[Frame, ...]:
    """All frames of the lexicon."""
    return tuple(
        _frame(line, tuple(adverbs.split()))
        for adverbs, lines in lexicon.FRAMES.items()
        for line in lines.strip().splitlines()
    )


def _frame(line: str, adverbs: tuple[str, ...]) -> Frame:
    subject, base, *rest = line.split()
    particle, object_, phrases = "", "", []
    for token in rest:
        if token.startswith("+"):
            particle = token[1:]
        elif "=" in token:
            preposition, kinds = token.split("=")
            phrases.append((preposition.lstrip("?"), kinds, token.startswith("?")))
        else:
            object_ = token
    passive = bool(object_) and not base.endswith("!")
    return Frame(subject, base.rstrip("!"), particle, object_, tuple(phrases), passive, adverbs)


@cache
def kinds_of(slot: str) -> tuple[tuple[str, str], ...]:
    """What a slot such as "pet/key.s" is drawn from, all alike: base kinds and nouns, each with its number.

    The number is "s" or "p" where the slot wants the singular or the plural, else "".
    """
    found: list[tuple[str, str]] = []
    for name in slot.split("/"):
        name, _, number = name.partition(".")
        for kind in lexicon.KINDS.get(name, name).split():
            inner = kinds_of(kind) if kind in lexicon.KINDS else [(kind, "")]
            found += [(base, number) for base, _ in inner]
    return tuple(found)


def fits(slot: str, thing: Thing) -> bool:
    """Whether the thing can stand in the slot."""
    return any(
        kind in (thing.noun, thing.kind) and number != ("s" if thing.plural else "p")
        for kind, number in kinds_of(slot)
    )


class Stage:
    """Brings in things and lets them do something; no noun comes twice."""

    def __init__(self, rng: random.Random, plurals: float = 0.3):
        self.rng = rng
        self.plurals = plurals
        self.taken: set[str] = set()

    def chance(self, share: float) -> bool:
        return self.rng.random() < share

    def draw(self, slot: str, owner: Thing | None = None) -> Thing:
        """A new thing for a slot such as "person" or "key.s"; a relative needs somebody whose it is."""
        for _ in range(20):
            kind, number = self.rng.choice(kinds_of(slot))
            thing = self.named(kind) if kind in ("name", "city_name") else self.common(kind, number)
            if thing.noun not in self.taken:
                break
        self.taken.add(thing.noun)
        if thing.kind in ("female_kin", "male_kin") or thing.noun == "cousin":
            thing.owner = owner if owner is not None and owner.type == "person" else self.draw("name")
        return thing

    def named(self, kind: str) -> Thing:
        if kind == "city_name":
            return Thing(self.rng.choice(lexicon.CITIES.split()), "city", named=True)
        gender = self.rng.choice(["she", "he"])
        return Thing(self.rng.choice(lexicon.NAMES[gender].split()), "name", gender=gender, named=True)

    def common(self, kind: str, number: str) -> Thing:
        noun = self.rng.choice(lexicon.nouns_of(kind))
        kind = kind if kind in lexicon.NOUNS else lexicon.NOUN_IN_KIND[noun]
        only_plural = noun in lexicon.ONLY_PLURAL
        plural = number == "p" or (not number and self.chance(self.plurals))
        thing = Thing(noun, kind, only_plural or (plural and noun not in lexicon.UNCOUNTED))
        if lexicon.TYPES[kind] == "person":
            known = "she" if noun in lexicon.FEMININE else "he" if noun in lexicon.MASCULINE else ""
            thing.gender = known or self.rng.choice(["she", "he"])
            thing.unknown = not known
        place = lexicon.TYPES[kind] == "place" and noun not in ("village", "town", "city", "island")
        thing.unique = place or (kind in ("weather", "storm", "part", "furniture") and number == "s")
        if self.chance(0.3):
            thing.adjective = self.adjective(thing)
        return thing

    def adjective(self, thing: Thing) -> str:
        """An adjective that fits a thing, none where none does."""
        if thing.named or thing.kind in ("group", "part", "event", "meal", "money", "storm"):
            return ""
        line = lexicon.ADJECTIVES.get(thing.kind) or lexicon.ADJECTIVES.get(thing.type, "")
        return pick(self.rng, line) if line else ""

    def own(self, thing: Thing, subject: Thing | None) -> None:
        """Sometimes a thing is somebody's, and mostly that of who does something with it."""
        if thing.kind not in OWNED or thing.owner or thing.named:
            return
        if subject is not None and subject.type == "person" and self.chance(0.35):
            thing.owner = subject
        elif self.chance(0.08):
            thing.owner = self.draw("name")

    def event(self, frame: Frame, subject: Thing | None = None, object: Thing | None = None) -> Event:
        """What a frame tells, with new things for those not given."""
        subject = subject or self.draw(frame.subject)
        event = Event(frame.verb, subject, particle=frame.particle)
        if frame.object:
            event.object = object or self.draw(frame.object, subject)
            if object is None:
                self.own(event.object, subject)
        optional = self.chance(0.5)
        for preposition, kinds, may_be_missing in frame.phrases:
            if may_be_missing and not optional:
                continue
            thing = self.draw(kinds, subject)
            gives = GIVES_FOR if preposition == "for" else GIVES_TO if preposition == "to" else set()
            if thing.type == "person" and frame.verb in gives and frame.object:
                event.recipient = thing
            else:
                event.phrases.append((preposition, thing))
        if self.chance(0.2):
            event.adverb = self.rng.choice(frame.adverbs)
        return event

    def any_event(self) -> Event:
        return self.event(self.rng.choice(frames()))

    def event_with(self, thing: Thing, of_relative: bool = True) -> Event | None:
        """An event for a relative clause about the thing: as its subject, or as its object."""
        doing = [frame for frame in frames() if fits(frame.subject, thing)]
        undergoing = [frame for frame in frames() if frame.object and fits(frame.object, thing)]
        if not doing and not undergoing:
            return None
        if doing and (not undergoing or self.chance(0.6 if thing.type in ("person", "animal") else 0)):
            return self.event(self.rng.choice(doing), subject=thing)
        event = self.event(self.rng.choice(undergoing), object=thing)
        event.phrases = []
        return event

    def modifier(self, thing: Thing) -> tuple[str, Thing] | None:
        """A preposition and a thing that tell which: "to" and a cabinet for a key."""
        line = lexicon.MODIFIERS.get(thing.noun) or lexicon.MODIFIERS.get(thing.kind)
        if not line:
            return None
        preposition, kinds = self.rng.choice(line.split()).split("=")
        other = self.draw(kinds)
        other.adjective = ""
        return preposition, other
