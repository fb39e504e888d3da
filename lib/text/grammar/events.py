"""Who and what sentences are about, and what can happen to them, drawn from the lexicon's frames."""

from __future__ import annotations

import random
from dataclasses import dataclass, field
from functools import cache
from typing import NamedTuple

from lib.text.grammar import lexicon
from lib.text.grammar.frames import FRAMES, MANNERS, MODIFIERS
from lib.text.grammar.lexicon import words

GIVES_TO = words("give send show lend offer bring sell read write throw tell serve")  # "gave Anna a book"
GIVES_FOR = words("bake buy knit cook build sew")  # "baked Anna a cake"


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
    article: str = ""  # "the" from the first mention on, or certainly none of it at the first: "a"

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
    kind: str = ""  # "there": "there was a key"; "again": without the auxiliary, as in "will eat and drink"


class Frame(NamedTuple):
    """A line of `data/grammar/frames.txt`."""

    scene: str
    subject: str
    verb: str
    particle: str
    object: str
    phrases: tuple[tuple[str, str, bool], ...]  # preposition, kinds, whether it may be missing
    passive: bool


@cache
def frames(scene: str = "") -> tuple[Frame, ...]:
    """All frames, or those of a scene."""
    if scene:
        return tuple(_frame(scene, line) for line in FRAMES[scene])
    return tuple(frame for name in FRAMES for frame in frames(name))


def _frame(scene: str, line: str) -> Frame:
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
    return Frame(scene, subject, base.rstrip("!"), particle, object_, tuple(phrases), passive)


@cache
def manners(base: str) -> tuple[str, ...]:
    """The adverbs that go with a verb."""
    return tuple(adverb for adverb, verbs in MANNERS.items() if base in verbs.split())


@cache
def kinds_of(slot: str) -> tuple[tuple[str, str], ...]:
    """What a slot such as "pet/key.s" is drawn from: base kinds and nouns, each with its number.

    The number is "s" or "p" where the slot wants the singular or the plural, else "".
    """
    kinds: list[tuple[str, str]] = []
    for name in slot.split("/"):
        name, _, number = name.partition(".")
        for kind in lexicon.KINDS.get(name, name).split():
            inner = kinds_of(kind) if kind in lexicon.KINDS else [(kind, "")]
            kinds += [(base, number) for base, _ in inner]
    return tuple(kinds)


def fits(slot: str, noun: str, kind: str, plural: bool) -> bool:
    """Whether a noun can stand in the slot."""
    wrong = "s" if plural else "p"
    return any(name in (noun, kind) and number != wrong for name, number in kinds_of(slot))


@cache
def frames_about(noun: str, kind: str, plural: bool) -> tuple[Frame, ...]:
    """The frames whose subject a noun can be."""
    return tuple(frame for frame in frames() if fits(frame.subject, noun, kind, plural))


@cache
def frames_with(noun: str, kind: str, plural: bool) -> tuple[Frame, ...]:
    """The frames whose object a noun can be."""
    return tuple(frame for frame in frames() if frame.object and fits(frame.object, noun, kind, plural))


