"""Table 2 of Vaswani and others, 2017: BLEU, and the cost of training in FLOPs.

As in the version that arXiv gives today; where the first print has another score, it has a row of its own.
"""

from __future__ import annotations

from typing import NamedTuple


class Row(NamedTuple):
    """A system; None where the table has no number. The Transformers' costs stand for both languages."""

    model: str
    german: float | None  # BLEU, English to German
    french: float | None
    german_cost: float | None  # FLOPs
    french_cost: float | None
    kind: str  # "single", "ensemble" or "transformer"


ROWS = (
    Row("ByteNet", 23.75, None, None, None, "single"),
    Row("Deep-Att + PosUnk", None, 39.2, None, 1.0e20, "single"),
    Row("GNMT + RL", 24.6, 39.92, 2.3e19, 1.4e20, "single"),
    Row("ConvS2S", 25.16, 40.46, 9.6e18, 1.5e20, "single"),
    Row("MoE", 26.03, 40.56, 2.0e19, 1.2e20, "single"),
    Row("Deep-Att + PosUnk, ensemble", None, 40.4, None, 8.0e20, "ensemble"),
    Row("GNMT + RL, ensemble", 26.30, 41.16, 1.8e20, 1.1e21, "ensemble"),
    Row("ConvS2S, ensemble", 26.36, 41.29, 7.7e19, 1.2e21, "ensemble"),
    Row("Transformer, base", 27.3, 38.1, 3.3e18, 3.3e18, "transformer"),
    Row("Transformer, big", 28.4, 41.8, 2.3e19, 2.3e19, "transformer"),
    Row("Transformer, big, as first printed", None, 41.0, None, 2.3e19, "transformer"),
)


def best_older(language: str) -> Row:
    """The older row with the best score: the state of the art before the Transformer."""
    older = [row for row in ROWS if row.kind != "transformer"]
    return max(older, key=lambda row: _of(row, language)[0] or 0.0)


def above(row: Row, language: str) -> int:
    """How many older rows have a better score in this language."""
    ours, _ = _of(row, language)
    older = [_of(other, language)[0] for other in ROWS if other.kind != "transformer"]
    return sum(score is not None and ours is not None and score > ours for score in older)


def share_of_cost(row: Row, language: str) -> float:
    """Its cost, as a share of what the best older row cost."""
    _, ours = _of(row, language)
    _, theirs = _of(best_older(language), language)
    if ours is None or theirs is None:
        raise ValueError(f"The table has no cost of {row.model} for {language}: ask for a Transformer.")
    return ours / theirs


def _of(row: Row, language: str) -> tuple[float | None, float | None]:
    return (row.german, row.german_cost) if language == "German" else (row.french, row.french_cost)


def columns() -> dict[str, list[str]]:
    """The table as text, row by row."""
    written = {
        "model": [row.model for row in ROWS],
        "German, BLEU": [_number(row.german) for row in ROWS],
        "French, BLEU": [_number(row.french) for row in ROWS],
        "German, FLOPs": [_cost(row.german_cost) for row in ROWS],
        "French, FLOPs": [_cost(row.french_cost) for row in ROWS],
    }
    return written


def _number(value: float | None) -> str:
    return "" if value is None else f"{value}"


def _cost(value: float | None) -> str:
    return "" if value is None else f"{value:.1e}".replace("e+", "e")


def answers() -> dict[str, list[str]]:
    """For each Transformer and language its score and cost beside the best older row."""
    rows = [
        (row, language)
        for language in ("German", "French")
        for row in ROWS
        if row.kind == "transformer" and _of(row, language)[0] is not None
    ]
    return {
        "row": [f"{row.model}: {language}" for row, language in rows],
        "BLEU": [_number(_of(row, language)[0]) for row, language in rows],
        "best older BLEU": [_number(_of(best_older(language), language)[0]) for _, language in rows],
        "older rows above it": [str(above(row, language)) for row, language in rows],
        "cost, of the best older row's": [f"{share_of_cost(row, language):.1%}" for row, language in rows],
    }
