"""Hashing: with one bucket it is full attention, in chunks what a mask gives; buckets as transformers has."""

from __future__ import annotations

import pytest
import torch
from transformers import ReformerConfig
from transformers.models.reformer.modeling_reformer import LSHSelfAttention

from chapters.nb35 import lsh


@pytest.fixture
def vectors() -> torch.Tensor:
    """24 vectors [24, 6]."""
    return torch.randn(24, 6, generator=torch.Generator().manual_seed(0))


def test_buckets_are_those_of_transformers_but_for_its_offsets(vectors: torch.Tensor) -> None:
    config = ReformerConfig(
        hidden_size=6, num_attention_heads=1, attention_head_size=6, num_buckets=8, hash_seed=3,
        axial_pos_embds=False, is_decoder=False,
    )  # fmt: skip
    theirs = LSHSelfAttention(config)._hash_vectors(vectors[None, None], 3, None)
    torch.manual_seed(3)
    rotations = torch.randn(1, 6, 3, 4)[0].transpose(0, 1)  # drawn as transformers draws them: [R, K, b / 2]
    ours = lsh.hash_buckets(vectors, rotations)
    offsets = 8 * torch.arange(3)[:, None]  # there the rounds count on
    assert torch.equal(theirs.view(3, 24), ours + offsets)


def test_length_does_not_count_and_the_opposite_is_half_of_the_buckets_away(vectors: torch.Tensor) -> None:
    rotations = lsh.random_rotations(rounds=4, size=6, buckets=10)
    buckets = lsh.hash_buckets(vectors, rotations)
    assert buckets.dtype == torch.int64 and buckets.shape == (4, 24)
    assert torch.equal(lsh.hash_buckets(3.5 * vectors, rotations), buckets)
    assert torch.equal(lsh.hash_buckets(-vectors, rotations), (buckets + 5) % 10)


@pytest.mark.parametrize("rounds", [1, 3])
def test_one_bucket_and_one_chunk_is_full_attention(vectors: torch.Tensor, rounds: int) -> None:
    values = torch.randn(24, 5)
    buckets = torch.zeros(rounds, 24, dtype=torch.long)
    full = lsh.full_attention(vectors, values)
    hashed = lsh.hashed_attention(vectors, values, buckets, chunk=24)
    torch.testing.assert_close(hashed, full, atol=2e-6, rtol=0)
    # half of the tokens in a chunk: the first chunk does not see the second
    hashed = lsh.hashed_attention(vectors, values, buckets, chunk=12)
    torch.testing.assert_close(hashed[12:], full[12:], atol=2e-6, rtol=0)
    assert (hashed[:12] - full[:12]).abs().max() > 0.01


@pytest.mark.parametrize(("rounds", "chunk"), [(1, 4), (3, 4), (4, 8)])
def test_chunks_give_what_a_mask_of_the_pairs_gives(vectors: torch.Tensor, rounds: int, chunk: int) -> None:
    values = torch.randn(24, 5)
    buckets = lsh.hash_buckets(vectors, lsh.random_rotations(rounds, 6, 4))
    met = torch.stack([lsh.pairs_looked_at(of_round, chunk) for of_round in buckets]).any(dim=0)
    scores = lsh.shared_scores(vectors).masked_fill(~met, -torch.inf)
    hashed = lsh.hashed_attention(vectors, values, buckets, chunk)
    torch.testing.assert_close(hashed, scores.softmax(dim=-1) @ values, atol=2e-6, rtol=0)


def test_a_token_that_meets_nobody_looks_at_itself() -> None:
    vectors, values = torch.eye(4), torch.randn(4, 3)
    hashed = lsh.hashed_attention(vectors, values, torch.arange(4)[None], chunk=2)
    torch.testing.assert_close(hashed, values)


def test_what_does_not_fit_gets_a_sentence(vectors: torch.Tensor) -> None:
    with pytest.raises(ValueError, match="can't be cut into chunks of 7"):
        lsh.hashed_attention(vectors, vectors, torch.zeros(1, 24, dtype=torch.long), chunk=7)
    with pytest.raises(ValueError, match="can't be cut into chunks of 48"):
        lsh.pairs_looked_at(torch.zeros(24, dtype=torch.long), chunk=48)
    with pytest.raises(ValueError, match="opposite sides"):
        lsh.random_rotations(1, 6, 5)
