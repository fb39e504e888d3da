"""What others print of the subject of notebook 02, and what comes out when it is computed again."""

from lib.bert import WordPieceTokenizer
from lib.errata import Erratum
from lib.text import reader


def _words_and_places() -> str:
    tokenizer = WordPieceTokenizer.from_pretrained("minilm")
    texts = [" ".join(paragraphs) for paragraphs in reader()]
    short = [text for text in texts if len(text.split()) <= 510]
    fitting = [text for text in short if len(tokenizer.encode(text)) <= 512]
    words = sum(len(text.split()) for text in texts)
    tokens = sum(len(tokenizer.tokenize(text)) for text in texts)
    return (
        f"{len(short)} of the {len(texts)} texts in data/reader have at most 510 words, and {len(fitting)} of"
        f" these fit with [CLS] and [SEP]: it is tokens that count, {tokens / words:.2f} to a word"
    )


ERRATA = [
    Erratum(
        "What the limit of 512 (max_position_embeddings) counts",
        "Shinnou, ROCLING 2020, slide 24",
        "the number of words in a sentence",
        _words_and_places,
        "unit",
    ),
]
