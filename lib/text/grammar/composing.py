"""The kinds of sentences that stand alone, each with new people and things."""

from __future__ import annotations

import random

from lib.text.grammar import lexicon
from lib.text.grammar.events import Director, Event, Thing, frames, frames_about, frames_with, pick
from lib.text.grammar.syntax import Node
from lib.text.grammar.telling import Teller

TENSES = {  # how often
    "past": 8, "present": 4, "present progressive": 2, "past progressive": 2, "present perfect": 2,
    "past perfect": 1, "will": 1, "can": 1, "must": 1, "should": 1, "might": 1,
}  # fmt: skip
TENSES_OF_ONCE = {"past": 8, "present perfect": 2, "past perfect": 1, "will": 1, "might": 1}
TIMES = {  # D stands for a day of the week, P for a part of the day
    "past": "yesterday|last week|last night|on D|in the P|on D|last D",
    "present": "every day|every P|in the P|on D",
}
LATER = "tomorrow|next week|on D|soon|next D"
REASONS = {  # what somebody was, for whatever was done
    "because": "happy bored curious nervous proud excited lonely",
    "although": "tired sick busy sad nervous hungry thirsty angry worried",
    "when": "alone young ready bored",
}
SCENES = "kitchen home garden town people outdoors"  # those where anybody may do something


def sentence_tree(rng: random.Random) -> Node:
    """The tree of a sentence that stands alone."""
    kinds = {
        _plain: 6, _passive: 3, _state: 4, _existence: 1, _wish: 2, _saying: 2, _asking: 1, _two_things: 3,
        _linked: 3, _together: 1,
    }  # fmt: skip
    (kind,) = rng.choices(list(kinds), list(kinds.values()))
    root = kind(Composer(rng))
    root.after.append(Node(".", "PUNCT", "punct"))
    return root


class Composer:
    """What a sentence is made with: chance, new things, and the one who tells."""

    def __init__(self, rng: random.Random):
        self.rng = rng
        self.director = Director(rng)
        self.teller = Teller(rng, self.director)

    def person(self) -> Thing:
        return self.director.draw("person")

    def scene_for(self, thing: Thing) -> str:
        """A scene for the thing: for one who works mostly that of the work."""
        able = frames_about(thing.noun, thing.kind, thing.plural)
        at_work = any(frame.scene == "work" for frame in able)
        return "work" if at_work and self.rng.random() < 0.6 else pick(self.rng, SCENES)

    def dressed(self, event: Event) -> Event:
        """The event with a tense, and perhaps a time, a "not", an "often"."""
        rng = self.rng
        tenses = TENSES_OF_ONCE if event.verb in lexicon.ONCE else TENSES
        (event.tense,) = rng.choices(list(tenses), list(tenses.values()))
        if not event.adverb:
            event.negated = rng.random() < 0.1
            self.put_time(event)
        if event.tense == "can" and event.negated:
            event.tense = "could"  # "cannot" would be one word in the text and two in the parse
        if event.tense == "present" and rng.random() < 0.5 and not event.negated and not event.time:
            event.often = pick(rng, lexicon.FREQUENCY)
        return event

    def put_time(self, event: Event) -> None:
        rng = self.rng
        if rng.random() > 0.3 or "perfect" in event.tense:
            return
        options = TIMES.get(event.tense.split()[0], LATER)
        if event.tense == "present progressive":
            options = "again|now"
        time = rng.choice(options.split("|"))
        time = time.replace("D", pick(rng, lexicon.DAYS)).replace("P", pick(rng, lexicon.TIMES))
        event.time = time
        event.front = rng.random() < 0.4 and " " in time


def _plain(made: Composer) -> Node:
    scene = pick(made.rng, f"{SCENES} work animals animals")
    event = made.director.event(made.rng.choice(frames(scene)))
    return made.teller.clause(made.dressed(event), rich=made.rng.choice([0, 1, 2, 2]))


def _passive(made: Composer) -> Node:
    usable = [frame for frame in frames() if frame.passive]
    event = made.dressed(made.director.event(made.rng.choice(usable)))
    event.passive = True
    event.agent = made.rng.random() < 0.6
    assert event.object is not None
    if event.object.owner is event.subject:
        event.object.owner = None
    if event.tense == "can":
        event.tense = "past"
    return made.teller.clause(event, rich=made.rng.choice([0, 1, 2]))


def _state_of(made: Composer, thing: Thing, tense: str) -> Event:
    lines = (lexicon.STATES.get(key) for key in (thing.noun, thing.kind, thing.type))
    line = next(line for line in lines if line)
    predicate = made.rng.choice([word for word in line.split() if word != thing.adjective])
    if made.rng.random() < 0.35 and predicate not in lexicon.UNGRADED:
        predicate = f"{pick(made.rng, lexicon.DEGREES)} {predicate}"
    return Event("be", thing, predicate=predicate, tense=tense, negated=made.rng.random() < 0.1)


