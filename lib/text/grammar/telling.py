"""From what happens to sentences: who is named, who is "she", and how a clause is put together.

Others decide what happens (an `Event` with its `Thing`s); the `Teller` says it. It keeps account of who was
mentioned, so that a pronoun stands only where it can be understood.
"""

from __future__ import annotations

import random

from lib.text.grammar import lexicon
from lib.text.grammar.events import GIVES_FOR, Director, Event, Thing, pick
from lib.text.grammar.frames import BEFORE_VERB
from lib.text.grammar.syntax import MODALS, Node, article, verb_group
from lib.text.grammar.tables import JOINING

PRONOUNS = {  # as a subject, as an object, before a noun
    "he": ("he", "him", "his"),
    "she": ("she", "her", "her"),
    "it": ("it", "it", "its"),
    "they": ("they", "them", "their"),
}
SUBJECT = {"nsubj", "nsubj:pass"}
ASKS = {"ask", "tell", "teach"}  # whoever is asked to do something is an indirect object
LINKS = {word.lower() for word in JOINING} - {"and", "but"}

# A new thing's determiner is drawn, a number from 0 to 1: it is the first of its kind that the draw is below.
DEFINITE = 0.5  # "the", else "a"
SOME = 0.8  # "some bread", what can't be counted, else nothing
DEFINITE_PLURAL = 0.45  # "the"
NUMBERED = 0.65  # "three"
MANY = 0.7  # "many" or "several"
DEFINITE_LAST = 0.75  # "the" once more, where an article is open, else "some"
BARE_FROM = 0.9  # foods and things in the plural have nothing from here on


