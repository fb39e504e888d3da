"""The drawings of notebook 10."""

from typing import Any

from pictures import for_each_example, for_each_refusal

from chapters.nb10 import drawings as nb10


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
