"""The shapes of attention maps (Kovaleva et al., 2019, section 4.1), and where attention rests.

Kovaleva and others sorted 400 maps by hand into five patterns and trained a small network to sort the rest.
Ours is a rule on three shares of a map. Sizes in the comments: L layers, H heads, T pieces, K head size,
D features.
"""

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import torch
from torch import Tensor

from lib.bert import BertModel, WordPieceTokenizer
from lib.bert.attention import split_heads

PATTERNS = ("vertical", "diagonal", "vertical + diagonal", "block", "heterogeneous")
STRIPES = 2  # columns; a pair of texts has one [CLS] and two [SEP]
MOST, SOME, OWN = 0.5, 0.25, 0.75  # the thresholds of the rule


def diagonal_share(weights: Tensor) -> Tensor:
    """What a token gives to itself and to its two neighbors, on average: [..., T, T] to [...]."""
    places = torch.arange(weights.size(-1))
    near = (places[:, None] - places).abs() <= 1  # [T, T]
    return (weights * near).sum(dim=(-2, -1)) / len(places)


def shares(
    weights: Tensor, token_type_ids: Tensor, band: Callable[[Tensor], Tensor] = diagonal_share
) -> Tensor:
    """Three shares of every map: weights [..., T, T] of a pair of texts, token_type_ids [T], to [..., 3].

    vertical: on the two columns that get most. diagonal: elsewhere, on the token itself and its neighbors.
    own: of what is left after these two, on tokens of the same text; 1 where nothing is left.
    band: the function that measures the diagonal, `diagonal_share` or the reader's.
    """
    columns = weights.mean(dim=-2)  # [..., T]: what each token gets
    stripe = torch.zeros_like(columns).scatter(-1, columns.topk(STRIPES).indices, 1.0)  # [..., T]
    vertical = (columns * stripe).sum(-1)
    off = weights * (1 - stripe[..., None, :])  # [..., T, T]: without the stripes
    diagonal = band(off)
    rest = 1 - vertical - diagonal
    same = token_type_ids[:, None] == token_type_ids  # [T, T]
    across = (off * ~same).sum((-2, -1)) / len(same) - band(off * ~same)
    return torch.stack([vertical, diagonal, torch.where(rest > 1e-6, 1 - across / rest, 1.0)], dim=-1)


def head_pattern(vertical: float, diagonal: float, own: float, most: float = MOST) -> str:
    """One of `PATTERNS`, from the three shares of a map; `most` is what notebook 13 calls half.

    A quarter on the stripes and a quarter on the band: vertical + diagonal. Otherwise half on
    the stripes: vertical; half on the band: diagonal. Otherwise three quarters of what is left in
    the own text: block. Everything else: heterogeneous.
    """
    if vertical >= SOME and diagonal >= SOME:
        return "vertical + diagonal"
    if vertical >= most:
        return "vertical"
    if diagonal >= most:
        return "diagonal"
    return "block" if own >= OWN else "heterogeneous"


def mean_shares(
    model: BertModel,
    tokenizer: WordPieceTokenizer,
    pairs: Sequence[tuple[str, str]],
    band: Callable[[Tensor], Tensor] = diagonal_share,
) -> Tensor:
    """The three shares of every head, averaged over pairs of texts: [L, H, 3]."""
    sums = torch.zeros(())
    for first, second in pairs:
        batch = tokenizer(first, second)
        with torch.inference_mode():
            attentions = model(**batch, output_attentions=True).attentions
        assert attentions is not None
        sums = sums + shares(torch.cat(attentions), batch["token_type_ids"][0], band)  # [L, H, 3]
    return sums / len(pairs)


def head_patterns(shares: Tensor, most: float = MOST) -> list[list[str]]:
    """The pattern of every head, from `mean_shares` [L, H, 3]: a list for each layer."""
    return [
        [head_pattern(vertical, diagonal, own, most) for vertical, diagonal, own in layer]
        for layer in shares.tolist()
    ]


def heads_of(rows: Sequence[Sequence[str]], kind: str) -> Tensor:
    """[L, H]: true where a head has that pattern; rows as `head_patterns` gives them."""
    return torch.tensor([[one == kind for one in row] for row in rows])


# --- where attention rests ------------------------------------------------------------------------

KINDS = ("[CLS]", "[SEP]", "punctuation", "the word itself", "other words")


def kinds_of(tokens: Sequence[str]) -> Tensor:
    """[T]: 0 for [CLS], 1 for [SEP], 2 for a punctuation mark, 4 for a piece of a word."""
    return torch.tensor(
        [
            0 if token == "[CLS]" else 1 if token == "[SEP]" else 4 if any(map(str.isalnum, token)) else 2
            for token in tokens
        ]
    )


def resting_shares(weights: Tensor, kinds: Tensor) -> Tensor:
    """What the words of a text give to tokens of each kind: weights [..., T, T], kinds [T], to [..., 5].

    The mean over the rows of words; the five shares, in the order of `KINDS`, sum to 1.
    """
    words = kinds == 4
    itself = weights.diagonal(dim1=-2, dim2=-1)[..., words].mean(-1)  # [...]
    rows = weights[..., words, :].mean(-2)  # [..., T]
    by_kind = torch.stack([rows[..., kinds == kind].sum(-1) for kind in range(5)], dim=-1)  # [..., 5]
    return torch.cat([by_kind[..., :3], itself[..., None], (by_kind[..., 4] - itself)[..., None]], dim=-1)


@torch.inference_mode()
def attention_weights(model: BertModel, batch: Mapping[str, Tensor]) -> Tensor:
    """The attention weights of one text in every head: [L, H, T, T]."""
    attentions = model(**batch, output_attentions=True).attentions
    assert attentions is not None
    return torch.cat(attentions)


@torch.inference_mode()
def contributions(model: BertModel, batch: Mapping[str, Tensor]) -> Tensor:
    """How much of what each token receives comes from where, in every head of one text: [L, H, T, T].

    The attention weight times the length of the vector that is handed over, the value after the head's part
    of the output matrix (Kobayashi et al., 2020, section 2); rows are divided by their sums.
    """
    out = model(**batch, output_hidden_states=True, output_attentions=True)
    assert out.hidden_states is not None and out.attentions is not None
    weighted = []
    layers: list[Any] = list(model.encoder.layer)
    for layer, hidden, weights in zip(layers, out.hidden_states[:-1], out.attentions, strict=True):
        attend, dense = layer.attention.self, layer.attention.output.dense
        values = split_heads(attend.value(hidden), attend.num_heads)  # [1, H, T, K]
        to_output = dense.weight.unflatten(1, (attend.num_heads, -1))  # [D, H, K]
        lengths = torch.einsum("bhtk,dhk->bhtd", values, to_output).norm(dim=-1)  # [1, H, T]
        weighted.append(weights * lengths[:, :, None])  # [1, H, T, T]
    stack = torch.cat(weighted)
    return stack / stack.sum(dim=-1, keepdim=True)


def where_it_rests(
    model: BertModel,
    tokenizer: WordPieceTokenizer,
    texts: Sequence[str],
    measure: Callable[[BertModel, Mapping[str, Tensor]], Tensor] = attention_weights,
) -> Tensor:
    """The five shares of `resting_shares` in every head, averaged over texts: [L, H, 5].

    measure: what is shared out, `attention_weights` or `contributions`.
    """
    sums = torch.zeros(())
    for text in texts:
        batch = tokenizer(text)
        tokens = tokenizer.convert_ids_to_tokens(batch["input_ids"][0].tolist())
        sums = sums + resting_shares(measure(model, batch), kinds_of(tokens))
    return sums / len(texts)
