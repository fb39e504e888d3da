"""From scores and tags to spans: the words that answer a question, the names in a sentence."""

from __future__ import annotations

from collections.abc import Sequence

import torch
from torch import Tensor


def best_span(start_logits: Tensor, end_logits: Tensor, max_length: int) -> tuple[int, int]:
    """The first and the last place of the span that scores most: start ≤ end < start + max_length.

    A span's score is start_logits[start] + end_logits[end] (Devlin et al., 2019, section 4.2). Both are [T].
    Of equal spans any may be returned. ValueError where they differ in length, are empty, or nothing fits.
    """
    if start_logits.ndim != 1 or start_logits.shape != end_logits.shape or not len(start_logits):
        raise ValueError(
            f"Start and end have shapes {[*start_logits.shape]} and {[*end_logits.shape]}: give one row of "
            "numbers each, of the same length, at least 1."
        )
    if max_length < 1:
        raise ValueError(f"A span of at most {max_length} pieces holds nothing: give 1 or more.")
    scores = start_logits[:, None] + end_logits  # [T, T]: a row for each start, a column for each end
    is_span = torch.ones_like(scores).triu().tril(max_length - 1).bool()
    best = scores.masked_fill(~is_span, -torch.inf).argmax()
    start, end = divmod(int(best), len(scores))
    return start, end


def entity_spans(tags: Sequence[str]) -> list[tuple[str, int, int]]:
    """The entities that BIO tags mark, as (label, first, last) in their order; `last` is inside.

    B-person begins a person, I-person goes on with it, O is outside of all. An I- with nothing to go on with,
    at the beginning, after O or after another label, begins an entity (as conlleval, the script of Tjong Kim
    Sang and De Meulder, 2003, reads it). Raises ValueError for a tag that is none of these.
    """
    found: list[tuple[str, int, int]] = []
    for place, tag in enumerate(tags):
        if tag == "O":
            continue
        prefix, _, label = tag.partition("-")
        if prefix not in ("B", "I") or not label:
            raise ValueError(f"{tag!r} is no tag: give O, B- and a label, or I- and a label.")
        if prefix == "I" and found and found[-1][0] == label and found[-1][2] == place - 1:
            found[-1] = (label, found[-1][1], place)
        else:
            found.append((label, place, place))
    return found
