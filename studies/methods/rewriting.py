"""Texts with some of their pieces replaced on the way to a student: by a masked LM, or by lot.

A rewriter makes another batch of a batch. Which pieces it chooses and what it puts there is drawn from
torch's generator, which the loop seeds for each batch, so that a run can be repeated.

Sizes in the comments: B texts, T tokens, N tokens that are chosen, V pieces.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import torch
from torch import Tensor

from lib.analysis.prediction.fill_mask import MaskedLM
from lib.bert import WordPieceTokenizer
from lib.compression.distillation.knowledge import INPUTS, real_tokens
from lib.training.loop import Batch

#: makes the texts of another batch from those of a batch; answers and labels are not carried over
Rewrite = Callable[[Batch], Batch]


@dataclass(frozen=True)
class MaskedLMRewriter:
    """Chosen pieces, each a [MASK], are drawn anew from what a masked LM says of them (MATE-KD).

    share: how likely each piece is to be chosen; special tokens and padding never are.
    """

    generator: MaskedLM
    tokenizer: WordPieceTokenizer
    share: float = 0.3

    def choose(self, batch: Batch) -> Tensor:
        """Boolean [B, T]: which pieces are written anew."""
        return choose(batch, self.tokenizer, self.share)

    def guesses(self, batch: Batch, chosen: Tensor) -> Tensor:
        """The generator's logits at the chosen places, [N, V], all of them hidden at once."""
        inputs = {name: batch[name] for name in INPUTS if name in batch}
        inputs["input_ids"] = batch["input_ids"].masked_fill(chosen, self.tokenizer.mask_token_id)
        states = self.generator.bert(**inputs).last_hidden_state[chosen]  # [N, D]
        logits: Tensor = self.generator.cls.predictions(states)
        return logits.float()

    @torch.no_grad()
    def __call__(self, batch: Batch) -> Batch:
        chosen = self.choose(batch)
        drawn = with_gumbel_noise(self.guesses(batch, chosen)).argmax(dim=-1)
        return with_pieces(batch, chosen, drawn)


@dataclass(frozen=True)
class RandomRewriter:
    """Chosen pieces give way to any pieces of the vocabulary: what a masked LM is to be compared with."""

    tokenizer: WordPieceTokenizer
    share: float = 0.3

    def __call__(self, batch: Batch) -> Batch:
        chosen = choose(batch, self.tokenizer, self.share)
        special = torch.tensor(self.tokenizer.all_special_ids)
        pieces = torch.arange(len(self.tokenizer.vocab))
        pieces = pieces[~torch.isin(pieces, special)].to(chosen.device)
        drawn = pieces[torch.randint(len(pieces), (int(chosen.sum()),)).to(chosen.device)]
        return with_pieces(batch, chosen, drawn)


def choose(batch: Batch, tokenizer: WordPieceTokenizer, share: float) -> Tensor:
    """Boolean [B, T]: each piece with probability `share`, special tokens and padding never."""
    if not 0 <= share <= 1:
        raise ValueError(f"A share of {share} of the pieces: give a number from 0 to 1.")
    return free_places(batch, tokenizer) & (torch.rand(batch["input_ids"].shape) < share)


def free_places(batch: Batch, tokenizer: WordPieceTokenizer) -> Tensor:
    """Boolean [B, T]: neither padding nor a special token."""
    ids = batch["input_ids"]
    special = torch.tensor(tokenizer.all_special_ids, device=ids.device)
    return real_tokens(batch) & ~torch.isin(ids, special)


def with_gumbel_noise(logits: Tensor) -> Tensor:
    """Logits [..., V] plus noise, of which the largest is a draw from their softmax (the Gumbel trick)."""
    return logits - torch.empty_like(logits).exponential_().log()


def with_pieces(batch: Batch, chosen: Tensor, pieces: Tensor) -> Batch:
    """The texts of a batch with other pieces [N] at the chosen places, without answers and labels.

    chosen: boolean [B, T], of which N are true.
    """
    inputs = {name: batch[name] for name in INPUTS if name in batch}
    return {**inputs, "input_ids": batch["input_ids"].masked_scatter(chosen, pieces)}
