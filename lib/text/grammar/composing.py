"""The kinds of sentences that `sentences` draws from, each with new people and things."""

from __future__ import annotations

import random

from lib.text.grammar import lexicon
from lib.text.grammar.events import ONCE, Event, Stage, Thing, frames, pick
from lib.text.grammar.syntax import Node
from lib.text.grammar.telling import Teller

TENSES = {
    "past": 8,
    "present": 4,
    "present progressive": 2,
    "past progressive": 2,
    "present perfect": 2,
    "past perfect": 1,
    "will": 1,
    "can": 1,
    "must": 1,
    "should": 1,
    "might": 1,
}
PAST_TIMES = "yesterday|last week|last night|on D|in the P|on D"
PRESENT_TIMES = "every day|every P|in the P|on D"
FUTURE_TIMES = "tomorrow|next week|on D|soon|again"


def sentence_tree(rng: random.Random) -> Node:
    """The tree of a sentence that stands alone."""
    stage = Stage(rng)
    teller = Teller(rng, stage)
    kinds = [
        _plain,
        _passive,
        _state,
        _place,
        _existence,
        _wish,
        _saying,
        _asking,
        _two_things,
        _linked,
        _pair,
    ]
    weights = [6, 3, 3, 1, 1, 2, 2, 1, 3, 3, 1]
    (kind,) = rng.choices(kinds, weights)
    root = kind(teller, stage, rng)
    root.after.append(Node(".", "PUNCT", "punct"))
    return root


def _dress(event: Event, rng: random.Random) -> Event:
    """A tense, perhaps a time, a "not", an "often"."""
    tenses = dict(TENSES)
    if event.verb in ONCE:
        tenses = {"past": 8, "present perfect": 2, "past perfect": 1, "will": 1, "might": 1}
    (event.tense,) = rng.choices(list(tenses), list(tenses.values()))
    first = event.tense.split()[0]
    event.negated = rng.random() < 0.08
    if event.tense == "present" and rng.random() < 0.6 and not event.adverb:
        event.often = rng.choice(lexicon.FREQUENCY.split()) if not event.negated else "often"
    if rng.random() < 0.25 and not event.adverb and "perfect" not in event.tense:
        options = {"past": PAST_TIMES, "present": PRESENT_TIMES}.get(first, FUTURE_TIMES)
        if "progressive" in event.tense:
            options = "again"
        time = rng.choice(options.split("|"))
        time = time.replace("D", rng.choice(lexicon.DAYS.split())).replace(
            "P", rng.choice(lexicon.TIMES.split())
        )
        event.time = time
    event.front = rng.random() < 0.4 and bool(event.time) and event.time not in ("again", "soon")
    return event


def _plain(teller: Teller, stage: Stage, rng: random.Random) -> Node:
    return teller.clause(_dress(stage.any_event(), rng), rich=rng.choice([0, 1, 2, 2]))


def _passive(teller: Teller, stage: Stage, rng: random.Random) -> Node:
    event = _dress(stage.event(rng.choice([frame for frame in frames() if frame.passive])), rng)
    event.passive = True
    event.agent = rng.random() < 0.6
    if "progressive" in event.tense and "perfect" in event.tense:
        event.tense = "past"
    if event.object is not None and event.object.owner is event.subject:
        event.object.owner = None
    return teller.clause(event, rich=rng.choice([0, 1, 2]))


def _someone(stage: Stage) -> Thing:
    return stage.draw("person")


def _state_of(thing: Thing, rng: random.Random, tense: str) -> Event:
    words = lexicon.STATES.get(thing.kind) or lexicon.STATES.get(thing.type) or lexicon.ADJECTIVES[thing.type]
    predicate = rng.choice([word for word in words.split() if word != thing.adjective])
    if rng.random() < 0.35 and predicate not in (
        "open",
        "closed",
        "missing",
        "asleep",
        "empty",
        "broken",
        "ready",
    ):
        predicate = f"{rng.choice(lexicon.DEGREES.split())} {predicate}"
    return Event("be", thing, predicate=predicate, tense=tense, negated=rng.random() < 0.1)


