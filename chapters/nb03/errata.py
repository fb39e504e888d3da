"""What others print of the subject of notebook 03, and what comes out when it is computed again."""

from lib.errata import Erratum
from lib.text import vectors


def _closest_to_queen() -> str:
    word_vectors = vectors()
    order = [
        word
        for word, _ in word_vectors.nearest(
            word_vectors.analogy("man", "king", "woman"), len(word_vectors.words)
        )
    ]
    allowed = [word for word in order if word not in ("man", "king", "woman")]
    return (
        f"in our vectors {order[0]} is closest and queen number {order.index('queen') + 1}; number"
        f" {allowed.index('queen') + 1} where king, man and woman are no answers"
    )


ERRATA = [
    Erratum(
        "The word closest to king - man + woman",
        "Mikolov and others, 2013, section 1.1; section 4 says that they discard the words of the question",
        "queen",
        _closest_to_queen,
        "rows",
    ),
]
