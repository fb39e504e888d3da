"""The drawings of notebook 08."""

from pictures import for_each_example, for_each_refusal

from chapters.nb08 import drawings as nb08

test_a_drawing_says_what_it_shows = for_each_example({
    "both orders of the feed-forward half": (
        lambda: nb08.draw_feed_forward(768, 3072, "A title"),
        ["from 768 to 3,072 features"],
        ["A title", "768 to 3,072", "GELU", "3,072 to 768", "residual path", "layer norm"],
    ),
})  # fmt: skip

test_what_cannot_be_drawn_is_refused_in_one_sentence = for_each_refusal({
    "no wider": (lambda: nb08.draw_feed_forward(384, 384, "A title"), "widens"),
})  # fmt: skip


def test_the_norm_follows_the_sum_or_comes_before_the_update() -> None:
    texts = nb08.draw_feed_forward(384, 1536, "A title")[0].axes[0].texts

    def places(label: str) -> list[float]:
        return [text.get_position()[0] for text in texts if text.get_text() == label]

    post, pre = zip(places("layer norm"), places("+"), places("384 to 1,536"), strict=True)
    assert post[0] > post[1] and pre[0] < pre[2]
