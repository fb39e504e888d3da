"""The drawings of notebook 23."""

from typing import Any

import pytest
import torch
from pictures import for_each_example, for_each_refusal
from torch import Tensor

from chapters.nb23 import drawings as nb23
from chapters.nb23 import further_seeds, recorded

MAPS = {(0, 0): [50.0, 52.0], (0, 2): [60.0, 61.0], (1, 2): [58.0, 70.0], (2, 0): [40.0, 41.0]}
SETS = {"regular": ((1, 2, 3), (4, 5, 6)), "cross": ((1, 3), (4, 6))}
LEADS = [3.0, 5.0, 40.0], [0.0, 1.0, -1.0]

test_a_drawing_says_what_it_shows = for_each_example({
    "seeds of maps": (
        lambda: nb23.draw_map_seeds(MAPS, "A title", "% right", winners=[(1, 2)]),
        ["the lowest 2,0 40.5 (40.0 to 41.0), the highest 1,2 64.0", "up to 12.0 apart", "In boxes: 1,2."],
        ["2,0\n0,0\n0,2\n1,2"],
    ),
    "the lowest maps": (
        lambda: nb23.draw_map_seeds(MAPS, "A title", "% right", shaded=2),
        ["The 2 lowest, shaded: 2,0; 0,0."],
        ["2,0\n0,0\n0,2\n1,2"],
    ),
    "sets of layers": (
        lambda: nb23.draw_layer_sets(SETS, 6, "A title"),
        ["regular: 1, 2, 3 teach layer 1; 4, 5, 6 teach layer 2.",
         "cross: 1, 3 teach layer 1; 4, 6 teach layer 2 (2, 5 teach nobody)"],
        ["teacher", "regular", "cross"],
    ),
    "nobody teaches": (
        lambda: nb23.draw_layer_sets({"last": ((), (6,)), "first": ((1,), ())}, 6, "A title"),
        ["none teach layer 1; 6 teach layer 2"],
        [],
    ),
    "leads": (
        lambda: nb23.draw_leads(*LEADS, "A title"),
        ["3 searches", "reported: mean +16.0"],
        ["trained again: mean +0.0", "reported: mean +16.0"],
    ),
    "losses": (
        lambda: nb23.draw_losses({"code": [4.0, 2.0, 1.5], "paper": [4.0, 0.3, 0.2]}),
        ["code: step 1 4.00, step 3 1.50; paper: step 1 4.00, step 3 0.20."],
        ["The loss of each form"],
    ),
})  # fmt: skip

test_what_cannot_be_drawn_is_refused_in_one_sentence = for_each_refusal({
    "one map": (lambda: nb23.draw_map_seeds({(0, 0): [1.0]}, "", ""), "2 to 40 maps"),
    "seeds": (lambda: nb23.draw_map_seeds({(0, 0): [1.0], (0, 1): [1.0, 2.0]}, "", ""), "equally many"),
    "no such layer": (lambda: nb23.draw_layer_sets({"one": ((7,),)}, 6, ""), "from 1 to 6"),
})  # fmt: skip


def test_seeds_have_a_line_each_and_the_winner_is_bold() -> None:
    axes = nb23.draw_map_seeds(MAPS, "A title", "points", "no lesson", winners=[(1, 2)])[0].axes[0]
    assert len(axes.lines) == 4  # two seeds, the mean, and what it is compared with
    bold = [label.get_text() for label in axes.get_xticklabels() if label.get_fontweight() == "bold"]
    assert bold == ["1,2"]


def test_leads_have_their_means_and_one_frame() -> None:
    axes: Any = nb23.draw_leads(*LEADS, "A title")[0].axes[0]
    assert sorted(line.get_xdata()[0] for line in axes.lines) == [0.0, 16.0]
    for values in ([1.0, 2.0], [-50.0, 50.0]):
        other = nb23.draw_leads(values, values, "A title")[0].axes[0]
        assert (other.get_xlim(), other.get_ylim()) == (axes.get_xlim(), axes.get_ylim())


def test_an_explorer_plays_a_search() -> None:
    asked = []

    def search(truth: Tensor, maps: int, seeds: int) -> tuple[Tensor, Tensor]:
        asked.append((truth.tolist(), maps, seeds))
        return torch.full((4,), 2.0), torch.zeros(4)

    drawn, said = nb23.of_searches(search, torch.zeros(1))
    assert "reported: mean +2.0" in said(maps=2, seeds=1)
    assert "2 equal maps, 1 seed each" in drawn(maps=2, seeds=1).get_suptitle()
    assert asked == [([0.0], 2, 1), ([0.0], 2, 1)]


def test_two_seeds_get_no_verdict() -> None:
    gaps = {
        "three": torch.tensor([1.0, 1.1, 1.2]),
        "apart": torch.tensor([-1.0, 1.0, 2.0]),
        "two": torch.ones(2),
    }
    columns, said = nb23.table_of_gaps("this over that", gaps)
    assert columns["resolved"] == ["yes", "no", "too few seeds"]
    assert columns["seed by seed"][0] == "+1.0, +1.1, +1.2" and said == "Points: this over that"


def test_leads_stand_on_one_line() -> None:
    assert nb23.line_of_leads("taught by", {1: 2.31, 6: -3.4}) == "taught by 1: +2.3, 6: -3.4"


def test_further_seeds_are_told_in_points() -> None:
    assert recorded.further("0,6", "0,0").tolist() == pytest.approx([-3.75, -5.83, -4.03], abs=0.01)
    assert list(recorded.FURTHER) == list(further_seeds.SEEDS)
    assert all(list(right) == list(further_seeds.LESSONS) for right in recorded.FURTHER.values())


def test_what_strays_is_shared_by_all_of_it_or_by_none() -> None:
    maps = [(0, 1), (1, 0), (2, 1), (2, 0)]  # two groups of two, by their second layer
    together = torch.tensor([[1.0], [-1.0], [1.0], [-1.0]])
    apart = torch.tensor([[1.0], [1.0], [-1.0], [-1.0]])
    assert "share 100%; of separate luck 33%" in nb23.line_of_sharing(together, maps)
    assert "share 0%; " in nb23.line_of_sharing(apart, maps)


def test_leads_are_averaged_by_threes() -> None:
    leads = torch.tensor([0.0, 3.0, 6.0, 3.0, 3.0, 3.0, 99.0])  # the last has no two others
    assert nb23.line_of_three("leads", leads) == "leads: nine of ten from 3.0 to 3.0 points"
