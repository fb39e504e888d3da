"""What others print of the subject of notebook 32, and what comes out when it is computed again."""

from lib.errata import Erratum

BERT_BASE, GHOST = 22.5, {"3/12": 5.8, "1/12": 2.0}  # billions of FLOPs, as the lecture's table has them


def _share_of_flops() -> str:
    shares = ", ".join(f"m = {m} has {flops / BERT_BASE:.1%}" for m, flops in GHOST.items())
    widths = f"{3 / 12:.0%} and {1 / 12:.1%}"
    return f"by the table under it {shares}; {widths} are 3/12 and 1/12, the width that is kept"


ERRATA = [
    Erratum(
        "With which share of BERT-base's FLOPs GhostBERT keeps 99.6% and 96.3% of its performance",
        "Liu, Huawei, 2021, slide 79",
        "with only 25% FLOPs (resp. 8%) of BERT-base",
        _share_of_flops,
        "base",
    ),
]