class Teller:
    """Puts events into words, sentence by sentence, and remembers what was mentioned where."""

    def __init__(self, rng: random.Random, director: Director, relatives: float = 0.5):
        self.rng = rng
        self.director = director
        self.relatives = relatives  # the share of relative clauses among what tells which one is meant
        self.subjects: list[tuple[int, Thing]] = []  # of clauses, with their sentences
        self.sentence = 0
        self.tense = "past"  # of the main clause
        self.log: list[tuple[int, Thing]] = []

    def chance(self, share: float) -> bool:
        return self.rng.random() < share

    # --- phrases ----------------------------------------------------------------------------------

    def mention(self, thing: Thing) -> None:
        self.log.append((self.sentence, thing))
        thing.mentioned = True
        for member in thing.members:
            member.mentioned = True

    def has_rivals(self, thing: Thing, since: int) -> bool:
        """Whether the thing's pronoun could mean something else that was mentioned since that sentence.

        Rooms and towns are no rivals of what was spoken of just now, but since the beginning they are.
        """
        return any(
            other is not thing and other.could_be(thing.pronoun) and thing not in other.members
            for sentence, other in self.log
            if sentence >= since and (since == 0 or other.type != "place")
        )

    def was_said(self, thing: Thing, since: int) -> bool:
        return any(sentence >= since and other is thing for sentence, other in self.log)

    def is_clear(self, thing: Thing) -> bool:
        """Whether a pronoun can stand for the thing: it was mentioned just now, and nothing like it since.

        A subject of the same sentence, who is the first to be thought of, has no rivals in sentences before.
        """
        first = self.sentence if (self.sentence, thing) in self.subjects else self.sentence - 1
        last = self.sentence - (2 if thing.type == "person" else 1)
        for since in range(first, last - 1, -1):
            mentioned = self.was_said(thing, since) or (
                bool(thing.members) and all(self.was_said(member, since) for member in thing.members)
            )
            if mentioned:
                return not self.has_rivals(thing, since)
        return False

    def phrase(
        self, thing: Thing, relation: str, case: str = "", rich: int = 0, pronoun: float = 0.8
    ) -> Node:
        """The words for a thing: a pronoun where it is clear, else a name or a noun with what belongs to it.

        rich: 0 for the noun alone, 1 for an adjective too, 2 for a phrase or a relative clause besides.
        """
        here = self.was_said(thing, self.sentence)
        share = 1.0 if here and relation in SUBJECT and pronoun else pronoun
        if thing.type == "place":
            share *= 0.3
        if thing.mentioned and self.is_clear(thing) and self.chance(share):
            node = self.pronoun(thing, relation)
        elif thing.members:
            node = self.group(thing, relation)
        else:
            node = self.noun_phrase(thing, relation, rich)
        if case:
            node.before.insert(0, Node(case, "ADP", "case"))
        return node

    def pronoun(self, thing: Thing, relation: str) -> Node:
        """The pronoun for a thing, in the form that its relation asks for: "she", "her"."""
        forms = PRONOUNS[thing.pronoun]
        word = forms[0] if relation in SUBJECT else forms[2] if relation == "nmod:poss" else forms[1]
        node = Node(word, "PRON", relation, thing=thing)
        node.clear = not self.has_rivals(thing, since=0)
        thing.unknown = False
        self.mention(thing)
        return node

    def group(self, thing: Thing, relation: str) -> Node:
        """Two members side by side, the second a conjunct of the first: "Anna and the baker"."""
        first, second = (self.noun_phrase(member, relation, 0) for member in thing.members)
        second.relation = "conj"
        second.before.insert(0, Node("and", "CCONJ", "cc"))
        first.after.append(second)
        first.group = thing
        self.mention(thing)
        return first

    def noun_phrase(self, thing: Thing, relation: str, rich: int) -> Node:
        """A name, or a noun with what belongs to it: "Anna", "the old key". rich: as in `phrase`."""
        if thing.named:
            self.mention(thing)
            return Node(thing.noun, "PROPN", relation, thing=thing)
        word = lexicon.plural(thing.noun) if thing.plural else thing.noun
        node = Node(word, "NOUN", relation, thing=thing)
        first_time = not thing.mentioned
        if thing.owner and self.is_told(thing, thing.owner):
            node.before.append(self.possessor(thing.owner))
        elif determiner := self.determiner(thing, rich):
            node.before.append(determiner)
        if thing.adjective and (first_time or self.chance(0.15)):
            node.before.append(Node(thing.adjective, "ADJ", "amod"))
        if node.before and node.before[0].word == "a":
            node.before[0].word = article(node.before[1].word if len(node.before) > 1 else word)
        self.mention(thing)
        if rich > 1 and first_time and not thing.owner:
            self.modify(node, thing)
        return node

    def is_told(self, thing: Thing, owner: Thing) -> bool:
        """Whether to say whose it is: always of relatives, else where a pronoun or a new name can do it."""
        if thing.kind in ("female_kin", "male_kin"):
            return True
        if thing.mentioned:
            return self.is_clear(owner) and self.chance(0.4)
        return self.is_clear(owner) or not self.was_said(owner, self.sentence)

    def possessor(self, owner: Thing) -> Node:
        """Whose a thing is: "his", "Anna's", "the neighbors'"."""
        node = self.phrase(owner, "nmod:poss", pronoun=1.0)
        if node.tag != "PRON":
            marks = "'" if owner.plural and node.word.endswith("s") else "'s"
            last = node if not owner.members else node.after[-1]
            last.after.append(Node(marks, "PART", "case"))
        return node

    def determiner(self, thing: Thing, rich: int) -> Node | None:
        """What a noun phrase without an owner begins with: an article, a number, "many"; None: nothing."""
        if thing.kind == "meal":
            return None
        if thing.mentioned or thing.article == "the":
            return Node("the", "DET", "det")
        draw = self.rng.random()
        if thing.article == "a":
            draw = draw * (1 - DEFINITE) + DEFINITE
        if draw < (DEFINITE_PLURAL if thing.plural else DEFINITE):
            return Node("the", "DET", "det")
        if thing.plural:
            if draw < NUMBERED:
                return Node(pick(self.rng, lexicon.NUMBERS), "NUM", "nummod")
            if draw > BARE_FROM and thing.type in ("food", "thing") and rich < 2:
                return None
            if draw < MANY:
                return Node(pick(self.rng, "many several"), "ADJ", "amod")
            return Node("the" if draw < DEFINITE_LAST and not thing.article else "some", "DET", "det")
        if thing.noun in lexicon.UNCOUNTED:
            return Node("some", "DET", "det") if draw < SOME else None
        return Node("a", "DET", "det")

    def modify(self, node: Node, thing: Thing) -> None:
        """Hang "to the cabinet" or "that Anna found" on a noun, where something fits it."""
        if not self.chance(self.relatives):
            phrase = self.director.modifier(thing)
            if phrase is not None:
                preposition, other = phrase
                node.after.append(self.phrase(other, "nmod", preposition, pronoun=0))
            return
        event = self.director.event_with(thing)
        if event is not None:
            habit = self.tense.startswith("present") and event.verb not in lexicon.ONCE
            event.tense = "present" if habit and self.chance(0.6) else "past"
            node.after.append(self.clause(event, "acl:relcl", gap=thing))

    # --- clauses ----------------------------------------------------------------------------------

    def clause(
        self,
        event: Event,
        relation: str = "root",
        mark: str = "",
        gap: Thing | None = None,
        rich: int = 0,
        silent: bool = False,
    ) -> Node:
        """The tree of an event.

        gap: the thing that a relative clause is about and does not repeat. silent: the subject was said
        before, as in "she laughed and ran".
        """
        if relation == "root":
            self.tense = event.tense
        if event.predicate or event.verb == "be":
            return self.state(event, relation, mark, gap, rich, silent)
        node = Node("", "VERB", relation)
        if mark:
            node.before.append(Node(mark, "SCONJ", "mark"))
        if relation == "root" and event.front and event.time:
            node.before += [time_phrase(event.time), Node(",", "PUNCT", "punct")]
            event.time = ""
        subject = event.object if event.passive else event.subject
        subject_relation = "nsubj:pass" if event.passive else "nsubj"
        if event.tense != "to" and not silent:
            self.put_subject(node, subject, subject_relation, gap, rich)
        plural = bool(subject and subject.plural)
        tense = "bare" if event.kind == "again" and event.tense in MODALS else event.tense
        group, node.word = verb_group(event.verb, tense, plural, event.negated, event.passive)
        node.before += group
        if event.often:
            node.before.append(Node(event.often, "ADV", "advmod"))
        if event.adverb in BEFORE_VERB and event.tense.split()[0] not in ("past", "will"):
            event.adverb = ""
        early = event.adverb.endswith("ly") and event.tense != "to" and (event.passive or self.chance(0.25))
        if event.adverb in BEFORE_VERB or early:
            node.before.append(Node(event.adverb, "ADV", "advmod"))
            event.adverb = ""
        self.put_rest(event, node, gap, rich)
        return node

    def state(
        self, event: Event, relation: str, mark: str, gap: Thing | None, rich: int, silent: bool
    ) -> Node:
        """ "The soup is hot", "the keys are in the drawer", "there was a key in the drawer"."""
        if event.kind == "there":
            return self.existence(event, rich)
        before: list[Node] = [Node(mark, "SCONJ", "mark")] if mark else []
        holder = Node("", "", "", before)
        if event.tense != "to" and not silent:
            self.put_subject(holder, event.subject, "nsubj", gap, rich)
        plural = bool(event.subject and event.subject.plural)
        group, word = verb_group("be", event.tense, plural, event.negated)
        if event.kind != "again":
            before += [*group, Node(word, "AUX", "cop")]
        if event.negated and not any(node.word == "not" for node in group):
            before.append(Node("not", "PART", "advmod"))
        if event.often:
            before.append(Node(event.often, "ADV", "advmod"))
        phrases = list(event.phrases)
        if event.predicate:
            *degree, adjective = event.predicate.split()
            before += [Node(word, "ADV", "advmod") for word in degree]
            node = Node(adjective, "ADJ", relation)
        else:
            preposition, place = phrases.pop(0)
            node = self.phrase(place, relation, preposition, pronoun=0.3)
        node.before = before + node.before
        for preposition, thing in phrases:
            node.after.append(self.phrase(thing, "obl", preposition))
        self.put_time(event, node)
        return node

    def existence(self, event: Event, rich: int) -> Node:
        assert event.subject is not None
        group, word = verb_group("be", event.tense, event.subject.plural, event.negated)
        node = Node(word, "VERB", before=[Node("there", "PRON", "expl"), *group])
        node.after.append(self.phrase(event.subject, "nsubj", rich=min(rich, 1)))
        for preposition, thing in event.phrases:
            node.after.append(self.phrase(thing, "obl", preposition))
        self.put_time(event, node)
        return node

    def put_subject(
        self, node: Node, subject: Thing | None, relation: str, gap: Thing | None, rich: int
    ) -> None:
        if gap is not None and subject is gap:
            words = ["who", "who", "that"] if gap.type == "person" else ["that", "that", "which"]
            node.before.append(Node(self.rng.choice(words), "PRON", relation))
        elif subject is not None:
            node.before.append(self.phrase(subject, relation, rich=rich))
            self.subjects.append((self.sentence, subject))

    def put_rest(self, event: Event, node: Node, gap: Thing | None, rich: int) -> None:
        """What stands behind the verb: particle, objects, complement, phrases, adverbs."""
        phrases = list(event.phrases)
        if event.recipient is not None:
            preposition = "for" if event.verb in GIVES_FOR else "to"
            new = event.object is not None and event.object is not gap and not event.object.mentioned
            if new and not event.passive and self.chance(0.7):
                node.after.append(self.phrase(event.recipient, "iobj"))
            else:
                phrases.insert(0, (preposition, event.recipient))
        particle = [Node(event.particle, "ADP", "compound:prt")] if event.particle else []
        if event.passive:
            node.after += particle
            if event.agent and event.subject is not None:
                node.after.append(self.phrase(event.subject, "obl:agent", "by", rich=min(rich, 1)))
        elif event.object is not None and event.object is not gap:
            asks = event.complement is not None and event.verb in ASKS
            object_node = self.phrase(event.object, "iobj" if asks else "obj", rich=min(rich, 1), pronoun=0.7)
            node.after += [object_node, *particle] if object_node.tag == "PRON" else [*particle, object_node]
        else:
            node.after += particle
        if event.complement is not None:
            self.put_complement(event, node)
        if event.adverb and not event.complement and (not phrases or self.chance(0.5)):
            node.after.append(Node(event.adverb, "ADV", "advmod"))
            event.adverb = ""
        for preposition, thing in phrases:
            node.after.append(self.phrase(thing, "obl", preposition, pronoun=0.6))
        if event.adverb:
            node.after.append(Node(event.adverb, "ADV", "advmod"))
        self.put_time(event, node)

    def put_time(self, event: Event, node: Node) -> None:
        if event.time:
            node.after.append(time_phrase(event.time))

    def put_complement(self, event: Event, node: Node) -> None:
        assert event.complement is not None
        mark, inner = event.complement
        if mark == "to":
            inner.tense = "to"
            node.after.append(self.clause(inner, "xcomp"))
        else:
            mark = "that" if self.chance(0.75) else ""
            node.after.append(self.clause(inner, "ccomp", mark))

    # --- sentences --------------------------------------------------------------------------------

    def join(self, first: Node, word: str, second: Node) -> Node:
        """Two clauses: with "and" or "but" side by side, with another word the second within the first."""
        if word in LINKS:
            second.relation = "advcl"
            second.before.insert(0, linking(word))
        else:
            second.relation = "conj"
            second.before.insert(0, Node(word, "CCONJ", "cc"))
            if any(node.relation in SUBJECT for node in second.before):
                second.before.insert(0, Node(",", "PUNCT", "punct"))
        first.after.append(second)
        return first

    def put_first(self, clause: Node, word: str, main: Node) -> Node:
        """A clause with "when" or "because" before the main one, and a comma between them."""
        clause.relation = "advcl"
        clause.before.insert(0, linking(word))
        main.before[:0] = [clause, Node(",", "PUNCT", "punct")]
        return main


def linking(word: str) -> Node:
    """The word that begins a clause within another; "when" counts as an adverb in the English treebanks."""
    return Node(word, "ADV", "advmod") if word == "when" else Node(word, "SCONJ", "mark")


def time_phrase(time: str) -> Node:
    """ "on Monday", "in the morning", "last night", "every day", "yesterday", "again"."""
    *others, word = time.split()
    tag = "PROPN" if word.istitle() else "NOUN"
    if word in ("again", "soon", "now"):
        return Node(word, "ADV", "advmod")
    if not others:
        return Node(word, "NOUN", "obl:unmarked")
    if others[0] in ("last", "next"):
        return Node(word, tag, "obl:unmarked", [Node(others[0], "ADJ", "amod")])
    if others[0] == "every":
        return Node(word, tag, "obl:unmarked", [Node(others[0], "DET", "det")])
    before = [Node(others[0], "ADP", "case")]
    before += [Node(other, "DET", "det") for other in others[1:]]
    return Node(word, tag, "obl", before)
