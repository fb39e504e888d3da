"""Attention by hashing (Kitaev et al., 2020, Reformer): a query looks only at keys of its own bucket.

Queries and keys are the same vectors (shared-QK), the keys scaled to length 1, so that neighbors fall into
the same bucket. A token looks at itself only where it meets nobody else. This is the paper's formula: a key
that is met in several rounds counts once. The official code differs in four things: it counts the buckets of
later rounds on and sorts all rounds together, its first chunk looks at the last one, a chunk looks at other
buckets, too, and a key counts once in each round.
"""

from __future__ import annotations

import torch
from torch import Tensor

ITSELF = -1e5  # the score of a token with itself: it counts only where there is no other
NEVER = -torch.inf


def hash_buckets(vectors: Tensor, rotations: Tensor) -> Tensor:
    """The bucket of each vector in each round, int64 [R, T], from 0 to b - 1.

    vectors [T, K], rotations [R, K, b / 2]. The greatest of the b / 2 products and their negatives decides,
    of equal ones the first.
    """
    products = vectors @ rotations  # [R, T, b / 2]
    both_sides = torch.cat([products, -products], dim=-1)  # [R, T, b]
    return both_sides.argmax(dim=-1)


def random_rotations(rounds: int, size: int, buckets: int, seed: int = 0) -> Tensor:
    """Normal numbers [R, K, b / 2]: each column is a direction that is drawn at random."""
    if buckets < 2 or buckets % 2:
        raise ValueError(
            f"{buckets} buckets can't be made of pairs of opposite sides: choose 2, 4, 6 or more."
        )
    generator = torch.Generator().manual_seed(seed)
    return torch.randn(rounds, size, buckets // 2, generator=generator)


def shared_scores(vectors: Tensor) -> Tensor:
    """The scores [T, T] of shared-QK attention: row i is the query, its key of length 1 is column j."""
    keys = vectors / vectors.norm(dim=-1, keepdim=True)
    scores = vectors @ keys.T
    return scores.fill_diagonal_(ITSELF)


def full_attention(vectors: Tensor, values: Tensor) -> Tensor:
    """Shared-QK attention of all to all: vectors [T, K] and values [T, D] give [T, D]."""
    return shared_scores(vectors).softmax(dim=-1) @ values


def pairs_looked_at(buckets: Tensor, chunk: int) -> Tensor:
    """Which keys [T, T] each query meets in one round: buckets [T], sorted, in chunks of so many tokens.

    A token meets those of its own chunk and of the one before it that are in its bucket.
    """
    chunks = place_in_order(buckets) // check_chunk(len(buckets), chunk)  # [T]: the chunk of each token
    apart = chunks[:, None] - chunks  # [T, T]
    near = (apart == 0) | (apart == 1)
    return near & (buckets[:, None] == buckets)


def place_in_order(buckets: Tensor) -> Tensor:
    """The place of each token when all are sorted by bucket, and within a bucket by their place: [T]."""
    order = buckets.argsort(stable=True)
    return torch.empty_like(order).scatter_(0, order, torch.arange(len(order)))


def check_chunk(length: int, chunk: int) -> int:
    """The size of a chunk; ValueError where the tokens don't fill chunks of it."""
    if not 1 <= chunk <= length or length % chunk:
        raise ValueError(
            f"{length} tokens can't be cut into chunks of {chunk}: choose a size that divides {length},"
            " or pad the text."
        )
    return chunk


def hashed_attention(vectors: Tensor, values: Tensor, buckets: Tensor, chunk: int) -> Tensor:
    """Attention in sorted chunks, each round by itself, and the rounds weighted by what they found.

    vectors [T, K], values [T, D], buckets int64 [R, T]; `chunk` divides T. Returns [T, D]. No table
    of T times T scores is ever made.
    """
    length = len(vectors)
    count = length // check_chunk(length, chunk)
    keys = vectors / vectors.norm(dim=-1, keepdim=True)
    chunk_of = torch.stack([place_in_order(of_round) for of_round in buckets]) // chunk  # [R, T]
    outputs, totals = [], []
    for of_round in buckets:
        order = of_round.argsort(stable=True)  # [T]
        here = order.view(count, chunk, 1)  # the tokens of each chunk
        there = with_previous(here).mT  # [C, 1, 2 chunk]: those they may meet
        scores = keys_met(vectors[order].view(count, chunk, -1), keys[order].view(count, chunk, -1))
        rounds = rounds_met(buckets, chunk_of, here, there)  # [C, chunk, 2 chunk]
        scores = scores.masked_fill(here == there, ITSELF)
        scores = scores - rounds.log()  # a key met in n rounds counts 1 / n in each
        scores = scores.masked_fill(of_round[here] != of_round[there], NEVER)
        scores[0, :, :chunk] = NEVER  # before the first chunk there is none
        total = scores.logsumexp(dim=-1)  # [C, chunk]
        output = (scores - total[..., None]).exp() @ with_previous(values[order].view(count, chunk, -1))
        back = order.argsort()
        outputs.append(output.flatten(0, 1)[back])
        totals.append(total.flatten()[back])
    weights = torch.stack(totals).softmax(dim=0)  # [R, T]
    return (weights[..., None] * torch.stack(outputs)).sum(dim=0)


def keys_met(query: Tensor, key: Tensor) -> Tensor:
    """Scores of each chunk's queries [C, c, K] with the keys of its own chunk and of the one before it."""
    return query @ with_previous(key).mT  # [C, c, 2 c]


def rounds_met(buckets: Tensor, chunk_of: Tensor, here: Tensor, there: Tensor) -> Tensor:
    """In how many rounds tokens meet: buckets and chunk_of [R, T], tokens [C, c, 1] and [C, 1, 2 c]."""
    met = torch.zeros(1)
    for bucket, chunk in zip(buckets, chunk_of, strict=True):
        apart = chunk[here] - chunk[there]
        met = met + ((bucket[here] == bucket[there]) & ((apart == 0) | (apart == 1)))
    return met


def with_previous(chunks: Tensor) -> Tensor:
    """Each chunk [C, c, ...] behind the one before it: [C, 2 c, ...]; before the first stands the last."""
    return torch.cat([chunks.roll(1, dims=0), chunks], dim=1)
