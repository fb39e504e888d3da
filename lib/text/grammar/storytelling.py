"""From a plot of `data/grammar/plots.txt` to the trees of a story's sentences."""

from __future__ import annotations

import random
from functools import cache

from lib.text.grammar import lexicon, tables
from lib.text.grammar.events import GIVES_FOR, GIVES_TO, Director, Event, Thing, pick
from lib.text.grammar.syntax import MODALS, Node
from lib.text.grammar.tables import JOINING, TENSES
from lib.text.grammar.telling import Teller

LONGEST = 8  # sentences


@cache
def plots() -> tuple[tuple[str, ...], ...]:
    """The plots, each its lines: the roles first, in one line."""
    return tuple(tuple(plot) for plot in tables.plots())


def story_trees(rng: random.Random) -> list[Node]:
    """The trees of the sentences of a story, three to eight."""
    roles, *lines = rng.choice(plots())
    storyteller = Storyteller(rng, roles)
    chosen = [line.removeprefix("? ") for line in lines if not line.startswith("? ") or rng.random() < 0.5]
    while len(chosen) > LONGEST:
        chosen.pop(rng.randrange(1, len(chosen) - 1))
    trees: list[Node] = []
    for number, line in enumerate(chosen):
        trees.append(storyteller.sentence(rng.choice(line.split(" | ")), number=len(trees)))
        room = len(trees) + len(chosen) - number - 1 < LONGEST
        if number < 2 and room and rng.random() < 0.25 and (tree := storyteller.description(len(trees))):
            trees.append(tree)
    return trees


