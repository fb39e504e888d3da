"""The drawings of notebook 06."""

from functools import partial
from typing import Any

import numpy as np
import torch
from pictures import for_each_example, for_each_refusal

from chapters.nb06 import drawings as nb06
from lib.bert import attention

WORDS = ["i", "love", "this", "class"]
HEAD_VALUES = torch.tensor([[11.0, 12, 13, 14], [21, 22, 23, 24], [31, 32, 33, 34], [41, 42, 43, 44]])
HEAD_KEYS = torch.tensor([[0.0, 0, 0, 4], [0, 0, 0, 0], [0, 0, 0, 0], [4, 0, 0, 0]])
HEAD_QUERY = torch.tensor([4.0, 0, 0, 4])
PROJECT = torch.tensor([[1, 0, 1, 0], [0, 1, 0, 1], [0.01, 0, -1, 0], [0, 0.01, 0, -1]])


def several_heads(heads: int = 2) -> dict[str, Any]:
    """What the schematic of several heads takes, with the weights of `scaled_dot_product_attention`."""
    queries, keys, values = (
        attention.split_heads(part[None], heads) for part in (HEAD_QUERY.expand(4, 4), HEAD_KEYS, HEAD_VALUES)
    )
    _, weights = attention.scaled_dot_product_attention(queries, keys, values)
    return {
        "words": WORDS, "asking": 1, "query": HEAD_QUERY, "keys": HEAD_KEYS, "values": HEAD_VALUES,
        "weights": weights[0, :, 1], "project": PROJECT,
    }  # fmt: skip


def multi_head_of(heads: int) -> tuple[Any, str]:
    inputs = several_heads(heads)
    return nb06.draw_multi_head(**inputs), nb06.describe_multi_head(**inputs)


MEN = ["the", "old", "man", "fed", "the", "hungry", "dog"]
LINKS = torch.full((7, 7), 0.01)
LINKS[6, 3], LINKS[4, 3], LINKS[2, 1], LINKS[3, 3] = 0.7, 0.9, 0.3, 0.8
VECTORS = torch.arange(16.0).view(4, 4)
SPLIT = attention.split_heads(VECTORS[None], 2)[0]
BY_DISTANCE = {
    "objects": {"1": {"links": 10, "accuracy": 0.9}, "2 or more": {"links": 5, "accuracy": 0.2}},
    "others": {"1": {"links": 10, "accuracy": 0.1}, "2 or more": {"links": 5, "accuracy": 0.4}},
}
MULTI = several_heads()

test_a_drawing_says_what_it_shows = for_each_example({
    "one head blends": (partial(multi_head_of, 1), ["[26, 27, 28, 29]"], ["[H, T, K] = [1, 4, 4]"]),
    "two heads keep apart": (
        partial(multi_head_of, 2),
        ["It finds [41, 42].", "[41.13, 42.14, 28, 28]."],
        ["[4, 0, 0, 4]", "[4, 0]", "[0, 4]", "[13, 14]", "[41, 42, 13, 14]", "[H, T, K] = [2, 4, 2]", "1.00"],
    ),
    "links to the lit word": (
        lambda: (nb06.draw_links(MEN, LINKS, 3, "layer 2, head 0"), nb06.describe_links(MEN, LINKS, 3)),
        ["To fed come those of the (0.90), dog (0.70), underlined", "The others: man to old (0.30)."],
        ["hungry"],
    ),
    "links to a word of none": (
        lambda: (nb06.draw_links(MEN, LINKS, 0), nb06.describe_links(MEN, LINKS, 0)),
        ["no word, underlined"], MEN,
    ),
    "pointers": (
        lambda: nb06.draw_pointers(MEN, LINKS, "fed", "Layer 2, head 0"),
        ["To fed come those of the (0.90), dog (0.70), underlined"],
        ["Layer 2, head 0: what points at “fed”?"],
    ),
    "two cuts": (
        lambda: nb06.draw_two_cuts(VECTORS, SPLIT, VECTORS.view(2, 4, 2), WORDS),
        ["the shades of i, i, love, love", "split [4, 5]; view alone [2, 3]"],
        ["By view alone, head 0 sees 2 of 4 words: i, love"],
    ),
    "favorites": (
        lambda: nb06.draw_favorites(torch.tensor([[0, 0, 3], [0, 1, 0]]), WORDS, "love"),
        ["For 2 layers of 3 heads, the token that love looks at most: i 4, love 1, class 1."],
        ["In 4 of 6 heads “love” looks most at i", "head 2", "layer 1", "class"],
    ),
    "linked by distance": (
        lambda: nb06.draw_linked_by_distance(BY_DISTANCE),
        ["objects: 0.90 of 10, 0.20 of 5; others: 0.10 of 10, 0.40 of 5"],
        ["At 1 of 2 distances the head links more of the objects", "2 or more behind"],
    ),
    "links of a full page": (
        lambda: nb06.draw_links(["word"] * 12, torch.full((12, 12), 1 / 12), 0), [], ["word"],
    ),
})  # fmt: skip

