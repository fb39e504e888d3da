"""The drawings of notebook 05."""

from typing import Any

import torch
from pictures import for_each_example, for_each_refusal

from chapters.nb05 import drawings as nb05

WORDS = ["i", "love", "this", "class"]
QUERY = torch.tensor([2.0, 0, 2])
KEYS = torch.tensor([[1.0, 0, 0], [0, 1, 0], [0, 0, 0], [0, 0, 1]])
VALUES = torch.tensor([[9.0, 0], [3, 0], [0, 0], [1, 8]])
OTHER_QUERY = torch.tensor([0.0, 0, 3])


def one_row(**changed: Any) -> Any:
    """The schematic of one row of attention."""
    inputs: dict[str, Any] = {"asking": 1, "query": QUERY, "keys": KEYS, "values": VALUES} | changed
    if "weights" not in inputs:
        inputs["weights"] = (KEYS @ inputs["query"]).softmax(dim=-1)
    return nb05.draw_query_key_value(WORDS, **inputs)


NINE = torch.ones(9, 3)

test_a_drawing_says_what_it_shows = for_each_example({
    "one row of attention": (
        one_row, ["[4.58, 3.52]."], ["0.44", "0.06", "[2, 0, 2]", "[1, 8]", "[4.58, 3.52]"],
    ),
    "another word asks": (
        lambda: one_row(asking=2, query=OTHER_QUERY),
        ["the query of this, [0, 0, 3]", "class: key [0, 0, 1], score 3, weight 0.87"],
        ["[0, 0, 3]"],
    ),
})  # fmt: skip

test_what_cannot_be_drawn_is_refused_in_one_sentence = for_each_refusal({
    "features": (lambda: one_row(query=torch.ones(2), weights=torch.ones(4) / 4), "2 features and"),
    "weights": (lambda: one_row(weights=torch.ones(3)), "for 3 weights"),
    "values": (lambda: one_row(values=torch.ones(5, 2)), "for 5 values"),
    "who asks": (lambda: one_row(asking=4), "asking"),
    "a long sentence": (
        lambda: nb05.draw_query_key_value(["word"] * 9, 0, torch.ones(3), NINE, torch.ones(9) / 9, NINE),
        "at most 8",
    ),
})  # fmt: skip
