"""How notebook 07 reads texts with a norm that is altered, and normalizes blocks with PyTorch's norms."""

from collections.abc import Sequence
from typing import Any

import torch
from torch import Tensor, nn

from lib.analysis.vectors import similarity
from lib.bert import BertModel, WordPieceTokenizer
from lib.bert.hooks import hooked


def nearest(model: BertModel, tokenizer: WordPieceTokenizer, query: str, sentences: Sequence[str]) -> str:
    """The sentence whose vector is nearest to the query's (00)."""
    vectors = similarity.embed(model, tokenizer, [query, *sentences])  # [1 + N, D]
    best = similarity.cosine(vectors[:1], vectors[1:])[0].argmax()
    return sentences[int(best)]


def input_sums(model: BertModel, tokenizer: WordPieceTokenizer, texts: Sequence[str]) -> Tensor:
    """Word, position and token type, added and not normalized: [B, T, D] (04)."""
    ids = tokenizer(list(texts))["input_ids"]  # [B, T], short ones filled up with [PAD]
    tables = model.embeddings
    places = torch.arange(ids.size(1))
    words = tables.word_embeddings(ids) + tables.position_embeddings(places)
    return words + tables.token_type_embeddings.weight[0]


def normalized(norm: nn.Module, hidden: Tensor) -> Tensor:
    """hidden [B, T, D], normalized. PyTorch's norms for images want the features as dimension 1."""
    if isinstance(norm, nn.LayerNorm):
        return norm(hidden)
    result: Tensor = norm(hidden.transpose(1, 2)).transpose(1, 2)
    return result


def mean_outputs(
    model: BertModel, tokenizer: WordPieceTokenizer, texts: Sequence[str], norms: Sequence[nn.Module]
) -> dict[nn.Module, Tensor]:
    """What each norm gives on average over all tokens: [D]."""
    seen: dict[nn.Module, list[Tensor]] = {norm: [] for norm in norms}

    def note(norm: nn.Module, inputs: Any, output: Tensor) -> None:
        seen[norm].append(output[0])

    with hooked(norms, after=note):
        for text in texts:
            model(tokenizer([text])["input_ids"])
    return {norm: torch.cat(outputs).mean(dim=0) for norm, outputs in seen.items()}


def vectors_and_largest(
    model: BertModel, tokenizer: WordPieceTokenizer, texts: Sequence[str]
) -> tuple[Tensor, float]:
    """The mean vectors of texts, [N, D], and the largest number in any hidden state."""
    vectors, largest = [], 0.0
    for text in texts:
        states = model(tokenizer([text])["input_ids"], output_hidden_states=True).hidden_states
        assert states is not None
        vectors.append(states[-1][0].mean(dim=0).detach())
        largest = max(largest, max(float(state.detach().abs().max()) for state in states))
    return torch.stack(vectors), largest


def before_the_norms(model: BertModel, ids: Tensor, norms: Sequence[nn.Module]) -> tuple[float, Tensor]:
    """What comes to the norms: the largest ratio of a token's mean to its spread, and the spreads [T] that
    reach the last norm of layer 1."""
    entering: list[Tensor] = []

    def note(norm: nn.Module, inputs: Any, output: Tensor) -> None:
        entering.append(inputs[0][0])  # [T, D]

    with hooked(norms, after=note):
        model(ids)
    entering = [x.detach() for x in entering]
    ratios = [float((x.mean(dim=-1).abs() / x.std(dim=-1)).max()) for x in entering]
    return max(ratios), entering[2].std(dim=-1)
