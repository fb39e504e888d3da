"""How notebook 07 reads texts with a norm that is altered, and normalizes blocks with PyTorch's norms."""

from collections.abc import Sequence
from typing import Any

import torch
from torch import Tensor, nn

from lib.analysis.vectors import similarity
from lib.bert import BertModel, WordPieceTokenizer, checkpoint
from lib.bert.hooks import hooked


def nearest(
    model: BertModel, tokenizer: WordPieceTokenizer, query: str, sentences: Sequence[str]
) -> tuple[str, float]:
    """The sentence whose vector is nearest to the query's (00), and the mean cosine of two sentences."""
    vectors = similarity.embed(model, tokenizer, [query, *sentences])  # [1 + N, D]
    best = similarity.cosine(vectors[:1], vectors[1:])[0].argmax()
    every = similarity.cosine(vectors[1:], vectors[1:])  # [N, N]
    others = every[~torch.eye(len(every), dtype=torch.bool)]  # not a sentence with itself
    return sentences[int(best)], float(others.mean())


def input_sums(
    model: BertModel, tokenizer: WordPieceTokenizer, texts: Sequence[str], padding: int = 0
) -> Tensor:
    """Word, position and token type, added and not normalized: [B, T, D] (04). `padding` adds [PAD]s."""
    ids = tokenizer(list(texts))["input_ids"]  # [B, T], short ones filled up with [PAD]
    ids = torch.cat([ids, torch.zeros(len(ids), padding, dtype=torch.long)], dim=1)  # [PAD] is number 0
    tables = model.embeddings
    places = torch.arange(ids.size(1))
    words = tables.word_embeddings(ids) + tables.position_embeddings(places)
    return words + tables.token_type_embeddings.weight[0]


def from_transformers(ids: Tensor) -> Tensor:
    """What the library `transformers` hands to MiniLM's first layer: [B, T, D]."""
    import transformers

    transformers.utils.logging.disable_progress_bar()
    folder = checkpoint.resolve_checkpoint("minilm")
    library = transformers.BertModel.from_pretrained(folder, dtype=torch.float32).eval()
    with torch.no_grad():
        result: Tensor = library.embeddings(ids)
    return result


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
