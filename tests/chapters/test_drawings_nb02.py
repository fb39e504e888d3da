"""The drawings of notebook 02."""

import pytest
import torch
from matplotlib.patches import Rectangle

from chapters.nb02 import drawings
from lib import figures

PAIR = (("i", "love"),)  # the texts of a row of two
PAIR_TOKENS = [["[CLS]", "i", "[SEP]", "love", "[SEP]"]]
PAIR_BATCH = {"input_ids": [[101, 1045, 102, 2293, 102]], "token_type_ids": [[0, 0, 0, 1, 1]]}


def test_each_row_of_a_batch_has_its_texts_over_its_tokens_and_its_numbers_below():
    figure, alt = drawings.draw_inputs(PAIR, PAIR_TOKENS, PAIR_BATCH, "One row")
    places = {text.get_text(): text.get_position() for text in figure.axes[0].texts}
    assert {
        "One row",
        "texts of row 0",
        "tokens",
        "input_ids",
        "token_type_ids",
    } <= places.keys()
    assert places["1045"][0] < places["2293"][0]
    love = [text.get_position() for text in figure.axes[0].texts if text.get_text() == "love"]
    assert [x for x, _ in love] == pytest.approx([places["2293"][0]] * 2)  # text, token and id in one column
    assert figures.png(figure)
    assert alt.startswith(
        "The texts of a batch, row 0: i and love, become tokens and tensors. A batch of 1 rows"
    )
    assert alt.endswith("input_ids 101 1045 102 2293 102; token_type_ids 0 0 0 1 1.")


CUTS = {"head": [(0, 4)], "windows": [(0, 4), (3, 7), (6, 10)]}
SHARES = {"beginning": [1.0, 0.9], "end": [0.25, 0.85]}


def test_what_is_read_of_a_text_stands_beside_what_is_found():
    figure, alt = drawings.draw_cuts(CUTS, 10, SHARES, 0.05, "Two ways")
    places = {text.get_text(): text.get_position() for text in figure.axes[0].texts}
    assert {"Two ways", "head", "windows", "100%", "90%", "25%", "85%", "guessing finds 5%"} <= places.keys()
    assert places["100%"][1] == places["head"][1] > places["85%"][1] == places["windows"][1]
    assert places["100%"][0] == pytest.approx(places["beginning"][0])
    assert places["100%"][0] < places["end"][0] == pytest.approx(places["25%"][0])
    boxes = [box for box in figure.axes[0].patches if isinstance(box, Rectangle)]
    read = [box for box in boxes if box.get_edgecolor()[3] == 0]  # without an outline
    assert [round(box.get_x() - read[0].get_x(), 2) for box in read] == [0, 0, 1.17, 2.34]  # of 3.9 inches
    assert read[1].get_y() > read[2].get_y() + read[2].get_height()  # overlapping windows do not touch
    assert "windows reads tokens 0 to 4 and 3 to 7 and 6 to 10 and finds: beginning 90%, end 85%" in alt


@pytest.mark.parametrize(
    ("ways", "found", "wrong"),
    [
        ({"head": [(0, 11)]}, {"end": [0.5]}, "between 0 and 10"),
        ({"head": []}, {"end": [0.5]}, "between 0 and 10"),
        ({"head": [(0, 4)]}, {"end": [1.5]}, "outside of 0 to 1"),
        ({"head": [(0, 4)]}, {"end": [0.5, 0.5]}, "1 are needed"),
    ],
)
def test_cuts_that_do_not_fit_are_not_drawn(ways, found, wrong):
    with pytest.raises(ValueError, match=wrong):
        drawings.draw_cuts(ways, 10, found, 0.05)


def test_a_row_with_fewer_texts_than_separators_is_not_drawn():
    with pytest.raises(ValueError, match="give each row its texts"):
        drawings.draw_inputs([["i"]], PAIR_TOKENS, PAIR_BATCH)


def test_a_batch_is_drawn_with_a_number_below_every_token():
    tokens = [["[CLS]", "i", "[SEP]"], ["[CLS]", "[SEP]", "[PAD]"]]
    ids, mask = torch.tensor([[101, 1045, 102], [101, 102, 0]]), torch.tensor([[1, 1, 1], [1, 1, 0]])
    figure, _ = drawings.draw_batch(tokens, {"input_ids": ids, "attention_mask": mask})
    written = [text.get_text() for text in figure.axes[0].texts]
    assert sorted(written) == sorted(
        [*tokens[0], *tokens[1], *map(str, [*ids.flatten().tolist(), *mask.flatten().tolist()])]
        + 2 * ["tokens", "input_ids", "attention_mask"]
    )
    hatched = [box for box in figure.axes[0].patches if box.get_hatch()]
    assert len(hatched) == 1
    assert figures.png(figure)
    _, alt = drawings.draw_batch(tokens, {"input_ids": ids})
    assert alt == (
        "A batch of 2 rows of 3 tokens. row 0: [CLS] i [SEP]; input_ids 101 1045 102. "
        "row 1: [CLS] [SEP] [PAD]; input_ids 101 102 0."
    )


WRONG = {
    "no batch": (lambda: drawings.draw_batch([], {}), "no batch to draw"),
    "rows": (lambda: drawings.draw_batch([["i"]], {"mask": torch.ones(2, 1)}), "2 rows for 1 rows of tokens"),
    "columns": (lambda: drawings.draw_batch([["i"]], {"mask": torch.ones(1, 2)}), "2 columns of mask"),
    "wide": (lambda: drawings.draw_batch([21 * ["i"]], {"mask": torch.ones(1, 21)}), "at most 20 tokens"),
}


@pytest.mark.parametrize("case", WRONG)
def test_what_cannot_be_drawn_is_refused_in_one_sentence(case):
    call, message = WRONG[case]
    with pytest.raises(ValueError, match=message) as error:
        call()
    assert "\n" not in str(error.value)
