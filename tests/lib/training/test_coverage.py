"""What of a task's texts a model will not read: counted, and said from some share on."""

from __future__ import annotations

from typing import Any

import pytest

from lib.bert import WordPieceTokenizer
from lib.text.tasks import Answer, ChoiceExample, QuestionExample, TaggedSentence, TextExample, own
from lib.training.coverage import coverage

FOREIGN = "as one of another language or of few pieces does"


@pytest.fixture(scope="module")
def tokenizer() -> WordPieceTokenizer:
    return WordPieceTokenizer.from_pretrained("minilm")


def remarks(texts: list[str], tokenizer: WordPieceTokenizer) -> str:
    examples = [TextExample(text, None, 0) for text in texts]
    return "\n".join(coverage(examples, tokenizer).remarks(max_length=128, positions=512))


@pytest.mark.parametrize(
    ("texts", "said"),
    [
        (["word " * 600 + "bad"] * 40, "cut off after 128 pieces, 40 of 40 here; the longest has 603, and"),
        (["ሰላም ነው"] * 40, "lacks 100.0% of the words, in 40 of 40 texts; ... [UNK]: 'ሰላም' (40), 'ነው' (40)."),
        (["ሰላም ነው"], f"of the words into pieces and lacks the letters of 100%, {FOREIGN}"),
        (["ขอบคุณสำหรับการจัดส่งที่รวดเร็ว"], f"of the words into pieces and lacks the letters of 100%, {FOREIGN}"),
        (["感谢快速发货，我很满意。"], FOREIGN),
        (["빠른 배송 감사합니다, 매우 만족합니다."], FOREIGN),
        (["ऑर्डर दो हफ्ते देर से आया और कोई जवाब नहीं"], FOREIGN),
        (["It is here 😡", "It is here 🙂"], "25.0% of the words, in 2 of 2 texts; ... '😡' (1), '🙂' (1)."),
        (["Die Größe fällt kleiner aus, deshalb möchte ich das Kleid umtauschen."], FOREIGN),
        # siblings
        (["Спасибо за быструю доставку, я очень доволен."], FOREIGN),
        (["word " * 150] * 9 + ["word"], "9 of 10 here; the longest has 152"),
        (["a"] * 97 + ["a ☃"] * 3, "lacks 2.9% of the words, in 3 of 100 texts; ... '☃' (3)."),
        ([f"a {'ሰ' * 101}"], "[UNK]: 'ሰሰሰ"),
    ],
)
def test_what_is_not_read_is_said(texts: list[str], said: str, tokenizer: WordPieceTokenizer) -> None:
    found = remarks(texts, tokenizer)
    assert all(part in found for part in said.split(" ... "))
    assert all(len(line) < 400 and line.endswith(".") for line in found.split("\n"))


@pytest.mark.parametrize(
    "texts",
    [
        [example.first for example in own.headlines("test")],
        ["omg this phone is sooo good lol", "stuck in traffic again smh", "luv u guys thx 4 everything"],
        ["word " * 126] * 9,
        ["a b"] * 99 + ["a ☃"],
    ],
)
def test_of_english_that_fits_nothing_is_said(texts: list[str], tokenizer: WordPieceTokenizer) -> None:
    assert not remarks(texts, tokenizer)


@pytest.mark.parametrize(
    ("example", "lengths"),
    [
        (TextExample("a dog", "a cat sleeps", 1), [8]),
        (TaggedSentence(["a", "dog"], ["O", "O"]), [4]),
        (ChoiceExample("it is", ("red", "a red dog"), 0), [6, 8]),
        (QuestionExample("q", "which?", "a red dog", (Answer("red", 2),)), []),
    ],
)
def test_each_kind_of_example_is_counted(
    example: Any, lengths: list[int], tokenizer: WordPieceTokenizer
) -> None:
    found = coverage([example, example], tokenizer)
    assert found.lengths == lengths * 2 and found.texts == max(len(lengths), 1) * 2
    assert not found.remarks(max(lengths, default=8), 512)
