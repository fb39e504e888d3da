"""Entities read back from BIO tags."""

from collections.abc import Iterator, Sequence
from typing import Any

from lib.analysis.prediction import spans
from lib.exercises.spec import Exercise, Mistake, Unfit, edit

EXTEND = "found[-1] = (label, found[-1][1], place)"
RETURN = "return found"
GOES_ON = 'prefix == "I" and found and found[-1][0] == label and found[-1][2] == place - 1'


def cases(seed: int) -> Iterator[tuple[list[str]]]:
    """Each boundary that the statement names, the readable ones first."""
    yield (["B-PER", "I-PER", "O", "B-LOC"],)
    yield (["O", "B-DATE", "I-DATE", "I-DATE"],)
    yield (["B-LOC", "B-LOC", "I-LOC", "O"],)
    yield (["I-ORG", "I-ORG", "O", "I-PER"],)
    yield (["B-PER", "I-LOC", "I-LOC", "O"],)
    yield (["B-PER", "O", "I-PER", "O"],)
    yield (["O", "O", "O"],)
    yield ([],)
    yield (["B-ORG"],)
    yield (["O", "B-PER", "I-ORG", "B-ORG", "I-ORG", "O", "I-DATE", "B-DATE", "I-DATE"],)
    yield (["B-LOC", "I-LOC", "O", "B-DATE", "B-PER", "I-PER", "O", "O", "B-LOC"],)


def in_tuples(candidate: Any, tags: Sequence[str]) -> list[tuple[Any, ...]]:
    """The entities that are returned."""
    found = candidate(list(tags))
    if not isinstance(found, list | tuple):
        raise Unfit("It should return a list, with a tuple (label, first, last) for each entity.")
    if not all(isinstance(entity, list | tuple) and len(entity) == 3 for entity in found):
        raise Unfit("Each entity should be a tuple of three: its label, its first place, its last place.")
    return [tuple(entity) for entity in found]


EXERCISE = Exercise(
    name="entity_spans",
    minutes=7,
    difficulty=2,
    reference=spans.entity_spans,
    cases=cases,
    run=in_tuples,
    gradients=False,
    mistakes=[
        Mistake(
            "stray_i_dropped",
            "An I- with nothing before it to go on with is lost in yours. A model may well say I-PER after O:"
            " then an entity begins there.",
            edit("        else:\n            found", '        elif prefix == "B":\n            found'),
        ),
        Mistake(
            "label_ignored",
            "An I- of another label goes on with the entity before it in yours. I-LOC cannot go on with a"
            " PER: a new entity begins.",
            (
                edit("found[-1][0] == label and ", ""),
                edit("found[-1][0] == label and ", "").then(EXTEND, "found[-1] = (*found[-1][:2], place)"),
            ),
        ),
        Mistake(
            "bridges_the_gap",
            "In yours an I- goes on with an entity that ended earlier, across a gap. After O, an I- begins a"
            " new entity.",
            edit(" and found[-1][2] == place - 1", ""),
        ),
        Mistake(
            "b_goes_on",
            "Two entities of one kind that stand side by side become one in yours. A B- always begins a new"
            " entity; that is what it is for.",
            edit('prefix == "I" and ', ""),
        ),
        Mistake(
            "b_goes_on_gaps_too",
            "You look only at the label: whatever has the same one joins the entity before. B- always begins"
            " a new entity, and so does I- after O.",
            edit(GOES_ON, "found and found[-1][0] == label"),
        ),
        Mistake(
            "last_one_lost",
            "An entity that reaches the end of the sentence is lost: your loop stores an entity when the next"
            " tag comes, and behind the last tag none comes.",
            edit(RETURN, 'return found[:-1] if tags and tags[-1] != "O" else found'),
        ),
        Mistake(
            "first_tag_alone",
            "Your entities have one word each: an I- should move the last place of its entity.",
            (
                edit(EXTEND, "pass"),
                edit(RETURN, "return [(label, first, first) for label, first, _ in found]"),
            ),
        ),
        Mistake(
            "every_tag",
            "Each tag is an entity of its own in yours. An I- that goes on with the entity before it moves"
            " that entity's last place.",
            edit(GOES_ON, "False"),
        ),
        Mistake(
            "last_outside",
            "Your third number is the place behind the entity. `last` is the place of its last tag.",
            edit(RETURN, "return [(label, first, last + 1) for label, first, last in found]"),
        ),
        Mistake(
            "length_for_last",
            "Your third number is how many words the entity has. It should be the place of its last tag.",
            edit(RETURN, "return [(label, first, last - first + 1) for label, first, last in found]"),
        ),
        Mistake(
            "whole_tag",
            "Your label is the whole tag of the first word. The label is what stands behind B- or I-, such as"
            " PER.",
            (
                edit(RETURN, "return [(tags[first], first, last) for label, first, last in found]"),
                edit(RETURN, 'return [("B-" + label, first, last) for label, first, last in found]'),
            ),
        ),
        Mistake(
            "places_first",
            "The three are there, in another order: label, first, last.",
            edit(RETURN, "return [(first, last, label) for label, first, last in found]"),
        ),
        Mistake(
            "sorted_by_label",
            "The entities are right, but not in the order in which they stand in the sentence.",
            edit(RETURN, "return sorted(found)"),
        ),
    ],
    hints=(
        "Walk over the tags with their places. Each tag does one of three things: nothing, begin an entity,"
        " or move the last place of the entity that has just been seen.",
        "It goes on only if three things hold: the tag is an I-, the last entity has the same label, and that"
        " entity ended at the place before.",
        "prefix, _, label = tag.partition('-'); if it goes on: found[-1] = (label, found[-1][1], place);"
        " else: found.append((label, place, place))",
    ),
    why="A stray I- counts as a beginning, so what the model says is always a list of entities.",
    box="task_head",
)
