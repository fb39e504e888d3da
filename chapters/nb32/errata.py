"""What others print of the subject of notebook 32, and what comes out when it is computed again."""

from dataclasses import replace

from lib.compression.designs.super_network import Design
from lib.errata import Erratum

BERT_BASE = Design(layers=12, hidden_size=768, neurons=3072, heads=12, head_size=64)


def _smallest_ghostbert() -> str:
    small = replace(BERT_BASE, heads=1, neurons=3072 // 12)
    layers = small.multiply_adds(128) / BERT_BASE.multiply_adds(128)
    return (
        f"of the printed FLOPs, 2.0 of 22.5 billion, {2.0 / 22.5:.1%}; of the multiplications in the layers"
        f" {layers:.1%}, the share of heads and neurons"
    )


ERRATA = [
    Erratum(
        "What GhostBERT with one head of twelve computes, beside BERT-base",
        "Liu, Huawei, 2021",
        "8% of the FLOPs",
        _smallest_ghostbert,
    ),
]
