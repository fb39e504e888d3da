"""The schematic of several heads: its numbers are those of the formula, and bad input is refused."""

import pytest
import torch

from chapters.nb06 import drawings
from lib.bert import attention

WORDS = ["i", "love", "this", "class"]
VALUES = torch.tensor([[11.0, 12, 13, 14], [21, 22, 23, 24], [31, 32, 33, 34], [41, 42, 43, 44]])
KEYS = torch.tensor([[0.0, 0, 0, 4], [0, 0, 0, 0], [0, 0, 0, 0], [4, 0, 0, 0]])
QUERY = torch.tensor([4.0, 0, 0, 4])
PROJECT = torch.tensor([[1, 0, 1, 0], [0, 1, 0, 1], [0.01, 0, -1, 0], [0, 0.01, 0, -1]])


def arguments(heads: int = 2) -> dict:
    """What the drawing takes, with the weights that `scaled_dot_product_attention` gives."""
    queries, keys, values = (
        attention.split_heads(part[None], heads) for part in (QUERY.expand(4, 4), KEYS, VALUES)
    )
    _, weights = attention.scaled_dot_product_attention(queries, keys, values)
    return {
        "words": WORDS, "asking": 1, "query": QUERY, "keys": KEYS, "values": VALUES,
        "weights": weights[0, :, 1], "project": PROJECT,
    }  # fmt: skip


def test_the_page_holds_every_number_on_the_way() -> None:
    texts = {text.get_text() for text in drawings.draw_multi_head(**arguments()).axes[0].texts}
    assert {"[4, 0, 0, 4]", "[4, 0]", "[0, 4]", "[41, 42]", "[13, 14]", "[41, 42, 13, 14]"} <= texts
    assert {"[41.13, 42.14, 28, 28]", "[H, T, K] = [2, 4, 2]", "1.00"} <= texts


def test_one_head_blends_what_two_keep_apart() -> None:
    assert "[26, 27, 28, 29]" in drawings.describe_multi_head(**arguments(heads=1))
    two = drawings.describe_multi_head(**arguments(heads=2))
    assert "It finds [41, 42]." in two and two.endswith("[41.13, 42.14, 28, 28].")


def test_nothing_lies_outside_the_page() -> None:
    for heads in (1, 2):
        figure = drawings.draw_multi_head(**arguments(heads))
        figure.draw_without_rendering()
        page = figure.bbox
        for text in figure.axes[0].texts:
            box = text.get_window_extent()
            assert page.x0 <= box.x0 and box.x1 <= page.x1 and page.y0 <= box.y0 and box.y1 <= page.y1


@pytest.mark.parametrize(
    ("changed", "reason"),
    [
        ({"weights": torch.ones(3, 4) / 4}, "4 features cannot be shared out evenly among 3 heads"),
        ({"weights": torch.ones(2, 3) / 3}, r"weights has shape \[2, 3\]"),
        ({"project": torch.ones(4, 2)}, r"project has shape \[4, 2\]"),
        ({"asking": 4}, "asking"),
        ({"weights": torch.ones(4, 4) / 4}, "at most 6 words in 3 heads"),
    ],
)
def test_what_does_not_fit_is_refused(changed: dict, reason: str) -> None:
    with pytest.raises(ValueError, match=reason):
        drawings.draw_multi_head(**(arguments() | changed))
