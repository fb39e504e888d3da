"""The drawings of notebook 21."""

from pictures import for_each_example, for_each_refusal

from chapters.nb21 import drawings as nb21

FIVE = [
    nb21.Transfer(1, "fine-tuning"),
    nb21.Transfer(2, "distilling on plain text", "DistilBERT"),
    nb21.Transfer(3, "fine-tuning"),
    nb21.Transfer(4, "copying layers"),
    nb21.Transfer(5, "distilling on the task", "PKD"),
]

test_a_drawing_says_what_it_shows = for_each_example({
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
