"""The drawings of notebook 36."""

from pictures import for_each_example, for_each_refusal

from chapters.nb36 import costs
from chapters.nb36 import drawings as nb36
from lib import records

TABLE = records.table("translator")
LOOKS = [[0.9, 0.1, 0.0], [0.1, 0.2, 0.7], [0.0, 0.8, 0.2]]
WORDS = (["the", "red", "box"], ["la", "caja", "roja"])

test_a_drawing_says_what_it_shows = for_each_example({
    "the two halves": (
        lambda: nb36.draw_halves(["the", "box"], ["[BEGIN]"], [2, 128], [1, 529]),
        ["reads “the box”", "vectors [2, 128]", "logits [1, 529]"],
        ["cross-attention", "keys, values"],
    ),
    "where it looks": (
        lambda: nb36.draw_looks(LOOKS, *WORDS),
        ["“caja” looks at “box” (0.70)", "“roja” looks at “red” (0.80)"],
        ["word that is predicted"],
    ),
    "what is recorded": (
        lambda: nb36.draw_record(TABLE),
        ["After 200, 300, 400, 600 steps", "names the right word", "right 53% of the time"],
        ["steps"],
    ),
})  # fmt: skip

test_what_does_not_fit_is_refused = for_each_refusal({
    "a map of another shape": (lambda: nb36.draw_looks(LOOKS[:2], *WORDS), "a row for each"),
})  # fmt: skip


def test_the_table_of_costs_says_which_claims_it_carries() -> None:
    said = costs.answers()
    assert said["row"][1:3] == ["Transformer, big: German", "Transformer, base: French"]
    assert said["older rows above it"] == ["0", "0", "7", "0", "2"]
    assert said["cost, of the best older row's"][:2] == ["4.3%", "29.9%"]


def test_a_table_of_translations() -> None:
    table = nb36.table_of_translations([["the", "box"]], [["la", "caja"]])
    assert list(table.values()) == [["the box"], ["la caja"]]
