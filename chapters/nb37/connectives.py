"""Labels that nobody wrote: the word between two clauses, hidden, and a masked BERT that is asked for it."""

from __future__ import annotations

from collections.abc import Sequence

from lib.analysis.prediction import fill_mask
from lib.bert import BertForMaskedLM, WordPieceTokenizer


def guess_connectives(blanks: Sequence[str], words: Sequence[str]) -> list[str]:
    """Of the words, each one token, the one that the pocket BERT finds likeliest at each text's [MASK]."""
    model = BertForMaskedLM.from_pretrained("pocket").eval()
    tokenizer = WordPieceTokenizer.from_pretrained("pocket")
    ids = tokenizer.convert_tokens_to_ids(list(words))
    guesses = []
    for blank in blanks:
        log_probs = fill_mask.blank_log_probs(model, tokenizer, blank)[-1][0]  # [V]
        guesses.append(words[int(log_probs[ids].argmax())])
    return guesses
