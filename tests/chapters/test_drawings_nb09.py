"""The drawings of notebook 09."""

from typing import NamedTuple

import numpy as np
import torch
from matplotlib.colors import to_hex
from matplotlib.patches import Rectangle
from pictures import for_each_example, for_each_refusal

from chapters.nb09 import drawings as nb09
from lib.analysis.cost.formulas import count_parameters
from lib.bert import BertConfig
from lib.figures.style import LIT

CAUSAL = np.tril(np.ones((3, 3), dtype=bool))
GPT = nb09.Stack("GPT", "token + position", 12, 768, CAUSAL, "the next word")
BANK = ["the", "bank", "gave"]
SMALL = BertConfig(
    vocab_size=10, hidden_size=8, num_hidden_layers=2, num_attention_heads=2, intermediate_size=16
)


class Marked(NamedTuple):
    word: str
    sense: str


MARKED = [Marked("bank", "river"), Marked("bank", "river"), Marked("bank", "money"), Marked("bank", "money")]
AHEAD = torch.ones(2, 20, dtype=torch.bool)
BEHIND = torch.arange(20) < 8

test_a_drawing_says_what_it_shows = for_each_example({
    "a stack": (
        lambda: nb09.draw_stacks([GPT], BANK, "A title"),
        ["12 layers", "768 numbers", "the at 1, bank at 2, gave at 3"],
        ["A title", "GPT", "token + position", "one of 12 layers", "768 numbers for each token"],
    ),
    "BERT and GPT": (
        lambda: nb09.draw_bert_and_gpt(BANK),
        ["the at 3, bank at 3, gave at 3", "the at 1, bank at 2, gave at 3"],
        ["BERT: encoder", "GPT: decoder"],
    ),
    "senses": (
        lambda: nb09.draw_senses(AHEAD, BEHIND, MARKED * 5),
        ["100%, 100%", "neighbors: 40%", "blind guess 50%"],
        [
            "Senses right: 100% before the layers, 100% after layer 1, 100% after layer 1",
            "average of neighbors",
        ],
    ),
    "the banks": (
        lambda: (banks().draw(1), banks().alt(1)),
        ["75% of all 4 sentences", "River banks: 0.60, 0.60. Money banks: -0.60, -0.60"],
        ["After layer 1: 75% of all 4 sentences right", "river bank", "money bank"],
    ),
    "shares": (
        lambda: nb09.draw_shares({"a small one": count_parameters(SMALL)}),
        ["a small one: embeddings"],
        ["What holds most: in a small one embeddings"],
    ),
    "a hidden token": (
        lambda: nb09.draw_hidden_tokens("A muddy bank.", {"nothing": 0.06, "muddy (2)": -0.01}),
        ["muddy (2) -0.010"],
        ["On the money side with this token hidden: muddy (2)"],
    ),
    "times": (
        lambda: nb09.draw_times({"lookup": 0.1, "attention": 0.3}, {"attention": 5}),
        ["400 ms", "attention 75.0% and 100.0%", "lookup 25.0% and 0.0%"],
        ["What takes most of the time: attention"],
    ),
})  # fmt: skip

test_what_cannot_be_drawn_is_refused_in_one_sentence = for_each_refusal({
    "three stacks": (lambda: nb09.draw_stacks([GPT] * 3, BANK, "A title"), "one or two"),
    "seven tokens": (lambda: nb09.draw_stacks([GPT], ["a"] * 7, "A title"), "at most six"),
    "four tokens": (lambda: nb09.draw_stacks([GPT], ["a"] * 4, "A title"), "4 tokens for 3 rows"),
})  # fmt: skip


def banks() -> nb09.Banks:
    """Two layers of four banks: alike in the first, apart in the second."""
    layer = torch.tensor([[1.0, 0.0], [1.0, 0.0], [0.4, 0.84**0.5], [0.4, 0.84**0.5]])  # a cosine of 0.4
    return nb09.Banks(torch.stack([layer, layer]), MARKED, torch.tensor([[False] * 4, [True] * 3 + [False]]))


def test_the_sizes_are_in_a_table() -> None:
    table = nb09.sizes_table({"small": SMALL}, count_parameters)
    assert table["layers"] == [2] and table["heads"] == [2]
    assert table["of these embeddings"] == [f"{count_parameters(SMALL)['embeddings'] / 1e6:.1f}"]
    assert table["parameters, million"] == [f"{sum(count_parameters(SMALL).values()) / 1e6:.1f}"]


def test_a_lead_stands_beside_luck() -> None:
    table = nb09.leads(torch.stack([AHEAD[0], ~BEHIND]), BEHIND)
    assert table["only the layer is right"] == [12, 12] and table["only the average is right"] == [8, 8]
    assert table["lead"] == [4, 4] and table["luck, 2√k"] == ["9", "9"]


def test_cosines_are_told_apart_by_sense_and_word() -> None:
    marked = [*MARKED[1:], Marked("bat", "animal")]  # a river bank, two money banks
    vectors = torch.tensor([[1.0, 0.0], [0.0, 1.0], [0.0, 2.0], [-1.0, 0.0]])
    assert nb09.mean_cosines(vectors, marked, "bank") == {
        "bank and": ["bank, same sense", "bank, other sense", "another word"],
        "mean cosine": ["1.000", "0.000", "-0.333"],
    }


def test_the_squares_are_the_causal_mask() -> None:
    axes = nb09.draw_stacks([GPT], BANK, "A title")[0].axes[0]
    squares = [patch for patch in axes.patches if isinstance(patch, Rectangle) and patch.get_fill()]
    rows = np.array([to_hex(square.get_facecolor()) == LIT for square in squares]).reshape(3, 3)
    assert (rows == CAUSAL).all() and squares[0].get_y() > squares[-1].get_y()  # the first token is on top
