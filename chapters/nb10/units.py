"""What is hidden as a unit: single tokens, whole words, or spans of words."""

from typing import Any

import numpy as np

from lib.text import masking

UNITS = {
    "tokens": masking.Masking(),
    "whole words": masking.Masking(whole_words=True),
    "spans": masking.SpanMasking(),
}


def table(text: str, tokenizer: Any) -> dict[str, list[Any]]:
    """For each unit: the share chosen, the share behind [MASK], and how many are betrayed.

    A chosen token is betrayed by a neighbor in the same word that was not chosen.
    """
    ids = np.array(tokenizer.encode(text)[1:-1][: 32 * 128]).reshape(32, 128)  # no [CLS], [SEP]
    begins = np.array([not piece.startswith("##") for piece in tokenizer.vocab])[ids]
    columns: dict[str, list[Any]] = {"unit": [], "chosen of all": [], "[MASK] of all": [], "betrayed": []}
    for name, unit in UNITS.items():
        rng = np.random.default_rng(3)
        read, labels = masking.mask_pieces(
            ids, ids > 4, begins, unit, len(tokenizer), tokenizer.mask_token_id, rng
        )
        chosen = labels != masking.IGNORED
        parted = (chosen[:, 1:] != chosen[:, :-1]) & ~begins[:, 1:]  # between two tokens of one word
        beside = np.pad(parted, ((0, 0), (1, 0))) | np.pad(parted, ((0, 0), (0, 1)))
        columns["unit"].append(name)
        columns["chosen of all"].append(f"{chosen.mean():.1%}")
        columns["[MASK] of all"].append(f"{(read == tokenizer.mask_token_id).mean():.1%}")
        columns["betrayed"].append(int((chosen & beside).sum()))
    return columns
