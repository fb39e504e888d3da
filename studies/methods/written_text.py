"""Text that nobody wrote: a masked LM asked again and again for hidden pieces (Wang and Cho, 2019).

Gibbs sampling: in each round some pieces of a text are hidden and drawn anew from what the masked LM says of
them, given all others. It begins with a text, of which less and less is left, or with nothing but [MASK]. The
paper hides one piece at a time. More at once is cheaper, but pieces that are hidden together do not know of
each other. Wang and Cho first held that this samples from a Markov random field that BERT defines, and took
that back: what is drawn is text all the same.

Sizes in the comments: B texts, T tokens, V pieces.
"""

from __future__ import annotations

from collections.abc import Sequence

import torch
from torch import Tensor

from lib.analysis.prediction.fill_mask import MaskedLM
from lib.bert import WordPieceTokenizer
from lib.bert.validation import validate_eval
from lib.text.masking import IGNORED
from lib.text.tasks import Row, TaskBatches
from lib.training.loop import Batch
from studies.methods.rewriting import free_places, with_gumbel_noise, with_pieces


def blanked(batch: Batch, tokenizer: WordPieceTokenizer) -> Batch:
    """The same batch with [MASK] in the place of every piece; lengths and special tokens stay."""
    free = free_places(batch, tokenizer)
    return {**batch, "input_ids": batch["input_ids"].masked_fill(free, tokenizer.mask_token_id)}


@torch.no_grad()
def gibbs_round(
    model: MaskedLM, tokenizer: WordPieceTokenizer, batch: Batch, free: Tensor, at_once: int = 1
) -> Batch:
    """The batch with `at_once` pieces of each text drawn anew, at places by lot; blanks come first.

    free: boolean [B, T], the places that may be written. A special token is never written.
    """
    ids = batch["input_ids"]
    blank = ids == tokenizer.mask_token_id
    order = torch.rand(ids.shape, device=ids.device) + blank + free  # a place that is not free is below 1
    chosen = torch.zeros_like(free).scatter(1, order.topk(min(at_once, ids.size(1)), dim=1).indices, True)
    chosen &= free
    hidden = with_pieces(batch, chosen, torch.full_like(ids[chosen], tokenizer.mask_token_id))
    states = model.bert(**hidden).last_hidden_state[chosen]
    logits = model.cls.predictions(states).float()  # [places, V]
    logits[:, tokenizer.all_special_ids] = -torch.inf
    return {**batch, **with_pieces(batch, chosen, with_gumbel_noise(logits).argmax(dim=-1))}


def write_texts(
    model: MaskedLM,
    tokenizer: WordPieceTokenizer,
    rows: Sequence[Row],
    rounds: int,
    at_once: int = 1,
    from_blanks: bool = False,
    seed: int = 0,
    batch_size: int = 64,
) -> list[Row]:
    """As many texts as rows, each as long as its row, after so many rounds, or until no blank is left.

    The masked LM reads the pieces of `tokenizer`, as the rows do. A text is what was drawn, piece by piece:
    written out and read again it might fall into other pieces.
    """
    validate_eval(model)
    inputs: list[Row] = [{name: row[name] for name in ("input_ids", "token_type_ids")} for row in rows]
    batches = TaskBatches(inputs, tokenizer.pad_token_id, batch_size, seed=None, group_by_length=True)
    texts: dict[int, Row] = {}
    with torch.random.fork_rng(devices=[]):
        torch.manual_seed(seed)
        for number in range(batches.size):
            batch = batches(number)
            free = free_places(batch, tokenizer)
            if from_blanks:
                batch = blanked(batch, tokenizer)
            done = 0
            while done < rounds or (batch["input_ids"][free] == tokenizer.mask_token_id).any():
                batch, done = gibbs_round(model, tokenizer, batch, free, at_once), done + 1
            for place, ids in zip(batches.places(number), batch["input_ids"].tolist(), strict=True):
                length = len(rows[place]["input_ids"])
                texts[place] = {**inputs[place], "input_ids": ids[:length], "labels": IGNORED}
    return [texts[place] for place in range(len(rows))]


def share_left(rows: Sequence[Row], written: Sequence[Row], tokenizer: WordPieceTokenizer) -> float:
    """Of all pieces that are no special tokens, the share that stands where it stood."""
    special = set(tokenizer.all_special_ids)
    pairs = [
        (before, after)
        for row, new in zip(rows, written, strict=True)
        for before, after in zip(row["input_ids"], new["input_ids"], strict=True)
        if before not in special
    ]
    return sum(before == after for before, after in pairs) / len(pairs)
