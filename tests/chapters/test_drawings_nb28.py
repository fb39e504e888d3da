"""The drawings of notebook 28."""

import torch
from pictures import for_each_example, for_each_refusal

from chapters.nb28 import drawings as nb28
from lib import records
from lib.compression.elastic import sizes

WIDTHS, DEPTHS = (1.0, 0.25), ("6 layers", "3 layers")
GRID = {"accuracy": [[0.9, 0.8], [0.85, 0.7]], "ms": [[100.0, 40.0], [52.0, 21.0]]}
FORMATS = {"accuracy": ".1%", "ms": ".0f"}
RECORD = records.table("elastic")
SHOWN = [sizes.Size(1.0, 1.0), sizes.Size(0.25, 0.5)]
EVERY = sizes.sizes_of((1.0, 0.75, 0.5, 0.25), (1.0, 2 / 3, 0.5))
LEDGER = nb28.Ledger(dict.fromkeys(EVERY, 0.8), dict.fromkeys(EVERY, 13.4), dict.fromkeys(EVERY, 2.0))
NOW = [nb28.SizeNow(1.0, [0, 1], "the whole", 0.31), nb28.SizeNow(0.25, [1], "a quarter", 0.69)]

test_a_drawing_says_what_it_shows = for_each_example({
    "a number for every size": (
        lambda: nb28.draw_size_grid(WIDTHS, DEPTHS, GRID, FORMATS, "Sizes"),
        ["accuracy, depth 3 layers: width 1 85.0%, width 0.25 70.0%", "21."],
        ["90.0%\n80.0%\n85.0%\n70.0%", "100\n40\n52\n21"],
    ),
    "a step at several sizes": (
        lambda: nb28.draw_elastic_step(NOW, 2, "One step"),
        ["at 2 sizes", "the whole: 0.31"],
        ["a quarter", "loss 0.69", "one update"],
    ),
    "a first step of MiniLM": (
        lambda: nb28.draw_first_step(SHOWN, [0.1, 1.3]), ["3 heads, 3 layers: 1.30"], ["loss 0.10"],
    ),
    "twelve sizes": (
        lambda: nb28.draw_ledger(LEDGER), ["accuracy, depth 4 layers: width 1 80.0%"], ["width"],
    ),
    "the smallest size alone": (
        lambda: nb28.draw_alone(RECORD), ["inside: accuracy on headlines, % 70.6"], ["81.0"],
    ),
    "LayerDrop": (lambda: nb28.draw_layerdrop(RECORD), ["3 layers, p = 0.2"], ["69.7"]),
    "maps beside each other": (
        lambda: nb28.draw_fused({"a head": torch.tensor([[1.0, 0.0], [0.2, 0.8]])}, ["[CLS]", "news"]),
        ["a head: news looks most at news (0.80)"],
        ["a head", "news"],
    ),
})  # fmt: skip

test_what_cannot_be_drawn_is_refused_in_one_sentence = for_each_refusal({
    "rows": (lambda: nb28.draw_size_grid(WIDTHS, DEPTHS, {"ms": [[1.0, 2.0]]}, FORMATS, ""), "2 depths"),
    "no panels": (lambda: nb28.draw_size_grid(WIDTHS, DEPTHS, {}, FORMATS, ""), "panels"),
    "no sizes": (lambda: nb28.draw_elastic_step([], 2, ""), "one to 4"),
    "layers": (lambda: nb28.draw_elastic_step(NOW, 1, ""), "0 to 0"),
})  # fmt: skip


def test_the_smallest_size_gains_when_it_is_alone() -> None:
    assert "as much arithmetic less inside: +10.3 points, resolved; 2,600 steps" in nb28.gains_alone(RECORD)
    megabytes, milliseconds, right = nb28.smallest_alone(RECORD, LEDGER)
    assert (megabytes, milliseconds) == (13.4, 2.0) and 80 < right < 82
