"""The drawings of notebook 34."""

import torch
from pictures import for_each_example, for_each_refusal

from chapters.nb34 import drawings as nb34
from chapters.nb34 import masks
from lib import records

TABLE = records.table("fewer_pairs")
MASKS = {"all": masks.sparse_mask(6, 6, []), "window": masks.sparse_mask(6, 1, [])}
HEARD = {"window": [masks.reach(masks.sparse_mask(6, 1, []), layers) for layers in range(3)]}

test_a_drawing_says_what_it_shows = for_each_example(
    {
        "masks": (
            lambda: nb34.draw_masks(MASKS),
            ["all: 36 of 36 pairs, 100%", "window: 16 of 36 pairs, 44%"],
            [],
        ),
        "answers": (
            lambda: nb34.draw_answers({"all": 0.5, "few": 0.25}, {"all": 1.0, "few": 0.2}, 96),
            ["all (100% of pairs): 0.500", "few (20% of pairs): 0.250"],
            ["F1"],
        ),
        "what is heard": (lambda: nb34.draw_heard(HEARD), ["pairs heard after 0 to 2 layers 6, 16, 24"], []),
        "the clock": (
            lambda: nb34.draw_clock([256, 512], {"all": [0.001, 0.004], "blocks": [0.002, 0.0039]}),
            ["at 256, 512 tokens", "all 1.0, 4.0", "blocks 2.0, 3.9"],
            ["milliseconds"],
        ),
        "what is computed": (
            lambda: nb34.draw_segments(8, 4, 2),
            ["a mask on all pairs: 64 computed, 34 used", "segments of 4: 32 computed, 32 used"],
            [],
        ),
        "a series": (
            lambda: nb34.draw_series(torch.arange(20.0), torch.tensor([2, 11])),
            ["20 points", "begins at 2, 11"],
            ["point"],
        ),
        "forecasts beside the record": (
            lambda: nb34.draw_forecasts({"k = 3": 0.2}, TABLE, 0.9),
            ["Yours: k = 3 0.200", "k = 2 less k = 1"],
            ["yours"],
        ),
        "a kernel that is not recorded": (
            lambda: nb34.draw_forecasts({"k = 4": 0.3}, TABLE, 0.9),
            ["Yours: k = 4 0.300"],
            [],
        ),
    }
)

test_what_cannot_be_drawn_says_why = for_each_refusal(
    {
        "a mask that isn't square": (lambda: nb34.draw_masks({"wide": torch.ones(2, 3)}), "as many rows"),
        "shares of other masks": (lambda: nb34.draw_answers({"a": 0.5}, {"b": 1.0}, 3), "same masks"),
    }
)
