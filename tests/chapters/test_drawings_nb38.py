"""The drawings of notebook 38."""

import torch
from pictures import for_each_example, for_each_refusal

from chapters.nb38 import drawings as nb38
from lib import figures, records

TABLE = records.table("pictures")
IMAGES = torch.rand(4, 1, 8, 8, generator=torch.Generator().manual_seed(0))
ONE = {"a digit": IMAGES[0]}

test_a_drawing_says_what_it_shows = for_each_example(
    {
        "rows of pictures": (
            lambda: nb38.draw_rows({"as it is": IMAGES, "shuffled": IMAGES}, 2),
            ["2 rows of 4 pictures: as it is; shuffled", "patches of 2 × 2"],
            ["as it is"],
        ),
        "completed pictures": (
            lambda: nb38.draw_completed({"true": IMAGES, "mean": IMAGES}),
            ["2 rows of 4 pictures: true; mean", "above the line was given"],
            ["mean"],
        ),
        "how a picture is read": (
            lambda: nb38.draw_vit(IMAGES[0], 2, 64, 10),
            ["16 patches of 4 numbers", "positions [17, 64]", "10 logits"],
            ["[16, 4]", "8 × 8 pixels"],
        ),
        "a cut": (
            lambda: (nb38.draw_cut(ONE, 2), nb38.describe_cut(ONE, 2)),
            ["patches of 2 × 2: 16 patches, 256 pairs"],
            ["a digit"],
        ),
        "what is learned from how many": (
            lambda: nb38.draw_learning(TABLE, {}, 0),
            ["from 100, 300, 1,297 pictures", "CNN", "none."],
            ["logistic regression"],
        ),
        "yours among them": (
            lambda: nb38.draw_learning(TABLE, {"ViT": 0.5, "CNN": 0.9}, 60),
            ["Yours from 60: ViT 50, CNN 90."],
            ["yours: CNN, 60 pictures"],
        ),
        "positions": (
            lambda: nb38.draw_positions(torch.eye(16)),
            ["16 places", "neighbors 0.00"],
            ["cosine"],
        ),
    }
)

test_what_cannot_be_drawn_says_why = for_each_refusal(
    {
        "rows of unequal length": (
            lambda: nb38.draw_completed({"a": IMAGES, "b": IMAGES[:2]}),
            "as many of each",
        ),
        "colors": (lambda: nb38.draw_rows({"a": torch.rand(2, 3, 8, 8)}, 2), "one channel"),
    }
)


def test_all_cuts_fit_one_frame() -> None:
    """So that the slider changes the grid and nothing else."""
    sizes = {nb38.draw_cut(ONE, size).get_size_inches().tolist()[0] for size in (1, 2, 4, 8)}
    assert len(sizes) == 1
    assert len(figures.png(nb38.draw_cut(ONE, 1))) < 200_000
