"""The drawings of notebook 13."""

import numpy as np
import pytest

from chapters.nb13 import drawings


def test_the_largest_other_weight_is_the_predicted_link():
    row = [0.1, 0.5, 0.1, 0.9]  # the word itself, number 3, is no answer
    links = {"the gold parse": (1, "direct object"), "fixed offset": (2, "one word back")}
    figure, said = drawings.draw_link_test(["she", "read", "a", "book"], row, 3, links, "T")
    assert "the head: read (largest weight); the gold parse: read (direct object)" in said
    assert "fixed offset: a (one word back)" in said and "book 0.90" not in said
    assert {text.get_text() for text in figure.axes[0].texts} >= {
        "T",
        "read",
        "0.50",
        "itself",
        "one word back",
    }
    with pytest.raises(ValueError, match="two to 9"):
        drawings.draw_link_test(10 * ["a"], np.ones(10), 0, links)
    with pytest.raises(ValueError, match="not possible"):
        drawings.draw_link_test(["a", "b"], [0.5, 0.5], 0, {"gold": (4, "object")})


def test_sorted_heads_are_counted_and_lettered():
    rows = [["vertical", "block", "vertical + diagonal"], 3 * ["vertical"]]
    kinds = ["vertical", "diagonal", "vertical + diagonal", "block"]
    figure = drawings.draw_sorted_heads(rows, kinds)
    assert [text.get_text() for text in figure.axes[0].texts] == ["V", "B", "VD", "V", "V", "V"]
    assert "V  vertical: 4" in [text.get_text() for text in figure.legends[0].get_texts()]
    told = drawings.describe_sorted_heads(rows, kinds)
    assert told.startswith("Of 6 heads in 2 layers: 4 vertical (in layers 0, 1); 0 diagonal; 1 vertical")
    with pytest.raises(ValueError, match="for each layer"):
        drawings.draw_sorted_heads([["a"], []], ["a"])
    with pytest.raises(ValueError, match="'a' is none of the kinds b"):
        drawings.draw_sorted_heads([["a"]], ["b"])
