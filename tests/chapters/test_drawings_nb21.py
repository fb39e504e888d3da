"""The drawings, tables and helpers of notebook 21."""

import pytest
import torch
from pictures import for_each_example

from chapters.nb21 import drawings as nb21
from chapters.nb21 import earlier
from lib import records
from lib.bert import BertConfig, BertForSequenceClassification, WordPieceTokenizer
from lib.records.table import Table


def record() -> Table:
    """What the notebook shows of its students."""
    return records.table("distilled_answers")


test_a_drawing_says_what_it_shows = for_each_example({
    "a category that was never named": (
        lambda: nb21.draw_found("odd news", {"hard answers": 0.15, "soft, T = 4": 0.54}),
        ["How much is found of odd news, never named.", "hard answers 15; soft, T = 4 54.", "At random: 11."],
        ["hard answers", "soft, T = 4"],
    ),
    "further texts and softness": (
        lambda: nb21.draw_further_texts(record()),
        ["Further texts bring 15 points, softness 3 (T = 1).",
         "a count of words: right, % 67.7"],
        ["D: 3,090 texts, soft answers, T = 4", "rival: a bag of word vectors"],
    ),
    "one step": (
        nb21.draw_step,
        ["the teacher, which learns nothing", "goes back to the student alone"],
        ["teacher", "student", "loss", "the gradient changes the student alone"],
    ),
})  # fmt: skip


def test_two_students_stand_beside_their_teacher_and_a_count_of_words() -> None:
    student, teacher = torch.nn.Linear(10, 100_000), torch.nn.Linear(99, 100_000)
    columns, caption = nb21.two_students(record(), student, teacher, 0.112)
    assert columns["right, %"] == ["52.9", "49.8", "67.0", "80.7"]
    assert columns["MB"] == ["0.6", "4.4", "4.4", "40.0"]
    assert columns["time for one text"] == ["4%", "11%", "11%", "100%"] and "3 seeds" in caption


def test_three_layers_have_two_controls_and_their_teacher() -> None:
    columns, _ = nb21.three_layers(record())
    assert columns["right, %"] == ["71.4", "80.3", "81.6", "80.7"]


def test_the_rivals_are_the_bags_of_notebook_33() -> None:
    assert [(dot.name, round(dot.accuracy, 1)) for dot in nb21.rivals()] == [
        ("bags in 360 kB", 77.3),
        ("bags in 100 kB", 76.1),
    ]


def test_two_guesses_are_the_most_probable_ones() -> None:
    logits = torch.tensor([[0.0, 2.0, 1.0], [3.0, 0.0, 0.0]])
    columns, _ = nb21.two_guesses(["a", "b"], logits, [2, 0], ["x", "y", "z"])
    assert columns["label"] == ["z", "x"]
    assert columns["first guess"] == ["y 0.67", "x 0.91"] and columns["second guess"][0] == "z 0.24"


def test_the_usual_confusion_leaves_its_own_text_out() -> None:
    first = torch.tensor([0, 0, 0, 1, 2])
    true = torch.tensor([1, 1, 2, 0, 2])
    # each of the two 1s is found by the other, or by luck of order; the 2 and the lonely 0 are not
    assert nb21.usual_confusion(first, true) == pytest.approx(2 / 4)


def test_numbers_of_the_record() -> None:
    assert nb21.percent(record(), "cut, labels") == "80.3"
    assert nb21.gain(record(), "cut, labels", "cut, answers on unlabeled") == "+1.2 points, resolved"
    found = nb21.found_in_record(record()).splitlines()
    assert found[0] == "sports: 22% after hard answers, 58% after soft (resolved)"
    assert found[2].startswith("phones") and found[2].endswith("(not resolved)")
    gains = nb21.gains_of_softness(record(), (1, 2)).splitlines()
    assert gains == ["T = 1: +2.6 points, resolved", "T = 2: +1.1 points, not resolved"]
    columns, _ = nb21.three_losses(record())
    assert columns["perplexity"][0].startswith("23.3 (")


def test_answers_come_in_the_order_of_the_texts() -> None:
    torch.manual_seed(0)
    tokenizer = WordPieceTokenizer.from_pretrained("pocket")
    names = {0: "x", 1: "y", 2: "z"}
    config = BertConfig(
        vocab_size=len(tokenizer), hidden_size=24, num_hidden_layers=1, intermediate_size=24, id2label=names
    )
    model = BertForSequenceClassification(config)
    texts = ["a longer text than the others", "a text", "one"]
    together = earlier.answers(model, tokenizer, texts)
    alone = torch.cat([earlier.answers(model, tokenizer, [text]) for text in texts])
    torch.testing.assert_close(together, alone, atol=1e-5, rtol=1e-4)
    assert earlier.seconds(model, tokenizer, texts) > 0
