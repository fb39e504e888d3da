"""The schematic of the five transfers: what is drawn, said and refused."""

import pytest

from chapters.nb21 import drawings
from lib import figures

FIVE = [
    drawings.Transfer(1, "fine-tuning"),
    drawings.Transfer(2, "distilling on plain text", "DistilBERT"),
    drawings.Transfer(3, "fine-tuning"),
    drawings.Transfer(4, "copying layers"),
    drawings.Transfer(5, "distilling on the task", "PKD"),
]


def test_every_transfer_stands_in_the_picture() -> None:
    figure = drawings.draw_transfers(FIVE, 5, "A title")[0]
    written = [text.get_text() for text in figure.axes[0].texts]
    assert written.count("large model") == written.count("small model") == 2
    assert written.count("knows English") == written.count("knows the task") == 2
    assert {"A title", "1  fine-tuning", "5  distilling on the task\nPKD"} <= set(written)
    assert figures.png(figure)


def test_the_one_of_the_page_is_bold() -> None:
    texts = drawings.draw_transfers(FIVE, 5, "A title")[0].axes[0].texts
    weights = {t.get_text()[0]: t.get_fontweight() for t in texts if t.get_text()[:1].isdigit()}
    assert weights == {"1": "normal", "2": "normal", "3": "normal", "4": "normal", "5": "bold"}


def test_the_words_say_where_each_arrow_goes() -> None:
    said = drawings.draw_transfers(FIVE, 5, "a title")[1]
    assert "1, large to large, from English to the task: fine-tuning;" in said
    assert "2, large to small, from English to English: distilling on plain text (DistilBERT)" in said
    assert "5, large to small, from the task to the task: distilling on the task (PKD)." in said


@pytest.mark.parametrize(("transfers", "shown"), [(FIVE[:4], 1), ([*FIVE[:4], FIVE[0]], 1), (FIVE, 6)])
def test_what_is_not_the_five_is_refused(transfers: list[drawings.Transfer], shown: int) -> None:
    with pytest.raises(ValueError, match="each of 1 to 5 once"):
        drawings.draw_transfers(transfers, shown, "a title")