class Storyteller:
    """Reads the lines of a plot, with somebody in every role."""

    def __init__(self, rng: random.Random, roles: str):
        self.rng = rng
        self.director = Director(rng, plurals=0.2)
        self.teller = Teller(rng, self.director, relatives=0.2)
        self.cast: dict[str, Thing] = {}
        for part in roles.split(" | "):
            role, kinds = part.split(": ")
            self.cast[role] = self.together(kinds) if "+" in kinds else self.player(kinds)

    def player(self, kinds: str) -> Thing:
        """Somebody or something for a role. The first two people differ in gender, so that "she" is clear."""
        owner, _, slot = kinds.rpartition("'s ")
        genders = [other.gender for other in self.cast.values() if other.type == "person"]
        for _ in range(20):
            thing = self.director.draw(slot, self.cast.get(owner))
            if thing.type != "person" or thing.gender not in genders or len(genders) > 1:
                break
        if owner:
            thing.owner = self.cast[owner]
        elif not thing.article and self.rng.random() < 0.7:
            thing.article = "a"
        return thing

    def together(self, names: str) -> Thing:
        """The group of those who play "a+b"; one and the same whenever it is named."""
        members = tuple(self.cast[name] for name in names.split("+"))
        groups = (thing for thing in self.cast.values() if thing.members == members)
        return next(groups, Thing("", "name", plural=True, members=members))

    def thing(self, name: str, owner: Thing | None = None) -> Thing:
        """Who plays the role; for a noun, the one that the story knows already, or a new one."""
        if "+" in name and name not in self.cast:
            self.cast[name] = self.together(name)
        if name not in self.cast:
            noun = name.removeprefix("the-").partition(".")[0]
            known = (thing for thing in self.cast.values() if thing.noun == noun)
            self.cast[name] = next(known, None) or self.extra(name, owner)
        return self.cast[name]

    def extra(self, name: str, owner: Thing | None) -> Thing:
        """Somebody or something that no role stands for."""
        thing = self.director.draw(name.removeprefix("the-"), owner)
        thing.article = "the" if name.startswith("the-") else thing.article or "a"
        return thing

    def description(self, number: int) -> Node | None:
        """ "The dog was small and very lazy", about something that the sentence before spoke of."""
        before = [thing for sentence, thing in self.teller.log if sentence == number - 1]
        fresh = [
            thing for thing in before if thing.type in ("animal", "thing", "place") and not thing.adjective
        ]
        for thing in fresh:
            first, second = self.director.adjective(thing), self.director.adjective(thing)
            if first and lexicon.go_together(first, second):
                self.teller.sentence = number
                graded = first not in lexicon.UNGRADED and self.rng.random() < 0.4
                degree = pick(self.rng, "very quite rather") + " " if graded else ""
                node = self.teller.clause(Event("be", thing, predicate=degree + first))
                if self.rng.random() < 0.5 and not degree:
                    more = Event("be", thing, predicate=second, kind="again")
                    self.teller.join(node, "and", self.teller.clause(more, silent=True))
                node.after.append(Node(".", "PUNCT", "punct"))
                thing.adjective = first
                return node
        return None

    # --- lines ------------------------------------------------------------------------------------

    def sentence(self, line: str, number: int) -> Node:
        """The tree of a line, the sentence of that number in the story."""
        self.teller.sentence = number
        words = line.split()
        if words[0] in JOINING:
            then = words.index("THEN")
            event = self.event(words[1:then])
            event.front = False
            first = self.teller.clause(event)
            node = self.teller.put_first(first, words[0].lower(), self.clauses(words[then + 1 :]))
        else:
            node = self.clauses(words)
        node.after.append(Node(".", "PUNCT", "punct"))
        return node

    def clauses(self, words: list[str]) -> Node:
        """Clauses joined by words in capitals; with "and" the same subject is not said again."""
        cut = _next_joint(words)
        event = self.event(words[:cut])
        node = self.teller.clause(event, rich=2 if self.rng.random() < 0.2 else 0)
        while cut < len(words):
            joint, rest = words[cut].lower(), words[cut + 1 :]
            end = _next_joint(rest)
            other = self.event(rest[:end])
            other.front = False
            shared = joint == "and" and other.subject is event.subject and not other.passive
            if shared and (other.verb == event.verb == "be" or other.tense == event.tense in MODALS):
                other.kind = "again"
            self.teller.join(node, joint, self.teller.clause(other, silent=shared))
            cut += end + 1
        return node

    def event(self, words: list[str], actor: Thing | None = None) -> Event:
        """What some words of a line tell. actor: who does it, where that is not said."""
        if actor is None:
            actor, words = self.thing(words[0]), words[1:]
        passive = words[0] == "by"
        negated = words[0] == "not"
        base, _, tense = words[passive or negated].partition(":")
        event = Event(base, actor, tense=TENSES[tense] if tense else "past", negated=negated)
        for place, word in enumerate(words):
            if word in ("TO", "THAT"):
                rest = words[place + 1 :]
                inner = self.event(rest, None if word == "THAT" else event.object or actor)
                event.complement = (word.lower(), inner)
                break
            if place > (passive or negated):
                self.take(event, word)
        if passive:
            event.passive = True
            event.subject, event.object = event.object, event.subject
            event.agent = event.subject is not None
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
            parts = word[1:].split("-")
            lines = {"D": lexicon.DAYS, "S": lexicon.SEASONS}
            event.time = " ".join(pick(self.rng, lines.get(part, part)) for part in parts)
            event.front = self.rng.random() < 0.5
        elif word.startswith("+"):
            event.particle = word[1:]
        elif "=" in word:
            preposition, name = word.split("=")
            thing = self.thing(name, event.subject)
            gives = GIVES_TO if preposition == "to" else GIVES_FOR if preposition == "for" else frozenset()
            if event.verb in gives and event.object and thing.type == "person":
                event.recipient = thing
            else:
                event.phrases.append((preposition, thing))
        else:
            if event.object is not None:
                event.recipient = event.object
            event.object = self.thing(word, event.subject)


def _next_joint(words: list[str]) -> int:
    return next((place for place, word in enumerate(words) if word in JOINING), len(words))
