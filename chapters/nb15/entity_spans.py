"""Entities read back from BIO tags."""

from collections.abc import Iterator, Sequence
from typing import Any

from lib.analysis.prediction import spans
from lib.exercises.spec import Edit, Exercise, Mistake, Unfit, edit


def returned(entity: str) -> Edit:
    """What comes back for each entity, written with label, first and last."""
    return edit("return found", f"return [({entity}) for label, first, last in found]")


def cases(seed: int) -> Iterator[tuple[list[str]]]:
    """Each boundary that the statement names, the readable ones first."""
    for tags in (
        *("B-PER I-PER O B-LOC", "O B-DATE I-DATE I-DATE", "B-LOC B-LOC I-LOC O", "I-ORG I-ORG O I-PER"),
        *("B-PER I-LOC I-LOC O", "B-PER O I-PER O", "O O O", "", "B-ORG"),
        "O B-PER I-ORG B-ORG I-ORG O I-DATE B-DATE I-DATE",
        "I-PER O O I-PER",  # what stands before the first tag is not the last one
        "B-LOC I-LOC O B-DATE B-PER I-PER O O B-LOC",
    ):
        yield (tags.split(),)


def in_tuples(candidate: Any, tags: Sequence[str]) -> list[tuple[Any, ...]]:
    """The entities that are returned."""
    entities = candidate(tags)
    if not isinstance(entities, list | tuple) or not all(
        isinstance(entity, list | tuple) for entity in entities
    ):
        raise Unfit("It should return a list, with a tuple (label, first, last) for each entity.")
    return [tuple(entity) for entity in entities]


# fmt: off
EXERCISE = Exercise(
    name="entity_spans", minutes=7, difficulty=2, reference=spans.entity_spans, cases=cases, run=in_tuples,
    gradients=False,
    mistakes=[
        Mistake("stray_i_dropped", "An I- with nothing before it is lost in yours. A model may say I-PER"
            " after O: that begins one.",
            edit("        else:\n            found", '        elif prefix == "B":\n            found')),
        Mistake("goes_on_too_easily", "A tag joins the entity before it wrongly: only an I- of its label,"
            " right behind it, goes on.",
            (edit("found[-1][0] == label and ", "").then("(label, found[-1][1]", "(*found[-1][:2]"),
             edit(" and found[-1][2] == place - 1", ""), edit('prefix == "I" and ', ""))),
        Mistake("last_one_lost", "An entity at the end of the sentence is lost: is it stored only when"
            " another tag comes?",
            edit("return found", 'return found[:-1] if tags and tags[-1] != "O" else found')),
        Mistake("one_word_each", "Your entities have one word each: an I- should move the last place of its"
            " entity.",
            (returned("label, first, first"), edit('prefix == "I" and found', "False and found"))),
        Mistake("last_place", "Your third number is the place behind the entity, or its length: give that of"
            " its last tag.",
            (returned("label, first, last + 1"), returned("label, first, last - first + 1"))),
        Mistake("whole_tag", "Your label is the whole tag. The label is what stands behind B- or I-, such as"
            " PER.", (returned("tags[first], first, last"), returned("'B-' + label, first, last"))),
        Mistake("places_first", "The order of the three is label, first, last.",
            returned("first, last, label")),
    ],
    hints=("Walk over the tags with their places. Each tag does one of three things: nothing, begin an"
           " entity, or move the last place of the entity that has just been seen.",
           "It goes on if the tag is an I-, and the last entity has the same label and ended one place"
           " before.",
           "prefix, _, label = tag.partition('-'); if it goes on: found[-1] = (label, found[-1][1], place);"
           " else: found.append((label, place, place))"),
    why="A stray I- counts as a beginning, so what the model says is always a list of entities.",
    box="task_head",
)
# fmt: on
