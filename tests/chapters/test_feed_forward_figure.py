"""The schematic of the feed-forward half: what is drawn, what is said, and what is refused."""

import pytest

from chapters.nb08 import drawings


def test_both_orders_are_drawn_with_the_sizes_given() -> None:
    figure, _ = drawings.draw_feed_forward(384, 1536, "A title")
    texts = figure.axes[0].texts
    written = [text.get_text() for text in texts]
    for label in ("384 to 1,536", "GELU", "1,536 to 384", "+", "residual path", "layer norm"):
        assert written.count(label) == 2, label
    assert "A title" in written

    def places(label: str) -> list[float]:
        return [text.get_position()[0] for text in texts if text.get_text() == label]

    norms, sums, updates = places("layer norm"), places("+"), places("384 to 1,536")
    assert norms[0] > sums[0], "post-LN: the norm follows the sum"
    assert norms[1] < updates[1], "pre-LN: the norm comes before the update"


def test_the_words_say_the_sizes() -> None:
    assert "from 768 to 3,072 features" in drawings.draw_feed_forward(768, 3072, "A title")[1]


def test_a_middle_that_is_not_wider_is_refused() -> None:
    with pytest.raises(ValueError, match="widens"):
        drawings.draw_feed_forward(384, 384, "A title")
