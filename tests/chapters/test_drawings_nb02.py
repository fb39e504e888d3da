"""The drawings of notebook 02."""

from typing import Any

import pytest
import torch
from matplotlib.patches import Rectangle
from pictures import for_each_example, for_each_refusal

from chapters.nb02 import drawings as nb02
from chapters.nb02.passages import Passage, highest_cosines, passages_of

PAIR = (("i", "love"),)  # the texts of a row of two
PAIR_TOKENS = [["[CLS]", "i", "[SEP]", "love", "[SEP]"]]
PAIR_BATCH = {"input_ids": [[101, 1045, 102, 2293, 102]], "token_type_ids": [[0, 0, 0, 1, 1]]}
TOKENS = [["[CLS]", "i", "[SEP]"], ["[CLS]", "[SEP]", "[PAD]"]]
MASK = torch.tensor([[1, 1, 1], [1, 1, 0]])
CUTS = {"head": [(0, 4)], "windows": [(0, 4), (3, 7), (6, 10)]}
SHARES = {"beginning": [1.0, 0.9], "middle": [0.05, 0.8], "end": [0.25, 0.85]}
PASSAGES = [Passage([], 0, 0, "beginning"), Passage([], 0, 280, "middle"), Passage([], 1, 400, "end")]
FOUND = {"head": torch.tensor([True, False, False]), "tail": torch.tensor([False, True, True])}


def inputs_of(tokens: list[list[str]], mask: torch.Tensor) -> tuple[Any, str]:
    return nb02.draw_inputs([["i"]], tokens, {"mask": mask})


test_a_drawing_says_what_it_shows = for_each_example({
    "texts, tokens and tensors": (
        lambda: nb02.draw_inputs(PAIR, PAIR_TOKENS, PAIR_BATCH, "One row"),
        ["The texts of a batch, row 0: i and love, become tokens and tensors. A batch of 1 rows",
         "input_ids 101 1045 102 2293 102; token_type_ids 0 0 0 1 1."],
        ["One row", "texts of row 0", "tokens", "input_ids", "token_type_ids", "1045"],
    ),
    "what is read of a text": (
        lambda: nb02.draw_cuts(CUTS, 10, SHARES, 0.05, "Two ways"),
        ["windows reads tokens 0 to 4 and 3 to 7 and 6 to 10 and finds: beginning 90%, middle 80%, end 85%"],
        ["Two ways", "head", "windows", "100%", "25%", "85%", "guessing finds 5%"],
    ),
    "what is found": (
        lambda: nb02.draw_found(FOUND, PASSAGES, 600),
        ["tail reads tokens 346 to 600 and finds: beginning 0%, middle 100%, end 100%",
         "Found of 3 passages: head 1, tail 2."],
        ["Tail: 2 of 3 passages found", "guessing finds 50%"],
    ),
})  # fmt: skip

test_what_cannot_be_drawn_is_refused_in_one_sentence = for_each_refusal({
    "a cut beyond": (lambda: nb02.draw_cuts({"head": [(0, 11)]}, 10, {"end": [0.5]}, 0), "between 0"),
    "no cut": (lambda: nb02.draw_cuts({"head": []}, 10, {"end": [0.5]}, 0), "between 0 and 10"),
    "a share": (lambda: nb02.draw_cuts({"head": [(0, 4)]}, 10, {"end": [1.5]}, 0), "outside of 0 to 1"),
    "two shares": (lambda: nb02.draw_cuts({"head": [(0, 4)]}, 10, {"end": [0.5, 0.5]}, 0), "1 are"),
    "few texts": (lambda: nb02.draw_inputs([["i"]], PAIR_TOKENS, PAIR_BATCH), "give each row its texts"),
    "no batch": (lambda: nb02.draw_inputs([], [], {}), "no batch to draw"),
    "rows": (lambda: inputs_of([["i"]], torch.ones(2, 1)), "2 rows for 1 rows of tokens"),
    "columns": (lambda: inputs_of([["i"]], torch.ones(1, 2)), "2 columns of mask"),
    "wide": (lambda: inputs_of([21 * ["i"]], torch.ones(1, 21)), "at most 20 tokens"),
})  # fmt: skip


def test_cuts_stand_where_they_are_made_and_windows_overlap() -> None:
    axes = nb02.draw_cuts(CUTS, 10, SHARES, 0.05, "Two ways")[0].axes[0]
    places = {text.get_text(): text.get_position() for text in axes.texts}
    assert places["100%"][1] == places["head"][1] > places["85%"][1] == places["windows"][1]
    assert places["100%"][0] < places["end"][0] == pytest.approx(places["25%"][0])
    boxes = [box for box in axes.patches if isinstance(box, Rectangle)]
    read = [box for box in boxes if box.get_edgecolor()[3] == 0]  # without an outline
    assert [round(box.get_x() - read[0].get_x(), 2) for box in read] == [0, 0, 1.17, 2.34]  # of 3.9 inches
    assert read[1].get_y() > read[2].get_y() + read[2].get_height()  # overlapping windows do not touch


def test_padding_is_hatched() -> None:
    figure, _ = nb02.draw_inputs([["i"], [""]], TOKENS, {"attention_mask": MASK})
    assert sum(bool(box.get_hatch()) for box in figure.axes[0].patches) == 1


def test_passages_belong_to_the_part_that_holds_them() -> None:
    passages = passages_of([[str(place) for place in range(600)], 30 * ["short"]])
    assert [passage.start for passage in passages] == list(range(0, 561, 40))
    assert [passage.part for passage in passages].count("beginning") == 6  # 0 to 200
    assert next(passage.start for passage in passages if passage.part == "end") == 360
    assert passages[1].tokens[0] == "40" and {passage.text for passage in passages} == {0}


def test_of_a_text_with_several_vectors_the_nearest_counts() -> None:
    searches = torch.tensor([[1.0, 0.0], [0.0, 2.0]])
    texts = [torch.tensor([[1.0, 0.0]]), torch.tensor([[3.0, 0.0], [0.0, 1.0], [-1.0, 0.0]])]
    assert highest_cosines(searches, texts).tolist() == [[1, 1], [0, 1]]


def test_the_table_of_luck_counts_what_is_larger_than_twice_the_root() -> None:
    columns = nb02.luck_table({4: torch.tensor([0, 2, 4, 4]), 9: torch.tensor([1, 7, 7, 9])})
    assert columns["average difference"] == ["2.5", "6.0"] and columns["2√k"] == ["4.0", "6.0"]
    assert columns["tries above 2√k"] == ["0.0%", "75.0%"]
