"""The drawings and tables of notebook 08."""

import torch
import torch.nn.functional as F
from pictures import for_each_example, for_each_refusal

from chapters.nb08 import drawings as nb08
from lib import records

RIGHT = {"post-LN": [0.04] * 120, "pre-LN": [0.04] * 60 + [1.0] * 60}

test_a_drawing_says_what_it_shows = for_each_example({
    "the feed-forward half": (
        lambda: nb08.draw_half(768, 3072),
        ["from 768 to 3,072 features"],
        ["768 to 3,072", "GELU", "3,072 to 768", "residual path", "layer norm"],
    ),
    "both orders of the feed-forward half": (
        lambda: nb08.draw_orders(768, 3072),
        ["from 768 to 3,072 features", "Pre-LN"],
        ["768 to 3,072", "GELU", "3,072 to 768", "residual path", "layer norm"],
    ),
    "GELU and ReLU": (
        lambda: nb08.draw_activations(F.gelu),
        ["at most 0.17 lower", "-0.08 at -1.0"],
        ["GELU and ReLU are close, but just below 0 only GELU has a slope"],
    ),
    "tokens recognized": (
        lambda: nb08.draw_recognized({"whole": [1, 0.9], "without plus signs": [1, 0.1]}, 0.07),
        ["whole: 1.00, 0.90", "A guess gets 0.07"],
        ["Without plus signs, 10% of the tokens are recognized at the end"],
    ),
    "letters learned": (
        lambda: nb08.draw_learning(RIGHT),
        ["post-LN 4%; pre-LN 100%"],
        ["From the same first weights, pre-LN gets 100% right and post-LN 4%"],
    ),
})  # fmt: skip

test_what_cannot_be_drawn_is_refused_in_one_sentence = for_each_refusal({
    "no wider": (lambda: nb08.draw_orders(384, 384), "widens"),
    "no wider half": (lambda: nb08.draw_half(384, 384), "widens"),
})  # fmt: skip


def test_the_norm_follows_the_sum_or_comes_before_the_update() -> None:
    texts = nb08.draw_orders(384, 1536)[0].axes[0].texts

    def places(label: str) -> list[float]:
        return [text.get_position()[0] for text in texts if text.get_text() == label]

    post, pre = zip(places("layer norm"), places("+"), places("384 to 1,536"), strict=True)
    assert post[0] > post[1] and pre[0] < pre[2]


def test_a_lead_stands_beside_luck() -> None:
    whole = torch.tensor([True, True, True, True, False])
    cut = torch.tensor([False, False, False, True, True])
    columns, _ = nb08.search_table({"whole": whole, "cut": cut})
    assert columns["answers found"] == ["4 of 5", "2 of 5"]
    assert columns["more in the whole model"] == ["", "2"]
    assert columns["2√k"] == ["", "4.0"]


def test_tables_say_what_they_count() -> None:
    nearest, _ = nb08.nearest_table(["a", "b"], {"whole": torch.tensor([0, 1]), "cut": torch.tensor([1, 1])})
    assert nearest == {"token": ["a", "b"], "whole": ["a", "b"], "cut": ["b", "b"]}
    lists, _ = nb08.lists_table([["denials", 1537, 8, 9, [0, 2]]], wide=1536)
    assert lists["its neuron"] == ["1 of layer 1"] and lists["fit"] == ["8 of 9"]
    assert lists["random lists, theirs"] == ["0, 2"]
    alike, _ = nb08.alike_table({"whole": (torch.tensor([1, 0.9]), 0.391)})
    assert alike["tokens recognized"] == ["90%"] and alike["mean cosine of two tokens"] == ["0.39"]
    x = torch.tensor([3.0, 4.0])
    sums, _ = nb08.sum_table({"x": x, "other": torch.tensor([-4.0, 3.0])}, x)
    assert sums["length"] == [5, 5] and abs(sums["cosine with x"][1]) < 1e-6
    fires, _ = nb08.firing_table(torch.tensor([[0.5, 2.0, -1.0, -1.0]]), layers=2)
    assert fires["above 0"] == ["100%", "0%"] and fires["neurons never above 0"] == [0, 2]
    assert nb08.silence_table({"829": (0.01, 3.9, 9)})[0]["pairs that rise"] == ["9 of 10"]


def test_the_record_becomes_a_table() -> None:
    columns, caption = nb08.warm_up_table(records.table("warm_up"))
    assert len(columns["start"]) == 8 and columns["rate 0.008"][0] == "0 of 3"
    assert "recorded" in caption
