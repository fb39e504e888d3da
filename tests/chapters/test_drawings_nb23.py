"""The drawings of notebook 23."""

from typing import Any

from pictures import for_each_example, for_each_refusal

from chapters.nb23 import drawings as nb23

MAPS = {(0, 0): [50.0, 52.0], (0, 2): [60.0, 61.0], (1, 2): [58.0, 70.0], (2, 0): [40.0, 41.0]}
SETS = {"regular": ((1, 2, 3), (4, 5, 6)), "cross": ((1, 3), (4, 6))}
LEADS = [3.0, 5.0, 40.0], [0.0, 1.0, -1.0]

test_a_drawing_says_what_it_shows = for_each_example({
    "seeds of maps": (
        lambda: nb23.draw_map_seeds(MAPS, "A title", "% right", winners=[(1, 2)]),
        ["the lowest 2,0 40.5 (40.0 to 41.0), the highest 1,2 64.0", "up to 12.0 apart", "In boxes: 1,2."],
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
