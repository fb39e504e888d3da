"""What others print of the subject of notebook 39, and what comes out when it is computed again."""

from lib.errata import Erratum

BERT_BASE, TINY = 79.5, 77.0  # mean scores on GLUE, from the table one page before


def parameters(layers: int, size: int, inner: int) -> int:
    """A BERT's parameters: tables of 30,522 pieces, 512 positions and 2 token types, layers, a pooler."""
    tables = (30_522 + 512 + 2) * size + 2 * size
    attention = 4 * (size * size + size) + 2 * size
    feed_forward = size * inner + inner + inner * size + size + 2 * size
    return tables + layers * (attention + feed_forward) + size * size + size


def _ratio() -> str:
    base, tiny = parameters(12, 768, 3072), parameters(4, 312, 1200)
    return f"{base / 1e6:.1f} by {tiny / 1e6:.1f} million is {base / tiny:.1f}; the paper says 7.5 times"


def _lower() -> str:
    lost = BERT_BASE - TINY
    return f"{BERT_BASE} - {TINY} = {lost:.1f} points, which are {100 * lost / BERT_BASE:.1f}% of {BERT_BASE}"


ERRATA = [
    Erratum(
        "How many parameters TinyBERT of four layers has, for a voice assistant on a phone",
        "Liu, Huawei, 2021, slide 17",
        "1/7 of BERT-base's",
        _ratio,
        "run",
    ),
    Erratum(
        "How much lower its mean score on GLUE is",
        "Liu, Huawei, 2021, slide 17",
        "2.5% on average",
        _lower,
        "unit",
    ),
]
