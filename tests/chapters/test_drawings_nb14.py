"""The drawings of notebook 14."""

from pictures import for_each_example, for_each_refusal

from chapters.nb14 import drawings as nb14

LOSS = ("a text", ("bad", "good"), [0.1, -0.2], [0.57, 0.43])

test_a_drawing_says_what_it_shows = for_each_example({
    "from a text to its loss": (
        lambda: nb14.draw_fine_tuning(nb14.ForwardToLoss(*LOSS, 1, 0.84, 1000, 10)),
        ["good: logit −0.20, probability 0.43", "True is good", "0.84 nats"],
        ["10 new weights and 1,000 pretrained ones", "0.84 nats"],
    ),
})  # fmt: skip

test_what_cannot_be_drawn_is_refused_in_one_sentence = for_each_refusal({
    "no such label": (lambda: nb14.ForwardToLoss(*LOSS, 2, 0.84, 1000, 10), "place of one"),
})  # fmt: skip
