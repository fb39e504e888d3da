"""Questions for a vote on a memory, on hashing and on layers that can be undone."""

import torch
from torch import nn
from torch.nn.functional import dropout

from chapters.nb35.lsh import hash_buckets, random_rotations
from lib.questions import Question, Right, Wrong


def eight_queries_and_twenty_keys() -> str:
    query = torch.randn(8, 4)
    key, value = torch.randn(2, 20, 4)
    weights = (query @ key.T / 2).softmax(dim=-1)
    output = weights @ value
    print(f"weights {list(weights.shape)}, output {list(output.shape)}")
    print(f"for one query: {len(weights[0])} weights, one for each value, {weights[0].sum():.2f} in all")
    return {28: "A", 20: "B", 160: "C", 8: "D"}[len(output)]


def a_memory_without_gradients() -> str:
    torch.manual_seed(0)
    writes, reads = nn.Linear(4, 4), nn.Linear(4, 4)
    memory = writes(torch.randn(3, 4)).detach()  # of the segment before
    loss = reads(memory).square().mean()  # of this segment
    found = torch.autograd.grad(loss, [reads.weight, writes.weight], allow_unused=True)
    learns = [gradient is not None for gradient in found]
    print(f"the loss trains what reads the memory: {learns[0]}, what wrote it: {learns[1]}")
    return "CABD"[2 * learns[0] + learns[1]]


def one_direction_two_lengths() -> str:
    generator = torch.Generator().manual_seed(0)
    vector, other = torch.randn(2, 32, generator=generator)
    rounds = random_rotations(rounds=200, size=32, buckets=16)
    buckets = hash_buckets(torch.stack([vector, 10 * vector, other]), rounds)  # [200, 3]
    longer, another = [(buckets[:, 0] == buckets[:, row]).double().mean().item() for row in (1, 2)]
    print(f"a bucket shared in this share of the rounds: longer {longer:.0%}, other {another:.0%}")
    return "C" if longer == 1 else "D" if longer == 0 else "AB"[longer > another / 2]


def dropout_in_a_reversible_layer() -> str:
    torch.manual_seed(1)
    x1, x2 = torch.arange(1.0, 33.0), torch.ones(32)
    y1 = x1 + dropout(x2)
    drawn_anew = y1 - dropout(x2)
    torch.manual_seed(1)
    drawn_alike = y1 - dropout(x2)
    print(f"x1: {x1[:6]}\ndrawn anew:  {drawn_anew[:6]}\ndrawn alike: {drawn_alike[:6]}")
    return "A" if drawn_anew.allclose(x1) else "BD"[drawn_alike.allclose(x1)]


QUESTIONS = [
    Question(
        name="eight_queries_and_twenty_keys",
        section=0,
        text="Eight words ask, so there are eight queries. They may look at twenty words, so there are twenty"
        " keys and twenty values. How many vectors does attention give?",
        options=(
            Wrong(
                "Twenty-eight: a new one for each word that takes part.",
                "attention_renews_whoever_is_looked_at",
                "Who is looked at stays as it is. New vectors come out for those that ask.",
            ),
            Wrong(
                "Twenty: each of the values, multiplied by its weight.",
                "attention_returns_weighted_values",
                "For each query the weighted values are added up to one vector.",
            ),
            Wrong(
                "A hundred and sixty: one for each pair that is compared.",
                "attention_gives_a_vector_for_each_pair",
                "Each pair gets a number, its weight. Vectors come out only after the sum over the keys.",
            ),
            Right(
                "Eight: one mixture of the twenty values for each query.",
                "A query gets one row of twenty weights, and with it one weighted mean of the values.",
            ),
        ),
        shows=eight_queries_and_twenty_keys,
        seconds=45,
        guessed=((10, 25, 15, 50), (0, 10, 5, 85)),
    ),
    Question(
        name="a_memory_without_gradients",
        section=2,
        text="The memory that a layer keeps of the last segment is detached. What does the model learn about"
        " its memory from the loss of this segment?",
        options=(
            Wrong(
                "Nothing at all, because no gradient passes through it.",
                "detached_means_unused",
                "The numbers are used like any others, and the matrices that make keys and values of them"
                " get gradients.",
            ),
            Right(
                "To read it, but not to write it better for later segments.",
                "The gradient reaches what reads the memory and ends there: the segment that wrote it isn't"
                " asked to write anything else.",
            ),
            Wrong(
                "To write it, but not to read it, because it is fixed.",
                "a_fixed_input_teaches_nothing",
                "A fixed input is no hindrance: the words of a text are fixed, too, and we learn to read"
                " them.",
            ),
            Wrong(
                "To read and to write it, only with smaller gradients.",
                "detaching_makes_gradients_smaller",
                "detach() cuts the gradient off. What is behind it gets none at all, and what is before it"
                " gets the full one.",
            ),
        ),
        shows=a_memory_without_gradients,
        seconds=75,
        guessed=((30, 45, 10, 15), (10, 80, 5, 5)),
    ),
    Question(
        name="one_direction_two_lengths",
        section=3,
        text="Two vectors point in the same direction, and one is ten times as long as the other. In how many"
        " rounds of the Reformer's hashing do they share a bucket?",
        options=(
            Wrong(
                "In few, because the distance between them is large.",
                "near_means_a_short_distance",
                "Near means a small angle here, and their angle is 0.",
            ),
            Wrong(
                "In about as many as any two, because directions are random.",
                "random_directions_know_nothing",
                "The directions are drawn at random, but both vectors are compared with the same ones.",
            ),
            Right(
                "In all, because the length decides no comparison.",
                "Ten times as long means ten times each product, and the greatest one is the greatest still.",
            ),
            Wrong(
                "In none, because the longer one has greater products.",
                "longer_vectors_have_buckets_of_their_own",
                "Its products are compared among themselves, not with those of the other vector.",
            ),
        ),
        shows=one_direction_two_lengths,
        seconds=45,
        guessed=((20, 20, 50, 10), (5, 5, 85, 5)),
    ),
    Question(
        name="dropout_in_a_reversible_layer",
        section=4,
        text="In a reversible layer, y₁ = x₁ + f(x₂), the function f contains dropout. In training the"
        " backward pass runs f once more, as it is, and takes f(x₂) from y₁. What comes out?",
        options=(
            Wrong(
                "The right x₁, because f(x₂) is added and taken away.",
                "computing_again_repeats_chance",
                "What is taken away must be what was added. Dropout draws other places when f runs again.",
            ),
            Wrong(
                "A wrong x₁, because dropped numbers can't come back.",
                "only_what_can_be_undone_is_reversible",
                "Nothing has to come back: f is computed again from x₂, which is there. It may lose whatever"
                " it likes.",
            ),
            Wrong(
                "A wrong x₁, but over many steps the errors cancel.",
                "luck_averages_out",
                "Gradients for wrong inputs are wrong in each step, and going down the layers the errors"
                " grow.",
            ),
            Right(
                "A wrong x₁, because f drops other places the second time.",
                "f(x₂) has to be the same vector both times, so the state of the random numbers has to be"
                " kept and put back.",
            ),
        ),
        shows=dropout_in_a_reversible_layer,
        seconds=75,
        guessed=((35, 20, 5, 40), (10, 10, 5, 75)),
    ),
]
