"""The drawings of notebook 13."""

import numpy as np
from pictures import for_each_example, for_each_refusal

from chapters.nb13 import drawings as nb13
from chapters.nb13 import probes
from lib.text.sentences import World

SORTED = [["vertical", "block", "vertical + diagonal"], 3 * ["vertical"]]
KINDS = ["vertical", "diagonal", "vertical + diagonal", "block"]
ROW = [0.1, 0.5, 0.1, 0.9]  # the word itself, number 3, is no answer
WORLDS = [World("", "", "", "red", "green"), World("", "", "", "cat", "dog")]
OBJECTS = probes.InTreebank(
    probes.HeadProbe("obj", 0, 2, 0, 400, 0.74, -2, 0.35), 0.1, "nearest verb before", 0.94
)
LOST = OBJECTS._replace(probe=OBJECTS.probe._replace(accuracy=0.36))
EVERY = dict.fromkeys(nb13.PRINTED, OBJECTS)
PARSES = {"the gold parse": (1, "direct object"), "fixed offset": (2, "one word back")}

test_a_drawing_says_what_it_shows = for_each_example({
    "the largest other weight is the link": (
        lambda: nb13.draw_link_test(["she", "read", "a", "book"], ROW, 3, PARSES, "T"),
        ["read (largest weight); the gold parse: read (direct object)", "fixed offset: a (one word back)"],
        ["T", "read", "0.50", "itself", "one word back"],
    ),
    "sorted heads": (
        lambda: (nb13.draw_sorted_heads(SORTED, KINDS), nb13.describe_sorted_heads(SORTED, KINDS)),
        ["Of 6 heads in 2 layers: 4 vertical (in layers 0, 1); 0 diagonal; 1 vertical"],
        ["V\nB\nVD\nV\nV\nV", "V  vertical: 4"],
    ),
    "worlds and their opposites": (
        lambda: nb13.draw_worlds(WORLDS, [0.4, 0.1], [0.3, 0.2], [0.2, 0.4], [0.3, 0.3]),
        ["Of 2 worlds, 1 beat the mere mention and 1 their opposite", "red / green 0.40, 0.30, 0.20, 0.30"],
        ["cat / dog", "its opposite"],
    ),
    "relations with a tick": (
        lambda: nb13.draw_relations({"obj": OBJECTS, "obl": LOST}),
        ["✓ For 1 of 2 relations", "✓ direct object: read a BOOK, head 2-0: 0.74, offset 0.35, random 0.10"],
        ["– oblique: sat in the GARDEN, head 2-0", "fixed offset"],
    ),
    "direct objects": (
        lambda: nb13.draw_objects(OBJECTS),
        ["Of 400 direct objects", "always 2 words back 35%"],
        ["The head finds 74%, its better rival 35%, the rule 94%", "layer 2, head 0 of MiniLM"],
    ),
    "maps of each pattern": (
        lambda: nb13.draw_five({"a": np.eye(3), "b": np.eye(3)}, ["[CLS]", "[SEP]", "x"]),
        ["a:", "b:"],
        ["Heads look in very different ways", "[CLS]"],
    ),
    "heads off": (
        lambda: nb13.draw_heads_off([0, 6, 12], [[0.0, 0.05, 1.0], [0.0, 0.13, 2.0]]),
        ["6 of 12 heads can go", "12 +1.50"],
        ["draw 1", "the least needed first"],
    ),
    "occupations at both ends": (
        lambda: nb13.draw_occupations([f"o{n}" for n in range(14)], np.arange(14.0) - 2, 1.5),
        ["o13 +11.00", "o0 -2.00; person +1.50"],
        ["Most “he”: o13; most “she”: o0"],
    ),
})  # fmt: skip


def test_the_published_numbers_stand_beside_ours() -> None:
    columns = nb13.published_table(EVERY)
    assert {len(column) for column in columns.values()} == {9}
    place = columns["relation"].index("direct object: read a BOOK")
    assert [column[place] for column in list(columns.values())[1:]] == ["86.8%", "40.0%", "74.0%", "35.0%"]


def test_the_vertical_heads_are_counted() -> None:
    assert nb13.vertical_heads(SORTED) == "4"


test_what_cannot_be_drawn_is_refused_in_one_sentence = for_each_refusal({
    "an empty layer": (lambda: nb13.draw_sorted_heads([["a"], []], ["a"]), "for each layer"),
    "no such kind": (lambda: nb13.draw_sorted_heads([["a"]], ["b"]), "'a' is none of the kinds b"),
    "ten words": (lambda: nb13.draw_link_test(10 * ["a"], np.ones(10), 0, PARSES), "two to 9"),
    "no such word": (
        lambda: nb13.draw_link_test(["a", "b"], [0.5, 0.5], 0, {"gold": (4, "object")}), "not possible",
    ),
})  # fmt: skip
