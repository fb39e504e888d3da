"""The drawings of notebook 40."""

from pictures import for_each_example

from chapters.nb40 import drawings as nb40
from lib.errata import DOUBTS

test_a_drawing_says_what_it_shows = for_each_example({
    "one task left out": (
        lambda: nb40.draw_kept({"CoLA": 98.2, "WNLI": 94.4}, 96.5),
        ["WNLI 94.4%, CoLA 98.2%", "All tasks: 96.5%"],
        ["without CoLA", "98.2", "all tasks 96.5", "93"],
    ),
    "a fall": (
        lambda: nb40.draw_fall(50, 2.5),
        ["From 50 to 47.5", "5.0 percent"],
        ["in percent of 50", "5.0"],
    ),
    "a ratio and its whole": (
        lambda: nb40.draw_ratio({"matrices": 85.0, "rest": 25.0}, {"matrices": 4.0, "rest": 25.0}),
        ["matrices: 85.0, then 4.0 million", "Together 110.0, then 29.0"],
        ["before", "after", "matrices (85.0, then 4.0)"],
    ),
    "five questions": (
        lambda: nb40.draw_doubts(dict.fromkeys(DOUBTS, 3)),
        ["15 entries", "unit: in which unit? 3"],
        ["base: relative to what?"],
    ),
})  # fmt: skip
