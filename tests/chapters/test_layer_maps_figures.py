"""Maps of layers, their seeds, and sets of layers, drawn."""

from typing import Any

import pytest

from chapters.nb23 import drawings

SCORES = {(0, 0): [50.0, 52.0], (0, 2): [60.0, 61.0], (1, 2): [58.0, 70.0], (2, 0): [40.0, 41.0]}
SETS = {"regular": ((1, 2, 3), (4, 5, 6)), "cross": ((1, 3), (4, 6))}


def written(page: object) -> list[str]:
    return [text.get_text() for text in page.axes[0].texts]  # type: ignore[attr-defined]


def test_seeds_stand_over_each_map_in_order() -> None:
    drawn = drawings.draw_map_seeds(SCORES, "A title", "% right")[0]
    names = [label.get_text() for label in drawn.axes[0].get_xticklabels()]
    assert names == ["2,0", "0,0", "0,2", "1,2"]
    assert len(drawn.axes[0].lines) == 3  # two seeds, and the mean
    said = drawings.draw_map_seeds(SCORES, "a title", "% right")[1]
    assert "the lowest 2,0 40.5 (40.0 to 41.0), the highest 1,2 64.0" in said
    assert "up to 12.0 apart" in said
    compared = drawings.draw_map_seeds(SCORES, "a title", "points", "no lesson")[0]
    assert len(compared.axes[0].lines) == 4
    boxed, said = drawings.draw_map_seeds(SCORES, "a title", "points", winners=[(1, 2)])
    bold = [label.get_text() for label in boxed.axes[0].get_xticklabels() if label.get_fontweight() == "bold"]
    assert bold == ["1,2"] and said.endswith("In boxes: 1,2.")


def test_maps_that_cannot_be_drawn_are_refused() -> None:
    with pytest.raises(ValueError, match="2 to 40 maps"):
        drawings.draw_map_seeds({(0, 0): [1.0]}, "", "")
    with pytest.raises(ValueError, match="equally many seeds"):
        drawings.draw_map_seeds({(0, 0): [1.0], (0, 1): [1.0, 2.0]}, "", "")


def test_sets_of_layers_have_an_arrow_each() -> None:
    page = drawings.draw_layer_sets(SETS, 6, "A title")[0]
    texts = written(page)
    assert texts.count("teacher") == 2 and {"regular", "cross"} <= set(texts)
    said = drawings.draw_layer_sets(SETS, 6, "a title")[1]
    assert "regular: 1, 2, 3 teach layer 1; 4, 5, 6 teach layer 2." in said
    assert "cross: 1, 3 teach layer 1; 4, 6 teach layer 2 (2, 5 teach nobody)" in said
    _, said = drawings.draw_layer_sets({"last": ((), (6,))}, 6, "a title")
    assert "none teach layer 1; 6 teach layer 2" in said
    with pytest.raises(ValueError, match="from 1 to 6"):
        drawings.draw_layer_sets({"one": ((7,),)}, 6, "")


def test_leads_are_two_histograms_with_their_means() -> None:
    drawn, said = drawings.draw_leads([3.0, 5.0, 40.0], [0.0, 1.0, -1.0], "A title")
    axes: Any = drawn.axes[0]
    assert [text.get_text() for text in axes.get_legend().get_texts()] == [
        "trained again: mean +0.0",
        "reported: mean +16.0",
    ]
    assert sorted(line.get_xdata()[0] for line in axes.lines) == [0.0, 16.0]
    assert "3 searches" in said and "reported: mean +16.0" in said
    for values in ([1.0, 2.0], [-50.0, 50.0]):  # one frame for all
        other = drawings.draw_leads(values, values, "A title")[0].axes[0]
        assert other.get_xlim() == axes.get_xlim() and other.get_ylim() == axes.get_ylim()
