"""The drawings for several heads: arcs between words, and features cut into heads."""

import numpy as np
import pytest
import torch
from matplotlib.figure import Figure

from chapters.nb06 import drawings
from lib import figures
from lib.bert.attention import split_heads

WORDS = ["the", "old", "man", "fed", "the", "hungry", "dog"]


def weights() -> torch.Tensor:
    table = torch.full((7, 7), 0.01)
    table[6, 3], table[4, 3], table[2, 1], table[3, 3] = 0.7, 0.9, 0.3, 0.8
    return table


def lines(figure: Figure) -> list[tuple[np.ndarray, np.ndarray]]:
    return [(np.asarray(line.get_xdata()), np.asarray(line.get_ydata())) for line in figure.axes[0].lines]


def underlined(figure: Figure) -> int:
    return sum(len(xs) == 2 and np.ptp(ys) == 0 for xs, ys in lines(figure))


def test_words_that_look_at_the_lit_one_are_underlined() -> None:
    figure = drawings.draw_links(WORDS, weights(), 3, "layer 2, head 0")
    assert underlined(figure) == 2
    said = drawings.describe_links(WORDS, weights(), 3)
    assert "To fed come those of the (0.90), dog (0.70), underlined" in said
    assert "The others: man to old (0.30)." in said
    assert "no word, underlined" in drawings.describe_links(WORDS, weights(), 0)


def test_arcs_end_at_their_words_and_weights_below_a_tenth_have_none() -> None:
    figure = drawings.draw_links(WORDS, weights(), 3)
    arcs = [xs for xs, _ in lines(figure) if len(xs) == 60]
    places = [text.get_position()[0] for text in figure.axes[0].texts]
    wanted = sorted((places[a], places[b]) for a, b in [(6, 3), (4, 3), (2, 1)])
    np.testing.assert_allclose(sorted((xs[0], xs[-1]) for xs in arcs), wanted)


@pytest.mark.parametrize("count", [1, 2, 12])
def test_sentences_of_any_length_up_to_a_page_are_drawn(count: int) -> None:
    table = torch.full((count, count), 1 / count)
    assert figures.png(drawings.draw_links(["word"] * count, table, 0))


def test_what_cannot_be_drawn_is_refused() -> None:
    with pytest.raises(ValueError, match="too long to draw"):
        drawings.draw_links(["word"] * 40, torch.full((40, 40), 0.025), 0)
    with pytest.raises(ValueError, match="6 tokens for 7 rows"):
        drawings.draw_links(WORDS[:6], weights(), 3)
    with pytest.raises(ValueError, match="lit"):
        drawings.draw_links(WORDS, weights(), 7)
    vectors = torch.arange(16.0).view(4, 4)
    with pytest.raises(ValueError, match="stand in it once"):
        drawings.draw_split(vectors, {"split": torch.full((2, 4, 2), 99.0)}, WORDS[:4])


def test_a_cut_shows_each_number_on_the_shade_of_its_token() -> None:
    vectors = torch.arange(16.0).view(4, 4)
    figure = drawings.draw_split(
        vectors, {"split": split_heads(vectors[None], 2)[0], "view alone": vectors.view(2, 4, 2)}, WORDS[:4]
    )
    whole, split, _, straight, _ = (np.asarray(axes.images[0].get_array()) for axes in figure.axes)
    assert np.array_equal(whole[:, :2], split)  # head 0 keeps each token's shade
    assert np.array_equal(straight[:, 0], whole[[0, 0, 1, 1], 0])  # tokens 0, 0, 1, 1
    assert [axes.get_title() for axes in figure.axes][3] == "view alone\nhead 0"
