"""Questions for a vote on what a model costs."""

import zlib
from itertools import combinations

import torch

from lib.questions import Question, Right, Wrong


@torch.no_grad()
def products_of_a_weight() -> str:
    layer = torch.nn.Linear(384, 1536)
    tokens = torch.randn(9, 384)
    before = layer(tokens)
    layer.weight[7, 3] += 100
    moved = (layer(tokens) - before).abs() > 0.001
    print(f"one weight changes: {moved.sum()} outputs move, in each token: {moved.sum(dim=1).tolist()}")
    return {1: "A", 9: "B", 1536: "C"}.get(int(moved.sum()), "D")


def a_zipped_file_of_zeros() -> str:
    weight = torch.randn(200, 200).masked_fill(torch.rand(200, 200) < 0.9, 0)
    stored = weight.numpy().tobytes()
    download = zlib.compress(stored)
    loaded = torch.frombuffer(bytearray(zlib.decompress(download)), dtype=torch.float32)
    print(f"bytes: {len(stored):,} stored, {len(download):,} zipped, {loaded.nbytes:,} once loaded")
    print(f"numbers that meet each token's vector: {loaded.numel():,}, as before")
    smaller = len(download) < 140_000, loaded.nbytes < 160_000, loaded.numel() < 40_000
    return "BDAC"[sum(smaller)]


def twice_the_tokens() -> str:
    def least(tokens: int) -> float:
        moved = 4 * (384 * 1536 + tokens * (384 + 1536)) / 20e9
        return max(moved, 2 * tokens * 384 * 1536 / 80e9)

    print(f"at least {1e3 * least(1):.3f} ms for one token, {1e3 * least(2):.3f} ms for two")
    ratio = least(2) / least(1)
    return "C" if ratio < 0.7 else "A" if ratio < 1.3 else "B" if ratio < 3 else "D"


def the_lowest_agreement() -> str:
    teacher = "??........"  # of ten rows it answers two wrong
    agreements = []
    for first, second in combinations(range(10), 2):
        student = ["."] * 10
        student[first] = student[second] = "!"  # two wrong ones as well, wherever they are
        agreements.append(sum(one == other for one, other in zip(teacher, student, strict=True)))
    print(f"both have 8 of 10 right; in the worst case they agree on {min(agreements)} of 10")
    return {10: "B", 8: "A", 6: "C"}.get(min(agreements), "D")


QUESTIONS = [
    Question(
        name="products_of_a_weight",
        section=0,
        text="A sentence of nine tokens goes through a dense layer from 384 to 1,536 features. With how many"
        " numbers is each single weight of its matrix multiplied?",
        options=(
            Wrong(
                "One, because the sentence goes through in one product.",
                "a_sentence_is_one_number",
                "One call of @ is many multiplications: each of the nine rows meets the whole matrix.",
            ),
            Right(
                "Nine, because every token's vector meets each weight.",
                "A weight belongs to one feature in and one feature out, and each token has one number for"
                " it.",
            ),
            Wrong(
                "1,536, because that many features have to come out.",
                "a_weight_acts_everywhere",
                "Every feature that comes out has 384 weights of its own. A weight serves one of them.",
            ),
            Wrong(
                "81, because every token is compared with all nine.",
                "every_layer_compares_pairs",
                "Pairs of tokens meet in attention alone. A dense layer treats each token by itself.",
            ),
        ),
        shows=products_of_a_weight,
        seconds=45,
        guessed=((15, 50, 20, 15), (5, 83, 7, 5)),
    ),
    Question(
        name="a_zipped_file_of_zeros",
        section=2,
        text="A model has 90% zeros among its float32 weights. A colleague zips its file before it is sent to"
        " phones, where PyTorch unzips and runs it as usual. What gets smaller?",
        options=(
            Wrong(
                "The download and the memory: zeros unzip into nothing.",
                "a_small_file_stays_small_in_memory",
                "Unzipping gives every byte back, and a zero of float32 takes four of them in memory.",
            ),
            Wrong(
                "Nothing: a zero takes four bytes like any other number.",
                "floats_cannot_be_zipped",
                "That is how the file stores it. A zip replaces long runs of equal bytes by short codes.",
            ),
            Wrong(
                "The download, the memory and the time: less has to come.",
                "a_small_file_runs_faster",
                "What runs is the unzipped matrix, with as many numbers as before, and each is multiplied.",
            ),
            Right(
                "The download alone: unzipped, the model is what it was.",
                "Bytes on the way, bytes in memory and multiplications are three things, and a zip changes"
                " the first.",
            ),
        ),
        shows=a_zipped_file_of_zeros,
        seconds=60,
        guessed=((20, 20, 15, 45), (7, 8, 5, 80)),
    ),
    Question(
        name="twice_the_tokens",
        section=3,
        text="For one token a layer is memory-bound: its bytes take eight times as long as its operations."
        " Now two tokens go through it at once. What becomes of the least time, by the roofline model?",
        options=(
            Right(
                "It hardly changes, because the same weights come once for both.",
                "The weights are nearly all of the bytes, and they are fetched once. The operations double"
                " and still end earlier.",
            ),
            Wrong(
                "It doubles, because twice as many operations have to be done.",
                "time_follows_operations",
                "Operations decide only where they take longer than the bytes, and here they took an eighth.",
            ),
            Wrong(
                "It halves, because two tokens share the time of a single one.",
                "a_batch_ends_sooner",
                "The time for each token halves. The layer isn't done sooner: all bytes have to come.",
            ),
            Wrong(
                "It grows fourfold, because each token is compared with each.",
                "every_layer_compares_pairs",
                "That is attention. A dense layer treats each token by itself.",
            ),
        ),
        shows=twice_the_tokens,
        seconds=60,
        guessed=((45, 35, 15, 5), (80, 12, 6, 2)),
    ),
    Question(
        name="the_lowest_agreement",
        section=4,
        text="A teacher has 80% of the headlines right, and a small model has 80% of the same headlines"
        " right. How low can their agreement be?",
        options=(
            Wrong(
                "80%, because they agree where they are right.",
                "the_right_answers_are_the_same_rows",
                "Each is right on 80%, but perhaps on another 80%. Let their errors lie on different rows.",
            ),
            Wrong(
                "100%, because equal scores are equal answers.",
                "equal_scores_are_equal_answers",
                "A score counts how many are right, and not which. Errors may be exchanged.",
            ),
            Right(
                "60%, because their errors may be on other rows.",
                "One errs on a fifth and the other on another fifth, so two fifths of the answers differ.",
            ),
            Wrong(
                "0%, because a score says nothing on agreement.",
                "a_score_leaves_agreement_free",
                "Where both are right they agree, and with 80% each they share 60% at the least.",
            ),
        ),
        shows=the_lowest_agreement,
        seconds=60,
        guessed=((35, 10, 40, 15), (10, 2, 83, 5)),
    ),
]
