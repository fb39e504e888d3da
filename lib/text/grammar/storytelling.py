"""From a plot of `lib.text.grammar.plots` to the trees of a story's sentences."""

from __future__ import annotations

import random
from functools import cache

from lib.text.grammar import lexicon
from lib.text.grammar.events import GIVES_FOR, GIVES_TO, Event, Stage, Thing
from lib.text.grammar.plots import PLOTS, TENSES
from lib.text.grammar.syntax import Node
from lib.text.grammar.telling import LINKS, Teller

JOINING = {word.upper() for word in LINKS} | {"AND", "BUT", "SO"}


@cache
def plots() -> tuple[tuple[str, ...], ...]:
    """The plots, each its lines: the roles first."""
    return tuple(tuple(block.splitlines()) for block in PLOTS.strip().split("\n\n"))


def story_trees(rng: random.Random) -> list[Node]:
    """The trees of the sentences of a story, three to eight."""
    roles, *lines = rng.choice(plots())
    stage = Stage(rng, plurals=0.2)
    teller = Teller(rng, stage)
    telling = _Telling(teller, stage, rng, _cast(roles, stage, rng))
    told = [line.removeprefix("? ") for line in lines if not line.startswith("? ") or rng.random() < 0.5]
    trees = []
    for number, line in enumerate(told[:8]):
        teller.sentence = number
        trees.append(telling.sentence(rng.choice(line.split(" | "))))
    return trees


def _cast(line: str, stage: Stage, rng: random.Random) -> dict[str, Thing]:
    """Those who play a plot's roles. People differ in gender where they can, so that "she" is clear."""
    cast: dict[str, Thing] = {}
    genders: list[str] = []
    for part in line.split(" | "):
        role, kinds = part.split(": ")
        owner, _, slot = kinds.rpartition("'s ")
        for _ in range(12):
            thing = stage.draw(slot, cast.get(owner))
            if thing.type != "person" or thing.plural or thing.gender not in genders or len(genders) > 1:
                break
        if thing.type == "person" and not thing.plural:
            genders.append(thing.gender)
        if owner:
            thing.owner = cast[owner]
        cast[role] = thing
    return cast


class _Telling:
    """Reads the lines of a plot with its roles filled."""

    def __init__(self, teller: Teller, stage: Stage, rng: random.Random, cast: dict[str, Thing]):
        self.teller, self.stage, self.rng, self.cast = teller, stage, rng, cast

    def sentence(self, line: str) -> Node:
        words = line.split()
        if words[0] in JOINING and "THEN" in words:
            then = words.index("THEN")
            first = self.teller.clause(self.event(words[1:then]))
            node = self.teller.put_first(first, words[0].lower(), self.clauses(words[then + 1 :]))
        else:
            node = self.clauses(words)
        node.after.append(Node(".", "PUNCT", "punct"))
        return node

    def clauses(self, words: list[str]) -> Node:
        """Clauses joined by words in capitals; with "and" the same subject is not said again."""
        cut = next((place for place, word in enumerate(words) if word in JOINING), len(words))
        event = self.event(words[:cut])
        node = self.teller.clause(event)
        while cut < len(words):
            joint, rest = words[cut].lower(), words[cut + 1 :]
            end = next((place for place, word in enumerate(rest) if word in JOINING), len(rest))
            other = self.event(rest[:end])
            shared = joint == "and" and other.subject is event.subject and not other.passive
            second = self.teller.clause(other, silent=shared)
            self.teller.join(node, joint, second)
            cut += end + 1
        return node

    def event(self, words: list[str]) -> Event:
        subject = self.thing(words[0])
        words = words[1:]
        event = Event("be", subject)
        if words[0] == "by":
            event.passive, words = True, words[1:]
        for word in words:
            if word in ("TO", "THAT"):
                rest = words[words.index(word) + 1 :]
                actor = event.object or subject
                inner = self.event(rest if word == "THAT" else [_role(actor, self.cast), *rest])
                event.complement = (word.lower(), inner)
                break
            self.take(event, word)
        if event.passive:
            event.subject, event.object = event.object, event.subject
        return event

    def take(self, event: Event, word: str) -> None:
        """What a single word of a line adds to its event."""
        if word == "not":
            event.negated = True
        elif word.startswith("!"):
            event.predicate = word[1:].replace("-", " ")
        elif word.startswith("~"):
            event.adverb = word[1:]
        elif word.startswith("@"):
            time = word[1:].replace("-", " ").replace("D", self.rng.choice(lexicon.DAYS.split()))
            event.time, event.front = time, self.rng.random() < 0.5
        elif word.startswith("+"):
            event.particle = word[1:]
        elif "=" in word:
            preposition, name = word.split("=")
            thing = self.thing(name)
            gives = GIVES_TO if preposition == "to" else GIVES_FOR if preposition == "for" else set()
            if event.verb in gives and event.object and thing.type == "person":
                event.recipient = thing
            else:
                event.phrases.append((preposition, thing))
        elif word in self.cast or event.verb != "be":
            event.object = self.thing(word)
        else:
            base, _, tense = word.partition(":")
            event.verb = base
            if tense:
                event.tense = TENSES[tense]

    def thing(self, name: str) -> Thing:
        """Who plays the role, or, for a kind or noun, something new that nobody speaks of again."""
        if name not in self.cast:
            thing = self.stage.draw(name)
            thing.unique = True
            return thing
        return self.cast[name]


def _role(thing: Thing, cast: dict[str, Thing]) -> str:
    return next(role for role, other in cast.items() if other is thing)
