"""A grammar that writes English with its gold analysis: dependency trees, entities, who is who.

    sentences(100, seed=0)       100 sentences, each with its parse, entities, and chains
    stories(10, seed=0)          10 stories of three to eight sentences, with chains through all of it
    agreement_pairs(50, seed=0)  50 times "The keys to the cabinet [MASK] old." with both forms of the verb
    corpus(100_000, seed=0)      100,000 words of stories, as documents like those of `lib.text.documents`

The same seed gives the same text, in any process. The words, frames and plots are in `data/grammar/`; its
README says how to change them. What stands where:

    sentence.text                "Anna's dog chased the cats."
    sentence.parse               a `Parse` (Universal Dependencies 2): words, tags, governors, relations;
                                 the words are Anna, 's, dog, chased, the, cats and the full stop
    sentence.entities            [Entity(0, 1, "person"), Entity(0, 3, "animal"), Entity(4, 6, "animal")]
    story.sentences, story.text
    story.chains                 each the mentions of one person or thing in their order, at least two:
                                 MentionSpan(sentence, start, end, head, form, clear), with form "name",
                                 "noun" or "pronoun"; a chain also has .type, and .pronoun: "he", "she",
                                 "it", "they"

A span from `start` to `end` leaves `end` out, as in Python; `words[head]` is its main word. Entities are of
type "person", "animal", "place", "food" or "thing". A pronoun means the last thing mentioned that agrees with
it in gender and number (towns, rooms and the like aside), or the subject of its own sentence; where nothing
else in the whole story so far agrees with it, it is marked as `clear`.
"""

from __future__ import annotations

import random
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import NamedTuple

from lib.text.grammar.agreement import AgreementPair, agreement_pairs
from lib.text.grammar.composing import sentence_tree
from lib.text.grammar.events import Thing
from lib.text.grammar.storytelling import story_trees
from lib.text.grammar.syntax import Node, parse_of, text_of
from lib.text.treebank import Parse

__all__ = [
    "AgreementPair",
    "Chain",
    "Entity",
    "MentionSpan",
    "Sentence",
    "Story",
    "agreement_pairs",
    "corpus",
    "sentences",
    "stories",
]


class Entity(NamedTuple):
    """A name or noun phrase: the words from `start` up to, not with, `end`, and what it is."""

    start: int
    end: int
    type: str  # "person", "animal", "place", "food", "thing"


class MentionSpan(NamedTuple):
    """A place where a person or thing is spoken of: words `start` up to `end` of a sentence."""

    sentence: int  # of the story, from 0
    start: int
    end: int
    head: int  # the place of the main word, for "the keys to the cabinet" that of "keys"
    form: str  # "name", "noun" or "pronoun"
    clear: bool  # of a pronoun: nothing else in the text so far agrees with it


@dataclass(frozen=True)
class Chain:
    """All mentions of one person or thing, or of several together."""

    mentions: list[MentionSpan]
    pronoun: str  # that stands for it: "he", "she", "it" or "they"
    type: str


@dataclass(frozen=True)
class Sentence:
    """A sentence with its analysis; chains are those of two mentions or more within it."""

    parse: Parse
    entities: list[Entity] = field(default_factory=list)
    chains: list[Chain] = field(default_factory=list)

    @property
    def text(self) -> str:
        return text_of(self.parse.words)


@dataclass(frozen=True)
class Story:
    """Sentences about the same few people and things."""

    sentences: list[Sentence]
    chains: list[Chain]

    @property
    def text(self) -> str:
        return " ".join(sentence.text for sentence in self.sentences)


def sentences(count: int, seed: int) -> list[Sentence]:
    """Sentences that have nothing to do with each other."""
    rng = random.Random(f"sentences {seed}")
    return [_analyzed([sentence_tree(rng)])[0][0] for _ in range(count)]


def stories(count: int, seed: int) -> list[Story]:
    """Short stories, three to eight sentences each."""
    rng = random.Random(f"stories {seed}")
    return [_one_story(rng) for _ in range(count)]


def _one_story(rng: random.Random) -> Story:
    return Story(*_analyzed(story_trees(rng)))


def corpus(words: int, seed: int) -> Iterator[list[str]]:
    """Documents of a story each, until they hold at least so many words.

    The form is that of `lib.text.documents`, so `lib.text.packing.pack` takes it. Punctuation counts.
    """
    rng = random.Random(f"stories {seed}")
    written = 0
    while written < words:
        story = _one_story(rng)
        written += sum(len(sentence.parse.words) for sentence in story.sentences)
        yield [story.text]


# --- the analysis ---------------------------------------------------------------------------------


def _analyzed(roots: list[Node]) -> tuple[list[Sentence], list[Chain]]:
    """The sentences of a text, and the chains that run through all of it."""
    of_thing: dict[Thing, list[MentionSpan]] = {}
    analyzed = []
    for number, root in enumerate(roots):
        parse, places = parse_of(root)
        entities: list[Entity] = []
        here: dict[Thing, list[MentionSpan]] = {}
        for node in root.words():
            if node.thing is not None:
                mention = _mention(number, node, node.only_inside, places)
                here.setdefault(node.thing, []).append(mention)
                if mention.form != "pronoun":
                    entities.append(Entity(mention.start, mention.end, node.thing.type))
            if node.group is not None:
                here.setdefault(node.group, []).append(_mention(number, node, node, places))
        for thing, mentions in here.items():
            of_thing.setdefault(thing, []).extend(mentions)
        alone = {
            thing: [mention._replace(sentence=0) for mention in mentions] for thing, mentions in here.items()
        }
        analyzed.append(Sentence(parse, entities, _chains(alone)))
    return analyzed, _chains(of_thing)


def _mention(number: int, node: Node, span: Node, places: dict[Node, int]) -> MentionSpan:
    parts = [part for part in span.words() if part.relation != "punct"]
    while parts[0].relation == "case":
        parts = parts[1:]
    while parts[-1].relation == "case":
        parts = parts[:-1]
    inside = [places[node if part is span else part] for part in parts]
    form = {"PRON": "pronoun", "PROPN": "name"}.get(node.tag, "noun")
    return MentionSpan(number, min(inside), max(inside) + 1, places[node], form, node.clear)


def _chains(of_thing: dict[Thing, list[MentionSpan]]) -> list[Chain]:
    chains = [
        Chain(sorted(mentions), thing.pronoun, thing.type)
        for thing, mentions in of_thing.items()
        if len(mentions) > 1
    ]
    return sorted(chains, key=lambda chain: chain.mentions[0])
