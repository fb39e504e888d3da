"""Trees of words: verb groups that agree, and the way from a tree to a sentence with its parse.

The trees are those of Universal Dependencies, version 2. Every word keeps what stands before it and what
stands after it in order, so no two links of a tree cross.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

from lib.text.grammar.lexicon import verb
from lib.text.treebank import Parse

MODALS = ("will", "can", "could", "must", "should", "might", "would", "may")
NO_SPACE_BEFORE = {".", ",", "'s", "'"}
# What belongs to the mention of a thing: "the key to the cabinet", but not the "in" before it.
INSIDE = {"det", "amod", "nmod", "nmod:poss", "nummod", "acl:relcl"}


@dataclass(eq=False)
class Node:
    """A word with the nodes that hang on it, those before it and those after it."""

    word: str
    tag: str
    relation: str = "root"
    before: list[Node] = field(default_factory=list)
    after: list[Node] = field(default_factory=list)
    thing: Any = None  # whom or what the phrase is about
    group: Any = None  # of a coordination: what all of it together is about
    clear: bool = True  # of a pronoun: nothing else so far agrees with it

    def words(self) -> Iterator[Node]:
        """All nodes of the tree in the order of the sentence."""
        for node in self.before:
            yield from node.words()
        yield self
        for node in self.after:
            yield from node.words()

    @property
    def only_inside(self) -> Node:
        """The phrase without its preposition, its 's, and what is coordinated with it."""
        before = [node for node in self.before if node.relation in INSIDE]
        after = [node for node in self.after if node.relation in INSIDE]
        return Node(self.word, self.tag, self.relation, before, after)


def parse_of(root: Node) -> tuple[Parse, dict[Node, int]]:
    """The parse of a tree, its first word capitalized, and the place of each node."""
    nodes = list(root.words())
    places = {node: place for place, node in enumerate(nodes)}
    governors = {child: node for node in nodes for child in node.before + node.after}
    words = [node.word for node in nodes]
    words[0] = words[0][0].upper() + words[0][1:]
    parse = Parse(
        words,
        [node.tag for node in nodes],
        [places[governors[node]] if node in governors else -1 for node in nodes],
        [node.relation for node in nodes],
    )
    return parse, places


def text_of(words: list[str]) -> str:
    """Words as they are written: no space before a comma or 's."""
    return "".join(word if word in NO_SPACE_BEFORE else f" {word}" for word in words).strip()


def article(following: str) -> str:
    """ "an" before a vowel that is heard, "a" otherwise."""
    silent, spoken = ("honest", "hour"), ("use", "uni", "eu", "one")
    vowel = following[0] in "aeiou" and not following.startswith(spoken)
    return "an" if vowel or following.startswith(silent) else "a"


def finite(base: str, past: bool, plural: bool) -> str:
    """The form of a verb that agrees with its subject, which is no "I" and no "you"."""
    if base in MODALS:
        return base
    if base == "be":
        return ("were" if plural else "was") if past else ("are" if plural else "is")
    forms = verb(base)
    return forms.past if past else forms.base if plural else forms.third


def verb_group(
    base: str, tense: str, plural: bool, negated: bool = False, passive: bool = False
) -> tuple[list[Node], str]:
    """What stands before a verb ("has not been"), and the verb's own form ("seen").

    tense: "past", "present", a modal such as "will", "to" (infinitive) or "bare" (the same without "to"),
    with "perfect" and "progressive" behind it where wanted: "past perfect", "will progressive".
    """
    first, *rest = tense.split()
    chain = []  # auxiliaries, each with its relation and the form that it asks of the next verb
    if first in MODALS:
        chain.append((first, "aux", "base"))
    if "perfect" in rest:
        chain.append(("have", "aux", "participle"))
    if "progressive" in rest:
        chain.append(("be", "aux", "gerund"))
    if passive:
        chain.append(("be", "aux:pass", "participle"))
    if negated and not chain and base != "be" and first not in ("to", "bare"):
        chain.append(("do", "aux", "base"))

    wanted = "base" if first in ("to", "bare") else "finite"
    group = [Node("to", "PART", "mark")] if first == "to" else []

    def formed(word: str) -> str:
        return finite(word, first == "past", plural) if wanted == "finite" else getattr(verb(word), wanted)

    for word, relation, asks in chain:
        group.append(Node(formed(word), "AUX", relation))
        if negated and len(group) == 1:
            group.append(Node("not", "PART", "advmod"))
        wanted = asks
    return group, formed(base)
