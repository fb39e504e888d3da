"""What others print of the subject of notebook 10, and what comes out when it is computed again."""

import numpy as np

from lib.bert import WordPieceTokenizer
from lib.errata import Erratum
from lib.text.masking import Masking, mask_pieces


def _shares_chosen() -> str:
    ids = np.arange(100 * 100).reshape(100, 100)
    every = np.ones_like(ids, dtype=bool)
    mixes = [(0.8, 0.1), (1.0, 0.0), (0.8, 0.2), (0.8, 0.0), (0.0, 0.8), (0.0, 1.0)]  # [MASK], another
    chosen = [
        (mask_pieces(ids, every, every, Masking(0.15, *mix), ids.size, 4, np.random.default_rng(0))[1] >= 0)
        for mix in mixes
    ]
    rates = ", ".join(f"{flags.mean():.0%}" for flags in chosen)
    return f"chosen in its six rows: {rates}; what varies is what the chosen are replaced by"


def _pieces_of_numbered_masks() -> str:
    tokenizer = WordPieceTokenizer.from_pretrained("minilm")
    numbered, plain = (tokenizer.tokenize(text) for text in ("[Mask1]", "[MASK]"))
    return f"BERT reads {' '.join(numbered)}, tokens of plain text; its one mark is {' '.join(plain)}"


ERRATA = [
    Erratum(
        "What the table of replacement mixes varies",
        "Devlin and others, 2019, table 8; so shown at Johns Hopkins, 2022, slide 23",
        "Masking Rates",
        _shares_chosen,
    ),
    Erratum(
        "How the blanks are marked in a text with two of them",
        "Johns Hopkins, 2022, slide 8",
        "[Mask1], [Mask2]",
        _pieces_of_numbered_masks,
        "run",
    ),
]
