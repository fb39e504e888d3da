"""The drawings, tables and helpers of notebook 21."""

import pytest
import torch
from pictures import for_each_example, for_each_refusal

from chapters.nb21 import drawings as nb21
from chapters.nb21 import earlier
from lib import records
from lib.bert import BertConfig, BertForSequenceClassification, WordPieceTokenizer
from lib.records.table import Table

FIVE = [
    nb21.Transfer(1, "fine-tuning"),
    nb21.Transfer(2, "distilling on plain text", "DistilBERT"),
    nb21.Transfer(3, "fine-tuning"),
    nb21.Transfer(4, "copying layers"),
    nb21.Transfer(5, "distilling on the task", "PKD"),
]


def record() -> Table:
    """What the notebook shows of its students."""
    return records.table("distilled_answers")


test_a_drawing_says_what_it_shows = for_each_example({
    "a category just now and in the record": (
        lambda: nb21.draw_found("odd news", 0.15, 0.54, record()),
        ["Odd news: 15% right after hard answers, 54% after soft.",
         "odd news, just now 15 after hard answers and 54 after soft ones;", "At random: 11."],
        ["odd news, just now", "sports, recorded", "phones, recorded"],
    ),
    "further texts and softness": (
        lambda: nb21.draw_further_texts(record()),
        ["Further texts bring 15 points, softness 1 (not resolved).",
         "a count of words, taught: right, % 67.7"],
        ["3,090 texts, soft answers (T = 2)", "a bag of word vectors, taught"],
    ),
    "five transfers": (
        lambda: nb21.draw_transfers(FIVE, 5, "A title"),
        ["1, large to large, from English to the task: fine-tuning;",
         "2, large to small, from English to English: distilling on plain text (DistilBERT)",
         "5, large to small, from the task to the task: distilling on the task (PKD)."],
        ["A title", "large model", "knows the task", "1  fine-tuning", "5  distilling on the task\nPKD"],
    ),
})  # fmt: skip

test_what_cannot_be_drawn_is_refused_in_one_sentence = for_each_refusal({
    "four": (lambda: nb21.draw_transfers(FIVE[:4], 1, ""), "each of 1 to 5 once"),
    "one twice": (lambda: nb21.draw_transfers([*FIVE[:4], FIVE[0]], 1, ""), "each of 1 to 5 once"),
    "no sixth": (lambda: nb21.draw_transfers(FIVE, 6, ""), "each of 1 to 5 once"),
})  # fmt: skip


def test_the_transfer_of_the_page_is_bold() -> None:
    texts = nb21.draw_transfers(FIVE, 5, "A title")[0].axes[0].texts
    weights = {text.get_text()[0]: text.get_fontweight() for text in texts if text.get_text()[:1].isdigit()}
    assert weights == {"1": "normal", "2": "normal", "3": "normal", "4": "normal", "5": "bold"}


def test_two_students_stand_beside_their_teacher_and_a_count_of_words() -> None:
    columns, caption = nb21.two_students(record(), {"student": 6.53, "teacher": 90.9}, {"1 text": 0.112})
    assert columns["right, %"] == ["52.9", "49.8", "65.4", "80.7"]
    assert columns["MB"] == ["-", "6.5", "6.5", "90.9"]
    assert columns["time, 1 text"] == ["-", "11%", "11%", "100%"] and "3 seeds" in caption


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
    assert nb21.found_in_record(record()).startswith("sports +36 (resolved), movies +32 (resolved), phones")
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
