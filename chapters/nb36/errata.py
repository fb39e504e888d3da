"""What others print of the subject of notebook 36, and what comes out when it is computed again."""

from chapters.nb36.costs import ROWS, above
from lib.errata import Erratum
from lib.text.spanish import pairs


def _caption() -> str:
    base = next(row for row in ROWS if row.model == "Transformer, base")
    rows = above(base, "French")
    return f"the base model has {base.french} from English to French, and {rows} rows have more"


def _same_text() -> str:
    found = pairs(2000, 0)
    same = sum(pair.english == pair.spanish for pair in found)
    return f"of {len(found):,} pairs {same} have a target that equals the source"


def _french() -> str:
    today, first = (row.french for row in ROWS if "big" in row.model)
    return (
        f"the version that arXiv gives today has {today} in table 2 and in the abstract, and {first} in"
        " section 6.1"
    )


ERRATA = [
    Erratum(
        "Which scores are better, at which cost",
        "Vaswani and others, 2017, caption of table 2; so shown at Johns Hopkins, 2022, slide 46",
        "better BLEU scores than previous state-of-the-art models [...] at a fraction of the training cost",
        _caption,
        "rows",
    ),
    Erratum(
        "What an encoder-decoder is trained to write",
        "Johns Hopkins, 2022, slide 4",
        "An instance of Auto-Encoder [...] inverse mapping for reconstruction",
        _same_text,
    ),
    Erratum(
        "BLEU of the big Transformer, English to French",
        "Vaswani and others, 2017, table 2 as first printed; so shown at Johns Hopkins, 2022, slide 46",
        "41.0",
        _french,
    ),
]
