"""What others print of the subject of notebook 01, and what comes out when it is computed again."""

from lib.bert import WordPieceTokenizer
from lib.bert.vocabulary import not_merged
from lib.errata import Erratum


def _pieces_of_transformer() -> str:
    return ", ".join(WordPieceTokenizer.from_pretrained("minilm").tokenize("Transformer"))


def _pieces_that_no_merge_makes() -> str:
    pieces = not_merged(WordPieceTokenizer.from_pretrained("minilm").vocab)
    return f"{len(pieces):,} pieces of BERT's are no two others glued, {pieces[0]} and {pieces[1]} among them"


ERRATA = [
    Erratum(
        'The pieces of "Transformer" (here those of the uncased vocabulary)',
        "Wu, CU Boulder, 2020, slide 19",
        "T, ran, s, former",
        _pieces_of_transformer,
        "run",
    ),
    Erratum(
        "How BERT's vocabulary was learned",
        "Hugging Face course, 2022, as its best guess",
        "pair after pair is merged, the one with the largest pair / (first * second)",
        _pieces_that_no_merge_makes,
        "run",
    ),
]