def _state(made: Composer) -> Node:
    """ "The keys to the cabinet are old", "the keys are in the drawer"."""
    tense = pick(made.rng, "past present")
    if made.rng.random() < 0.25:
        return made.teller.clause(_place_of(made, tense), rich=1)
    kinds = "person animal fruit dish baked reading picture dishes clothes tool device container cabinet key "
    kinds += "opening furniture car vessel toy room outdoors flower"
    return made.teller.clause(_state_of(made, made.director.draw(pick(made.rng, kinds)), tense), rich=2)


def _place_of(made: Composer, tense: str) -> Event:
    kinds = "reading picture dishes valuable clothes tool toy pet fruit baked vessel flower car"
    while True:
        thing = made.director.draw(pick(made.rng, kinds))
        phrase = made.director.modifier(thing)
        if phrase and phrase[0] in ("in", "on", "near", "under", "behind"):
            return Event("be", thing, phrases=[phrase], tense=tense)


def _existence(made: Composer) -> Node:
    """ "There was a key in the box"."""
    event = _place_of(made, pick(made.rng, "past present"))
    event.kind = "there"
    assert event.subject is not None
    event.subject.article = "a"
    return made.teller.clause(event, rich=1)


def _wish(made: Composer) -> Node:
    person = made.person()
    inner = made.director.some_event(made.scene_for(person), person, willing=True)
    event = Event(pick(made.rng, lexicon.TO_VERBS), person, complement=("to", inner))
    event.tense = pick(made.rng, "past past present")
    event.negated = made.rng.random() < 0.1
    return made.teller.clause(event, rich=made.rng.choice([0, 2]))


def _saying(made: Composer) -> Node:
    speaker, other = made.person(), made.person()
    tense = pick(made.rng, "past past present")
    about = made.rng.choice([speaker, other])
    verbs = lexicon.THAT_VERBS
    if made.rng.random() < 0.3:
        inner = _state_of(made, about, tense)
        verbs = "say think believe"
    else:
        inner = made.director.some_event(made.scene_for(about), about)
        inner.tense = made.rng.choice(
            ["past perfect", "would"] if tense == "past" else ["present perfect", "will"]
        )
    event = Event(pick(made.rng, verbs), speaker, complement=("that", inner), tense=tense)
    return made.teller.clause(event)


def _asking(made: Composer) -> Node:
    speaker, other = made.person(), made.person()
    inner = made.director.some_event(made.scene_for(other), other, willing=True)
    return made.teller.clause(
        Event(pick(made.rng, lexicon.ASK_VERBS), speaker, other, complement=("to", inner))
    )


def _two_things(made: Composer) -> Node:
    """Somebody does one thing and another, often with the same thing."""
    person = made.person()
    scene = made.scene_for(person)
    first = made.director.some_event(scene, person)
    second = _next_event(made, scene, first)
    first.tense = second.tense = pick(made.rng, "past past past present will")
    second.kind = "again"
    node = made.teller.clause(first, rich=made.rng.choice([0, 0, 2]))
    return made.teller.join(node, "and", made.teller.clause(second, silent=True))


def _next_event(made: Composer, scene: str, first: Event) -> Event:
    """What the subject of the first event does then, to the same thing where something fits."""
    person, same = first.subject, first.object
    assert person is not None
    usable = []
    if same is not None and same.kind != "meal":
        able = frames_about(person.noun, person.kind, person.plural)
        usable = [
            frame
            for frame in frames_with(same.noun, same.kind, same.plural)
            if frame.scene == scene and frame in able and frame.verb not in made.director.taken
        ]
    if usable and made.rng.random() < 0.6:
        return made.director.event(made.rng.choice(usable), person, same)
    return made.director.some_event(scene, person)


def _linked(made: Composer) -> Node:
    """Two clauses about one person, joined by "when" or "because"."""
    person = made.person()
    scene = made.scene_for(person)
    main = made.director.some_event(scene, person, willing=True)
    if made.rng.random() < 0.4:
        word = pick(made.rng, "because although when")
        other = Event("be", person, predicate=pick(made.rng, REASONS[word]))
    else:
        word = pick(made.rng, "before after while when")
        other = made.director.some_event(scene, person)
        if word == "while":
            other.tense = "past" if other.verb in lexicon.ONCE else "past progressive"
            word = "when" if other.verb in lexicon.ONCE else "while"
        if word == "after":
            other.tense = made.rng.choice(["past", "past", "past perfect"])
    if made.rng.random() < 0.4:
        clause = made.teller.clause(other)
        return made.teller.put_first(clause, word, made.teller.clause(main))
    return made.teller.join(made.teller.clause(main), word, made.teller.clause(other))


def _together(made: Composer) -> Node:
    """Two people do something together."""
    scene = pick(made.rng, SCENES)
    frame = made.rng.choice([frame for frame in frames(scene) if frame.subject == "person"])
    members = (made.director.draw("name"), made.director.draw("name/name/woman.s/man.s/worker.s"))
    group = Thing("", "name", plural=True, members=members)
    return made.teller.clause(made.dressed(made.director.event(frame, subject=group)))