def _state(teller: Teller, stage: Stage, rng: random.Random) -> Node:
    thing = stage.draw(pick(rng, "person animal food portable picture opening locked room outdoors"))
    return teller.clause(_state_of(thing, rng, rng.choice(["past", "present"])), rich=2)


def _place_event(stage: Stage, rng: random.Random) -> Event:
    while True:
        thing = stage.draw(pick(rng, "portable tool dishes clothes pet fruit car vessel picture toy"))
        if found := stage.modifier(thing):
            if found[0] in ("to", "about", "with", "from", "of", "for"):
                continue
            return Event("be", thing, phrases=[found], tense=rng.choice(["past", "present"]))


def _place(teller: Teller, stage: Stage, rng: random.Random) -> Node:
    return teller.clause(_place_event(stage, rng), rich=1)


def _existence(teller: Teller, stage: Stage, rng: random.Random) -> Node:
    event = _place_event(stage, rng)
    event.kind = "there"
    return teller.clause(event, rich=1)


def _by_person(stage: Stage, rng: random.Random, subject: Thing | None = None) -> Event:
    subject = subject or _someone(stage)
    usable = [frame for frame in frames() if frame.subject == "person"]
    return stage.event(rng.choice(usable), subject=subject)


def _wish(teller: Teller, stage: Stage, rng: random.Random) -> Node:
    inner = _by_person(stage, rng)
    verb = rng.choice(lexicon.TO_VERBS.split())
    event = Event(
        verb, inner.subject, complement=("to", inner), tense=rng.choice(["past", "past", "present"])
    )
    event.negated = rng.random() < 0.1
    return teller.clause(event, rich=rng.choice([0, 2]))


def _saying(teller: Teller, stage: Stage, rng: random.Random) -> Node:
    subject = _someone(stage)
    tense = rng.choice(["past", "past", "present"])
    if rng.random() < 0.3:
        inner = _state_of(subject if subject.type == "person" else _someone(stage), rng, tense)
    else:
        inner = _by_person(stage, rng, subject if rng.random() < 0.5 else None)
        inner.tense = rng.choice(
            ["past perfect", "would"] if tense == "past" else ["present perfect", "will"]
        )
    verb = rng.choice(lexicon.THAT_VERBS.split())
    return teller.clause(Event(verb, subject, complement=("that", inner), tense=tense))


def _asking(teller: Teller, stage: Stage, rng: random.Random) -> Node:
    subject, other = stage.draw("person"), stage.draw("person")
    inner = _by_person(stage, rng, other)
    verb = rng.choice(lexicon.ASK_VERBS.split())
    return teller.clause(Event(verb, subject, other, complement=("to", inner)))


def _two_things(teller: Teller, stage: Stage, rng: random.Random) -> Node:
    """The same person does one thing and another."""
    first = _dress(_by_person(stage, rng), rng)
    second = _by_person(stage, rng, first.subject)
    first.time = first.often = ""
    first.negated = False
    second.tense = first.tense
    node = teller.clause(first)
    return teller.join(node, "and", teller.clause(second, silent=True))


def _linked(teller: Teller, stage: Stage, rng: random.Random) -> Node:
    """Two clauses about one person, joined by "when" or "because"."""
    main = _by_person(stage, rng)
    main.tense = "past"
    assert main.subject is not None
    if rng.random() < 0.5:
        word = rng.choice(["because", "although", "when"])
        other = _state_of(main.subject, rng, "past")
    else:
        word = rng.choice(["before", "after", "while", "when"])
        other = _by_person(stage, rng, main.subject)
        if word == "while" and other.verb not in ONCE:
            other.tense = "past progressive"
    if rng.random() < 0.4:
        clause = teller.clause(other)
        return teller.put_first(clause, word, teller.clause(main))
    node = teller.clause(main)
    return teller.join(node, word, teller.clause(other))


def _pair(teller: Teller, stage: Stage, rng: random.Random) -> Node:
    """Two people do something together."""
    frame = rng.choice([frame for frame in frames() if frame.subject == "person"])
    members = (stage.draw("name"), stage.draw("name/woman/man/worker.s"))
    group = Thing("", "name", plural=True, members=members)
    return teller.clause(_dress(stage.event(frame, subject=group), rng))
