"""What a blank is filled from: its left, its right, or neither.

Context is hidden by the attention mask, so what stays keeps its places. The model was trained with whole
sentences only. Sizes in the comments: T pieces, N blanks, V pieces in the vocabulary, L layers, H heads.
"""

from collections.abc import Sequence
from typing import NamedTuple

import torch
from torch import Tensor

from lib.bert import BertForMaskedLM, WordPieceTokenizer
from lib.bert.batch import pad_batch

SIDES = ("both sides", "left alone", "right alone", "as many at random", "neither")
MARGIN = 4  # pieces that a blank has on either side, at least


class Blank(NamedTuple):
    """A text with one word behind [MASK]: its ids, the place of the blank, and the piece that stood there."""

    ids: list[int]
    place: int
    answer: int


def draw_blanks(tokenizer: WordPieceTokenizer, texts: Sequence[str], seed: int) -> list[Blank]:
    """One blank for each text that is long enough, at a random word of a single piece."""
    generator = torch.Generator().manual_seed(seed)
    blanks = []
    for text in texts:
        ids = tokenizer.encode(text)
        pieces = tokenizer.convert_ids_to_tokens(ids)
        inner = range(1 + MARGIN, len(ids) - 1 - MARGIN)
        places = [
            place for place in inner if pieces[place].isalpha() and not pieces[place + 1].startswith("##")
        ]
        if places:
            place = places[int(torch.randint(len(places), (), generator=generator))]
            hidden = [*ids[:place], tokenizer.mask_token_id, *ids[place + 1 :]]
            blanks.append(Blank(hidden, place, ids[place]))
    return blanks


def visible(blank: Blank, side: str, seed: int = 0) -> list[int]:
    """The attention mask that leaves one of `SIDES`, and [CLS], [SEP] and [MASK] in any case.

    "as many at random" leaves half of the words, wherever they stand: as many as a side has on average.
    """
    length, place = len(blank.ids), blank.place
    others = torch.tensor([at for at in range(1, length - 1) if at != place])
    order = torch.randperm(len(others), generator=torch.Generator().manual_seed(seed))
    by_side = {
        "both sides": others,
        "left alone": others[others < place],
        "right alone": others[others > place],
        "as many at random": others[order[: len(others) // 2]],
        "neither": others[:0],
    }
    if side not in by_side:
        raise ValueError(f"There is no side {side!r}: choose one of {', '.join(SIDES)}.")
    mask = torch.zeros(length, dtype=torch.long)
    mask[[0, place, length - 1]] = 1
    mask[by_side[side]] = 1
    return mask.tolist()


@torch.inference_mode()
def at_blanks(
    model: BertForMaskedLM, blanks: Sequence[Blank], masks: Sequence[list[int]], batch_size: int = 32
) -> Tensor:
    """The log-probability of every piece at every blank, seen through its mask: [N, V]."""
    log_probabilities = []
    for start in range(0, len(blanks), batch_size):
        some = blanks[start : start + batch_size]
        input_ids = pad_batch([blank.ids for blank in some], 0)[0]
        attention_mask = pad_batch(masks[start : start + batch_size], 0)[0]  # padding is 0 here as well
        states = model.bert(input_ids, attention_mask).last_hidden_state
        hidden = states[torch.arange(len(some)), [blank.place for blank in some]]  # [batch, D]
        log_probabilities.append(model.cls.predictions(hidden).log_softmax(-1))
    return torch.cat(log_probabilities)
