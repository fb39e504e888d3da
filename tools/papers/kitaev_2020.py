"""Kitaev et al., 2020: the Reformer, notebook 35."""

import torch

from chapters.nb35 import lsh, reversible
from tools.papers import Doubt, Paper, Place

TOKENS, SIZE, NEAR, CHUNK, BUCKETS = 512, 32, 8, 64, 16  # as in section 3 of the notebook


def what_one_round_finds() -> str:
    generator = torch.Generator().manual_seed(2)
    middles = torch.randn(TOKENS // NEAR, SIZE, generator=generator).repeat_interleave(NEAR, dim=0)
    vectors = middles + 0.5 * torch.randn(TOKENS, SIZE, generator=generator)
    vectors = vectors[torch.randperm(TOKENS, generator=generator)]
    nearest = lsh.shared_scores(vectors).topk(NEAR - 1, dim=-1).indices
    told = []
    for rounds in (1, 8):
        buckets = lsh.hash_buckets(vectors, lsh.random_rotations(rounds, SIZE, BUCKETS))
        met = torch.stack([lsh.pairs_looked_at(of_round, CHUNK) for of_round in buckets]).any(dim=0)
        recall = met.gather(1, nearest).double().mean()
        told.append(f"{recall:.0%} of the nearest keys with {met.double().mean():.0%} of the pairs")
    return (
        f"A part of them. Of {TOKENS} drawn vectors in groups of {NEAR}, one round finds {told[0]}, and eight"
        f" rounds find {told[1]}. In section 3 of the notebook MiniLM's own queries are hashed, and the"
        " outputs are compared, too."
    )


def where_it_saves_products() -> str:
    def share(tokens: int, rounds: int) -> float:
        return rounds * 2 * CHUNK / tokens  # a query meets two chunks of keys in each round

    return (
        f"Each round multiplies a query with two chunks of keys. With chunks of {CHUNK} and eight rounds that"
        f" is {share(TOKENS, 8):.0f} times the products of full attention at {TOKENS} tokens, as many at"
        f" {8 * 2 * CHUNK:,}, and {share(65_536, 8):.1%} of them at 65,536. So it depends on the length."
    )


def what_reversing_keeps() -> str:
    streams = torch.randn(2, 1, 128, 256, generator=torch.Generator().manual_seed(0))
    kept = {}
    for count in (2, 12):
        layers = reversible.new_layers(count, size=256)
        for name, stack in {"usual": reversible.plain_stack, "reversed": reversible.reversed_stack}.items():
            with reversible.KeptBytes(layers) as found:
                stack(streams[0], streams[1], layers)
            kept[name, count] = found.total / 1e6
    return (
        f"Yes, in the activations: {kept['reversed', 2]:.1f} MB with 2 layers and"
        f" {kept['reversed', 12]:.1f} with 12, where usual layers keep {kept['usual', 2]:.1f} and"
        f" {kept['usual', 12]:.1f} MB. The price is time, because the backward pass computes each layer anew."
    )


PAPER = Paper(
    name="Reformer",
    authors="Kitaev et al.",
    year=2020,
    title="Reformer: The Efficient Transformer",
    link="https://arxiv.org/abs/2001.04451",
    read="Section 2 with figures 1 and 2 and the synthetic task, section 3 with the table of complexities,"
    " and of the experiments figures 3, 4 and 5.",
    minutes=50,
    places=(
        Place("35", "section 3", "hashing, sorting and chunks, and what rounds bring and cost"),
        Place("35", "section 4", "reversible layers: bytes kept, gradients compared"),
        Place(
            "35", "stretch “are the buckets equally full? (3 min)”", "shared and separate queries and keys"
        ),
        Place("35", "stretch “when does hashing save time? (4 min)”", "full attention and hashing timed"),
    ),
    doubts=(
        Doubt("Does a round of hashing find the nearest keys?", what_one_round_finds),
        Doubt("Is hashing less work than comparing all?", where_it_saves_products),
        Doubt("Does what is kept stay the same with more layers?", what_reversing_keeps),
    ),
    earlier="Andoni et al. (2015) hashed by angles, Gomez et al. (2017) made residual networks reversible,"
    " and the Sparse Transformer (Child et al., 2019) attended to fixed patterns of places.",
    later="Longformer (Beltagy et al., 2020) and BigBird (Zaheer et al., 2020) went back to fixed patterns,"
    " and the Routing Transformer (Roy et al., 2021) learned the clusters. FlashAttention (Dao et al., 2022)"
    " compares all pairs exactly and never writes their table out.",
    change="In `search` of notebook 35, section 3, set `buckets` to 4. Vote first: does one round find more"
    " of the nearest keys than with 16 buckets, and does its output come nearer to full attention?",
    questions=(
        "Why are queries and keys the same vectors here, and what does figure 3 say that costs?",
        "Why may a token look at itself only if it meets no other?",
        "In the synthetic task, what do more rounds at the test bring to a model trained with few?",
        "What does O(L log L) leave out, and from which length on would you use hashing?",
        "Which of the paper's ideas would you still use, now that exact attention needs no table?",
    ),
    ice_breaker="Into which four groups would you put everybody here, so that people who like the same films"
    " meet?",
)