test_what_cannot_be_drawn_is_refused_in_one_sentence = for_each_refusal({
    "three heads": (
        lambda: nb06.draw_multi_head(**MULTI | {"weights": torch.ones(3, 4) / 4}),
        "4 features cannot be shared out evenly among 3 heads",
    ),
    "weights": (
        lambda: nb06.draw_multi_head(**MULTI | {"weights": torch.ones(2, 3) / 3}), r"has shape \[2, 3\]",
    ),
    "project": (lambda: nb06.draw_multi_head(**MULTI | {"project": torch.ones(4, 2)}), r"shape \[4, 2\]"),
    "who asks": (lambda: nb06.draw_multi_head(**MULTI | {"asking": 4}), "asking"),
    "four heads": (
        lambda: nb06.draw_multi_head(**MULTI | {"weights": torch.ones(4, 4) / 4}), "at most 6 words",
    ),
    "a long sentence": (
        lambda: nb06.draw_links(["word"] * 40, torch.full((40, 40), 0.025), 0), "too long to draw",
    ),
    "tokens": (lambda: nb06.draw_links(MEN[:6], LINKS, 3), "6 tokens for 7 rows"),
    "lit": (lambda: nb06.draw_links(MEN, LINKS, 7), "lit"),
    "other numbers": (
        lambda: nb06.draw_split(VECTORS, {"split": torch.full((2, 4, 2), 99.0)}, MEN[:4]), "stand in it once",
    ),
})  # fmt: skip


def test_arcs_end_at_their_words_and_weights_below_a_tenth_have_none() -> None:
    axes = nb06.draw_links(MEN, LINKS, 3).axes[0]
    drawn = [(np.asarray(line.get_xdata()), np.asarray(line.get_ydata())) for line in axes.lines]
    assert sum(len(xs) == 2 and np.ptp(ys) == 0 for xs, ys in drawn) == 2  # words underlined
    arcs = [xs for xs, _ in drawn if len(xs) == 60]
    places = [text.get_position()[0] for text in axes.texts]
    wanted = sorted((places[a], places[b]) for a, b in [(6, 3), (4, 3), (2, 1)])
    np.testing.assert_allclose(sorted((xs[0], xs[-1]) for xs in arcs), wanted)


def test_a_cut_shows_each_number_on_the_shade_of_its_token() -> None:
    ways = {"split": attention.split_heads(VECTORS[None], 2)[0], "view alone": VECTORS.view(2, 4, 2)}
    figure = nb06.draw_split(VECTORS, ways, MEN[:4])
    whole, split, _, straight, _ = (np.asarray(axes.images[0].get_array()) for axes in figure.axes)
    assert np.array_equal(whole[:, :2], split)  # head 0 keeps each token's shade
    assert np.array_equal(straight[:, 0], whole[[0, 0, 1, 1], 0])  # tokens 0, 0, 1, 1
