"""The drawings of notebook 14."""

import torch
from pictures import for_each_example, for_each_refusal

from chapters.nb14 import drawings as nb14
from lib.bert import BertConfig, BertForSequenceClassification
from lib.text.tasks import own

LOSS = ("a text", ("bad", "good"), [0.1, -0.2], [0.57, 0.43])
Z, P = torch.tensor([0.1, -0.2]), torch.tensor([0.57, 0.43])
PEAKS = (2e-5, 2e-4, 1.6e-3)


class Tiny(BertForSequenceClassification):
    """A model whose head is new."""

    def __init__(self) -> None:
        super().__init__(BertConfig(10, 8, 1, 2, 16, max_position_embeddings=8))
        self.newly_initialized = ("classifier.weight", "classifier.bias")


test_a_drawing_says_what_it_shows = for_each_example({
    "from a text to its loss": (
        lambda: nb14.draw_fine_tuning(nb14.ForwardToLoss(*LOSS, 1, 0.84, 1000, 10)),
        ["good: logit −0.20, probability 0.43", "True is good", "0.84 nats"],
        ["10 new weights and 1,000 pretrained ones", "0.84 nats"],
    ),
    "the same of a model": (
        lambda: nb14.draw_one_text(Tiny(), "a text", ("bad", "good"), Z, P, 1, torch.tensor(0.84)),
        ["a new head of 18 random weights"],
        ["18 new weights"],
    ),
    "peaks of the rate": (
        lambda: nb14.draw_peaks(PEAKS, [[0.1, 0.2], [0.7, 0.8], [0.3, 0.4]], 2e-4, 0.77, 0.5),
        ["0.0002: 75.0", "Your run, with 0.0002: 77.0", "Counting words: 50.0"],
        ["your run 77", "counting words 50"],
    ),
    "a test": (
        lambda: nb14.draw_test({"counting words": 0.53, "your run": 0.76}),
        ["counting words 53.0%, your run 76.0%"],
        ["76.0"],
    ),
})  # fmt: skip

test_what_cannot_be_drawn_is_refused_in_one_sentence = for_each_refusal({
    "no such label": (lambda: nb14.ForwardToLoss(*LOSS, 2, 0.84, 1000, 10), "place of one"),
})  # fmt: skip


def test_sentences_are_shown_with_their_classes() -> None:
    table = nb14.sorted_table(["a", "b"], ["one", "two"], torch.tensor([0, 1]), {"way": torch.tensor([1, 1])})
    assert table == {"new sentence": ["one", "two"], "class": ["a", "b"], "way": ["b", "b"]}


def test_ten_reviews_are_numbered() -> None:
    reviews = own.reviews("test")
    table = nb14.ten_reviews(reviews, [1] * len(reviews))
    assert table[""] == [*range(10)] and set(table["our MiniLM"]) == {"positive"}
