"""Two texts of the reader's that share a word."""

from collections.abc import Sequence

from lib.bert import WordPieceTokenizer


def place_of(word: str, texts: Sequence[str], tokenizer: WordPieceTokenizer) -> int:
    """Where a word stands in both texts, [CLS] counted as place 0.

    Raises ValueError if it is not one piece, or stands at another place in one of them.
    """
    if len(texts) != 2:
        raise ValueError(f"Give two texts that share a word, not {len(texts)}.")
    places = []
    for text in texts:
        pieces = tokenizer.tokenize(text)
        if word not in pieces:
            raise ValueError(f"“{word}” is none of the pieces {' '.join(pieces)}: choose one of these.")
        places.append(1 + pieces.index(word))
    if places[0] != places[1]:
        raise ValueError(
            f"“{word}” is piece {places[0]} of your first text and piece {places[1]} of the second, so its"
            " position would differ as well: let both begin with the same words."
        )
    return places[0]