class Director:
    """Brings in things and lets them do something; no noun comes twice, and no verb."""

    def __init__(self, rng: random.Random, plurals: float = 0.3):
        self.rng = rng
        self.plurals = plurals
        self.taken: set[str] = set()

    def chance(self, share: float) -> bool:
        return self.rng.random() < share

    # --- things -----------------------------------------------------------------------------------

    def draw(self, slot: str, owner: Thing | None = None) -> Thing:
        """A new thing for a slot such as "person" or "key.s"; a relative is `owner`'s or somebody's."""
        for _ in range(20):
            kind, number = self.rng.choice(kinds_of(slot))
            thing = self.named(kind) if kind in ("name", "city_name") else self.common(kind, number)
            if thing.noun not in self.taken:
                break
        self.taken.add(thing.noun)
        if thing.kind in ("female_kin", "male_kin"):
            close = owner is not None and owner.type == "person" and not owner.owner
            thing.owner = owner if close else self.draw("name")
        return thing

    def named(self, kind: str) -> Thing:
        if kind == "city_name":
            return Thing(self.rng.choice(lexicon.CITIES.split()), kind, named=True)
        gender = self.rng.choice(["she", "he"])
        return Thing(self.rng.choice(lexicon.NAMES[gender].split()), kind, gender=gender, named=True)

    def common(self, kind: str, number: str) -> Thing:
        noun = self.rng.choice(lexicon.nouns_of(kind))
        kind = kind if kind in lexicon.NOUNS else lexicon.NOUN_IN_KIND[noun]
        type_ = lexicon.TYPES[kind]
        share = 0 if noun in lexicon.SINGLE or kind in lexicon.SINGLE else self.plurals
        many = number == "p" or (not number and self.chance(share)) or noun in lexicon.ONLY_PLURAL
        thing = Thing(noun, kind, plural=many and noun not in lexicon.UNCOUNTED)
        if type_ == "person":
            known = "she" if noun in lexicon.FEMININE else "he" if noun in lexicon.MASCULINE else ""
            thing.gender = known or self.rng.choice(["she", "he"])
            thing.unknown = not known
        if type_ == "place" and noun not in ("village", "town", "city", "island", "house", "cave"):
            thing.article = "the"
        fixed = words("part weather storm furniture opening cabinet room device sight")
        if (kind in fixed and number == "s") or kind in ("part", "weather", "sight"):
            thing.article = "the"
        if self.chance(0.3):
            thing.adjective = self.adjective(thing)
        return thing

    def adjective(self, thing: Thing) -> str:
        """An adjective that fits a thing, none where none does."""
        if thing.named or thing.kind in lexicon.NO_ADJECTIVE:
            return ""
        lines = (lexicon.ADJECTIVES.get(key) for key in (thing.noun, thing.kind, thing.type))
        return pick(self.rng, next(line for line in lines if line))

    def own(self, thing: Thing, subject: Thing | None) -> None:
        """Sometimes a thing is somebody's, and mostly that of who does something with it."""
        if thing.kind not in lexicon.OWNED or thing.owner or thing.named:
            return
        if subject is not None and subject.type == "person" and self.chance(0.35):
            thing.owner = subject
        elif self.chance(0.1):
            thing.owner = self.draw("name")

    # --- events -----------------------------------------------------------------------------------

    def event(self, frame: Frame, subject: Thing | None = None, object: Thing | None = None) -> Event:
        """What a frame tells, with new things for those not given."""
        self.taken.add(frame.verb)
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
            gives = GIVES_FOR if preposition == "for" else GIVES_TO if preposition == "to" else frozenset()
            if thing.type == "person" and frame.verb in gives and frame.object:
                event.recipient = thing
            else:
                event.phrases.append((preposition, thing))
        if manners(frame.verb) and self.chance(0.25):
            event.adverb = self.rng.choice(manners(frame.verb))
        return event

    def some_event(self, scene: str, subject: Thing, willing: bool = False) -> Event:
        """Something that the subject may do in a scene, and has not done yet; willing: and may want to do."""
        able = frames_about(subject.noun, subject.kind, subject.plural)
        fitting = [frame for frame in able if frame.scene == scene]
        fitting = fitting or [frame for frame in able if frame.scene == "people"]
        if willing:
            fitting = [frame for frame in fitting if frame.verb not in lexicon.ACCIDENTS]
        new = [frame for frame in fitting if frame.verb not in self.taken]
        return self.event(self.rng.choice(new or fitting), subject)

    def event_with(self, thing: Thing) -> Event | None:
        """An event for a relative clause about the thing: it does something, or something is done to it."""
        kind, plural = thing.kind, thing.plural
        doing, undergoing = (
            [frame for frame in fitting if frame.verb not in self.taken]
            for fitting in (frames_about(thing.noun, kind, plural), frames_with(thing.noun, kind, plural))
        )
        acts = doing and (not undergoing or self.chance(0.65))
        if acts:
            event = self.event(self.rng.choice(doing), subject=thing)
        elif undergoing:
            frame = self.rng.choice(undergoing)
            event = self.event(frame, object=thing)
            event.passive = frame.passive and self.chance(0.25)
        else:
            return None
        event.phrases = event.phrases[:1]
        return event

    def modifier(self, thing: Thing) -> tuple[str, Thing] | None:
        """A preposition and a thing that tell which: "to" and a cabinet for a key."""
        line = MODIFIERS.get(thing.noun) or MODIFIERS.get(thing.kind)
        if not line:
            return None
        preposition, kinds = pick(self.rng, line).split("=")
        other = self.draw(kinds)
        other.adjective = ""
        return preposition, other
