"""Comparing texts by meaning: one vector a text, and the angle between two vectors."""

from collections.abc import Sequence

import torch
from torch import Tensor

from lib.bert import BertModel, WordPieceTokenizer
from lib.bert.validation import validate_eval


def mean_pool(hidden: Tensor, attention_mask: Tensor) -> Tensor:
    """The average vector of each text's own tokens (Reimers and Gurevych, 2019, section 3).

    hidden [B, T, D], attention_mask [B, T] with 1 for a token and 0 for padding; returns [B, D].
    """
    mask = attention_mask.unsqueeze(-1).to(hidden.dtype)  # [B, T, 1]
    return (hidden * mask).sum(dim=1) / mask.sum(dim=1)


def cosine(one: Tensor, other: Tensor) -> Tensor:
    """The cosine of the angle between every row of `one` [N, D] and of `other` [M, D]: [N, M]."""
    one = one / one.norm(dim=-1, keepdim=True)
    other = other / other.norm(dim=-1, keepdim=True)
    return one @ other.T


def sense_margins(vectors: Tensor, senses: Tensor) -> Tensor:
    """How much nearer each vector is to the others of its own sense than to the other sense.

    vectors [N, D] of one word in N sentences, senses [N] boolean. Compared are the cosines with the
    average of either side, the vector itself left out; returns their difference [N], above 0 where
    the nearest average is that of the own sense.
    """
    margins = []
    for number, (vector, sense) in enumerate(zip(vectors, senses, strict=True)):
        others = torch.arange(len(vectors)) != number
        centers = [vectors[others & (senses == side)].mean(dim=0) for side in (sense, ~sense)]  # 2 of [D]
        own, other = cosine(vector[None], torch.stack(centers))[0]
        margins.append(own - other)
    return torch.stack(margins)


def embed(
    model: BertModel, tokenizer: WordPieceTokenizer, texts: Sequence[str], batch_size: int = 32
) -> Tensor:
    """One vector a text, [N, D]: the mean of the last hidden states, computed without gradients.

    What a text has beyond the model's number of positions is cut off.
    """
    if isinstance(texts, str) or not texts:
        raise ValueError("texts has to be a list of at least one text: write [text] for a single one.")
    validate_eval(model, tokenizer)
    model = getattr(model, "bert", model)  # a head has nothing to say here
    longest = model.config.max_position_embeddings
    vectors = []
    with torch.inference_mode():
        for start in range(0, len(texts), batch_size):
            batch = tokenizer(list(texts[start : start + batch_size]), max_length=longest)
            hidden = model(**batch).last_hidden_state  # [B, T, D]
            vectors.append(mean_pool(hidden, batch["attention_mask"]))
    return torch.cat(vectors)
