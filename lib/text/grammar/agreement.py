"""Agreement across a distance: "The keys to the cabinet are old", with the right verb and the wrong one.

Linzen, Dupoux and Goldberg (2016) call a noun between subject and verb an attractor where it has the other
number: a model that goes by what stands near is drawn to agree with it.
"""

from __future__ import annotations

import random
from typing import NamedTuple

from lib.text.grammar import lexicon
from lib.text.grammar.syntax import text_of

KINDS = ("none", "phrase", "two phrases", "relative clause")
FORMS = (("is", "are"), ("is", "are"), ("was", "were"), ("has", "have"))


class Subject(NamedTuple):
    """What may stand behind a noun; phrases are a preposition and a noun, in a line cut by |."""

    group: str
    close: str  # phrases that belong to the noun: "to the cabinet"
    places: str  # phrases that say where it is


SUBJECTS = {
    "key": Subject("thing", "to cabinet|to door|to car|for drawer", "on desk|in box|near lamp"),
    "picture": Subject("thing", "of dog|of child|of ship|by artist", "on wall|near window|in hall"),
    "book": Subject("thing", "about bird|about river|from library", "on table|on shelf|near lamp"),
    "letter": Subject("thing", "from teacher|from lawyer|about house", "on desk|in drawer|near book"),
    "ticket": Subject("thing", "for museum|for concert|for ferry", "on table|in wallet|in drawer"),
    "basket": Subject("thing", "with apple|with egg|for child", "on table|near door|under bench"),
    "cup": Subject("thing", "for guest|with flower|from shop", "on tray|near plate|in cupboard"),
    "coat": Subject("thing", "of child|with button|of guest", "on hook|in closet|near door"),
    "toy": Subject("thing", "for baby|from aunt|for kitten", "under bed|in box|on chair"),
    "box": Subject("thing", "with spoon|for letter|from shop", "on shelf|under bed|behind chair"),
    "door": Subject("opening", "of house|to garden|of barn", "near stairway|behind curtain|near window"),
    "window": Subject("opening", "of shop|of car|of train", "above door|near stove|behind desk"),
    "house": Subject("building", "of farmer|of doctor|with garden", "on hill|near river|behind church"),
    "shop": Subject("building", "of baker|with lamp|of tailor", "near bridge|behind bank|by station"),
    "garden": Subject("building", "of neighbor|with fence|of school", "near river|behind house|by lake"),
    "boat": Subject("thing", "of sailor|with sail|for tourist", "near island|on lake|by bridge"),
    "dog": Subject("living", "of neighbor|of farmer|with collar", "near gate|behind fence|on sofa"),
    "cat": Subject("living", "of neighbor|of teacher|with kitten", "under table|on chair|near stove"),
    "horse": Subject("living", "of farmer|of soldier|with saddle", "in field|near barn|behind fence"),
    "bird": Subject("living", "with nest|from forest|from island", "in tree|on roof|near pond"),
    "teacher": Subject("person", "of child|from school|with student", "near door|by window|behind desk"),
    "doctor": Subject("person", "of patient|from hospital|with nurse", "near door|by window|behind desk"),
    "boy": Subject("person", "with dog|with kite|from village", "near tree|on boat|behind car"),
    "girl": Subject("person", "with drum|with cousin|from village", "near pond|on bench|behind tree"),
    "farmer": Subject("person", "with cow|with horse|from village", "near barn|by river|behind fence"),
    "singer": Subject("person", "with guitar|from theater|with drummer", "near piano|on bench|by window"),
}
ENDINGS = {  # what follows "is" or "was", and fits one and many
    "thing": "old|new|small|very old|quite expensive|not expensive|not here|still here|dirty|missing",
    "building": "old|small|very old|quite large|not far away|closed|open|beautiful|not closed",
    "opening": "old|closed|open|very old|broken|not locked|quite small|new",
    "living": "hungry|tired|very old|quite small|not far away|still here|asleep|not asleep|brown",
    "person": "tired|hungry|very late|quite young|not far away|still here|not ready|happy|famous",
}
DONE = {  # what follows "has"
    "thing": "been found|been lost|disappeared|been sold",
    "building": "been sold|been painted|been closed|changed",
    "opening": "been painted|been opened|been closed|been repaired",
    "living": "disappeared|been fed|slept|been found",
    "person": "arrived|left|slept|been invited",
}
ACTS = {  # what somebody did to it, in "the keys that the farmer lost"
    "thing": "bought|found|lost|wanted|forgot",
    "building": "liked|saw|visited|remembered",
    "opening": "opened|painted|cleaned|repaired",
    "living": "saw|fed|followed|liked",
    "person": "saw|met|helped|knew",
}
ACTORS = "child woman boy girl teacher farmer man nurse neighbor student"


class AgreementPair(NamedTuple):
    """A sentence whose verb agrees with a noun that may be far: "The keys to the cabinet [MASK] old."."""

    words: list[str]  # with "[MASK]" for the verb
    place: int  # of the verb
    right: str
    wrong: str
    subject: str  # the noun that the verb agrees with
    nearest: str  # the last noun before the verb, "" where that is the subject
    distance: int  # words between subject and verb
    differs: bool  # the nouns between are plural and the subject singular, or the other way round
    kind: str  # one of KINDS: what stands between

    @property
    def text(self) -> str:
        return text_of(self.words)


def agreement_pairs(count: int, seed: int) -> list[AgreementPair]:
    """Sentences whose verb must agree with a noun that does not always stand beside it.

    A quarter has nothing between noun and verb, a quarter a phrase, a quarter two phrases, and a quarter a
    relative clause; in about half of those the nouns between differ in number from the subject. What follows
    the verb fits one and many alike.
    """
    rng = random.Random(f"agreement {seed}")
    return [_pair(KINDS[number % len(KINDS)], rng) for number in range(count)]


def _pair(kind: str, rng: random.Random) -> AgreementPair:
    noun = rng.choice(list(SUBJECTS))
    subject = SUBJECTS[noun]
    many, differs = rng.random() < 0.5, rng.random() < 0.5

    def number(noun: str, plural: bool) -> str:
        return lexicon.plural(noun) if plural else noun

    between: list[str] = []
    nearest = ""
    phrases = [rng.choice(subject.close.split("|")), rng.choice(subject.places.split("|"))]
    if kind == "phrase":
        phrases = [rng.choice(phrases)]
    if kind == "relative clause":
        actors = [actor for actor in ACTORS.split() if actor != noun]
        nearest = number(rng.choice(actors), many != differs)
        act = rng.choice(ACTS[subject.group].split("|"))
        if subject.group == "person" and rng.random() < 0.5:
            between = ["who", act, "the", nearest]
        else:
            between = ["that", "the", nearest, act]
    elif kind != "none":
        for phrase in phrases:
            preposition, other = phrase.split()
            nearest = number(other, many != differs)
            between += [preposition, "the", nearest]
    forms = rng.choice(FORMS)
    endings = DONE if forms[0] == "has" else ENDINGS
    ending = rng.choice(endings[subject.group].split("|")).split()
    start = ["The", number(noun, many), *between]
    return AgreementPair(
        words=[*start, "[MASK]", *ending, "."],
        place=len(start),
        right=forms[many],
        wrong=forms[not many],
        subject=start[1],
        nearest=nearest,
        distance=len(between),
        differs=bool(nearest) and differs,
        kind=kind,
    )
