"""The schematic of one row of attention: its numbers are those of the formula, and bad input is refused."""

import pytest
import torch
from matplotlib.figure import Figure

from chapters.nb05 import drawings

WORDS = ["i", "love", "this", "class"]
QUERY = torch.tensor([2.0, 0, 2])
KEYS = torch.tensor([[1.0, 0, 0], [0, 1, 0], [0, 0, 0], [0, 0, 1]])
VALUES = torch.tensor([[9.0, 0], [3, 0], [0, 0], [1, 8]])
WEIGHTS = (KEYS @ QUERY).softmax(dim=-1)


def written(figure: Figure) -> list[str]:
    """Return every text on the page."""
    return [text.get_text() for text in figure.axes[0].texts]


def test_the_page_holds_every_number_on_the_way() -> None:
    figure, _ = drawings.draw_query_key_value(WORDS, 1, QUERY, KEYS, WEIGHTS, VALUES)
    texts = written(figure)
    assert texts.count("0.44") == 2 and texts.count("0.06") == 2
    assert texts.count("2") == 2 and texts.count("0") == 2  # the scores
    assert {"[2, 0, 2]", "[0, 0, 1]", "[1, 8]", "[4.58, 3.52]"} <= set(texts)


def test_another_word_may_ask() -> None:
    query = torch.tensor([0.0, 0, 3])
    weights = (KEYS @ query).softmax(dim=-1)
    _, said = drawings.draw_query_key_value(WORDS, 2, query, KEYS, weights, VALUES)
    assert "the query of this, [0, 0, 3]" in said and "class: key [0, 0, 1], score 3, weight 0.87" in said


def test_nothing_lies_outside_the_page() -> None:
    for count in (2, 4, 8):
        keys = KEYS[torch.arange(count) % 4]
        weights = (keys @ QUERY).softmax(dim=-1)
        values = VALUES[torch.arange(count) % 4]
        figure, _ = drawings.draw_query_key_value(
            [f"word{i}" for i in range(count)], 0, QUERY, keys, weights, values
        )
        figure.draw_without_rendering()
        page = figure.bbox
        for text in figure.axes[0].texts:
            box = text.get_window_extent()
            assert page.x0 <= box.x0 and box.x1 <= page.x1 and page.y0 <= box.y0 and box.y1 <= page.y1


def test_the_description_gives_the_new_vector() -> None:
    _, said = drawings.draw_query_key_value(WORDS, 1, QUERY, KEYS, WEIGHTS, VALUES)
    assert said.endswith("[4.58, 3.52].") and said.count("weight") >= 4


@pytest.mark.parametrize(
    ("changed", "reason"),
    [
        ({"query": torch.ones(2)}, "2 features and the keys 3"),
        ({"weights": torch.ones(3)}, "for 3 weights"),
        ({"values": torch.ones(5, 2)}, "for 5 values"),
        ({"asking": 4}, "asking"),
    ],
)
def test_what_does_not_fit_is_refused(changed: dict, reason: str) -> None:
    inputs = {"asking": 1, "query": QUERY, "keys": KEYS, "weights": WEIGHTS, "values": VALUES} | changed
    with pytest.raises(ValueError, match=reason):
        drawings.draw_query_key_value(WORDS, **inputs)


def test_a_long_sentence_is_refused() -> None:
    nine = torch.ones(9, 3)
    with pytest.raises(ValueError, match="at most 8"):
        drawings.draw_query_key_value(["word"] * 9, 0, torch.ones(3), nine, torch.ones(9) / 9, nine)
