"""What others print of the subject of notebook 05, and what comes out when it is computed again."""

import torch

from lib.errata import Erratum


def _sums_of_rows() -> str:
    rows = [0.12, 0.54, 0.43, 0.02], [0.08, 0.61, 0.87, 0.52]
    return " and ".join(f"{sum(row):.2f}" for row in rows) + ": no softmax gives such rows"


def _largest_weight_undivided() -> str:
    torch.manual_seed(0)
    scores = (torch.randn(2000, 6, 64) @ torch.randn(2000, 64, 1)).squeeze(-1)  # [2000, 6]
    undivided, divided = (float(s.softmax(dim=-1).amax(dim=-1).median()) for s in (scores, scores / 64**0.5))
    return (
        f"with 64 random features the largest of six weights is typically {undivided:.2f};"
        f" divided by the root of d, as in BERT, {divided:.2f}"
    )


ERRATA = [
    Erratum(
        'Two rows of attention weights for "I love this class"',
        "Johns Hopkins, 2022, slide 44",
        "0.12 0.54 0.43 0.02 and 0.08 0.61 0.87 0.52",
        _sums_of_rows,
        "run",
    ),
    Erratum(
        "Self-attention of the word vectors X, as a formula",
        "Shinnou, ROCLING 2020, slide 10",
        "softmax(XW_q (XW_k)^T) XW_V",
        _largest_weight_undivided,
        "run",
    ),
]
