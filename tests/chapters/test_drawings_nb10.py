"""The drawings of notebook 10."""

from types import SimpleNamespace
from typing import Any

from pictures import for_each_example, for_each_refusal

from chapters.nb10 import drawings as nb10
from chapters.nb10 import duel
from lib.analysis.prediction.fill_mask import Guess
from lib.text import sentences

GUESSES = [Guess("piano", 0.31), Guess("violin", 0.22)]
LOSSES = {"one layer": [4.6] * 20, "two layers": [4.6] * 10 + [0.1] * 10}
RANKS = [[1000, 30, 1], [500, 10, 1]]


def record() -> Any:
    """A record in which the mix without random tokens copies."""
    shares = {"base": (0.37, 0.34), "80/20/0": (0.66, 0.1), "100/0/0": (0.28, 0.31)}

    def values(table: str, arm: str, key: str) -> list[float]:
        right, wrong = shares[arm]
        return [right if key == "right at the right piece" else wrong] * 3

    return SimpleNamespace(values=values)


def lm_head(**changed: Any) -> nb10.MaskedLMHead:
    stations = ("hidden state", "dense", "GELU", "layer norm")
    inputs: dict[str, Any] = {
        "tokens": ["a", "[MASK]", "."],
        "vectors": {name: [number + 0.25, -0.004, 9.0] for number, name in enumerate(stations)},
        "guesses": {"letter": (12.5, 0.64), "book": (9.1, 0.02)},
        "vocabulary": 9000,
    }
    return nb10.MaskedLMHead(**(inputs | changed))


test_a_drawing_says_what_it_shows = for_each_example({
    "the masked-LM head": (
        lambda: nb10.draw_masked_lm_head(lm_head(), "A title"),
        ["1.25  0.00  …", "9,000 by 3", "letter with logit 12.5 and probability 64%"],
        ["A title", "3.25  0.00  …", "64%", "9.1", "a [MASK] .", "[9,000, 3]"],
    ),
    "the loss on noise": (
        lambda: nb10.draw_noise(LOSSES, 4.61), ["one layer 4.60; two layers 0.10"],
        ["Below a blind guess: two layers"],
    ),
    "the mixes": (
        lambda: nb10.draw_mixes(record()), ["80/20/0, a wrong token in sight: 10% (10% to 10%)"],
        ["80/20/0 trusts the token in sight most", "66", "100/0/0, [MASK] alone"],
    ),
    "the ranks": (lambda: nb10.draw_ranks(RANKS), ["after 0 to 2 layers: 750, 20, 1"], ["median"]),
})  # fmt: skip

test_what_cannot_be_drawn_is_refused_in_one_sentence = for_each_refusal({
    "one station": (lambda: lm_head(vectors={"hidden state": [1.0, 2.0]}), "The vectors should be"),
    "another order": (
        lambda: lm_head(vectors={name: [1.0] for name in ("dense", "hidden state", "GELU", "layer norm")}),
        "The vectors should be",
    ),
    "no guess": (lambda: lm_head(guesses={}), "room for one to four"),
    "five guesses": (lambda: lm_head(guesses=dict.fromkeys("abcde", (1.0, 0.1))), "room for one to four"),
})  # fmt: skip


def test_guesses_stand_in_the_columns_of_a_table() -> None:
    columns = nb10.table_of_sights(["a [MASK]"], [GUESSES[:1]], [GUESSES])
    assert columns["from the left"] == ["piano 31%"]
    assert columns["from both sides"] == ["piano 31% · violin 22%"]


def test_the_duel_marks_what_fits_and_counts_what_only_one_fills() -> None:
    right = [row.answer for row in sentences.cloze()]
    columns = duel.table({"one": right, "nobody": [""] * len(right)})
    assert columns["one"][0] == f"{right[0]} fits" and set(columns["nobody"]) == {duel.NOT_PLAYED}
    assert duel.only(right, ["?", "?", *right[2:]]) == (2, 0)
