"""What earlier notebooks built and this one uses: asking a model, and timing it."""

from collections.abc import Sequence

import torch
from torch import Tensor
from tqdm import tqdm

from lib.analysis.cost.timing import processor_seconds_of
from lib.bert import WordPieceTokenizer
from lib.bert.model import PreTrainedBert


@torch.no_grad()
def answers(model: PreTrainedBert, tokenizer: WordPieceTokenizer, texts: Sequence[str]) -> Tensor:
    """The logits [N, C] of a model for its texts, without dropout and without gradients (notebook 14).

    Texts of like length are asked together, because a batch is as long as its longest text (notebook 02).
    """
    model.eval()
    order = sorted(range(len(texts)), key=lambda place: len(texts[place]))
    found: list[Tensor] = [torch.empty(0)] * len(texts)
    for start in tqdm(range(0, len(order), 32)):
        places = order[start : start + 32]
        logits = model(**tokenizer([texts[place] for place in places])).logits
        for place, row in zip(places, logits, strict=True):
            found[place] = row
    return torch.stack(found)


@torch.no_grad()
def seconds(model: PreTrainedBert, tokenizer: WordPieceTokenizer, texts: Sequence[str]) -> float:
    """What a model takes for one batch of texts, after a first call to warm up (notebook 19)."""
    inputs = tokenizer(list(texts))
    model.eval()
    model(**inputs)
    return processor_seconds_of(lambda: model(**inputs))
