"""Questions for a vote on fewer trainable weights."""

import torch

from lib.questions import Question, Right, Wrong


def two_layers_without_a_bend() -> str:
    torch.manual_seed(0)
    inputs, narrow, wide = torch.randn(100, 40), torch.randn(40, 2), torch.randn(2, 40)
    outputs = inputs @ narrow @ wide  # 40 features to 2 and back to 40
    single = torch.linalg.lstsq(inputs, outputs).solution  # the best single matrix
    missing = ((outputs - inputs @ single).norm() / outputs.norm()).item()
    directions = int(torch.linalg.matrix_rank(single, rtol=1e-3))
    print(f"best single matrix: {list(single.shape)}, misses {missing:.1%}, fills {directions} directions")
    return "A" if missing > 1e-3 else "C" if len(single) == 2 else "DB"[int(directions < 40)]


def what_an_update_saves() -> str:
    whole = 384 * 384
    new = 2 * 2 * 384
    gradients, averages, file, forward = new, 2 * new, new, whole + new
    left = [gradients / whole, averages / (2 * whole), file / whole, forward / whole]
    print("left of gradients, averages, file, forward pass:", *[f"{share:.0%}" for share in left])
    return "ABCD"[left.index(max(left))]


def a_key_of_zeros() -> str:
    scores = torch.tensor([-5.0, -5.5, -4.5, -5.0, -5.0])
    with_zeros = torch.cat([torch.zeros(1), scores])
    share = with_zeros.softmax(dim=0)[0].item()
    print(f"the key of zeros scores 0 and takes {share:.0%} of the attention")
    return "A" if share < 0.01 else "D" if share < 0.16 else "B" if share < 0.17 else "C"


def the_rank_after_merging() -> str:
    torch.manual_seed(0)
    weight = torch.randn(40, 40)
    change = torch.randn(40, 2) @ torch.randn(2, 40)
    ranks = [int(torch.linalg.matrix_rank(each)) for each in (weight, change, weight + change)]
    print(f"of 40 x 40 numbers: rank {ranks[0]}, of the update {ranks[1]}, merged {ranks[2]}")
    return {2: "A", 40: "B", 42: "C", 38: "D"}[ranks[2]]


QUESTIONS = [
    Question(
        name="two_layers_without_a_bend",
        section=0,
        text="Two dense layers without bias lead from 384 features to 2 and back to 384, with nothing in"
        " between. In place of which single matrices can such a pair stand?",
        options=(
            Wrong(
                "None of any size, because two layers in a row make a curved function.",
                "depth_alone_bends",
                "A matrix maps straight lines to straight lines. It is GELU between them that bends.",
            ),
            Right(
                "Some of 384 × 384, because two numbers have to carry all there is.",
                "W₂(W₁x) = (W₂W₁)x for every x, so one matrix does the work of two. But what comes out"
                " lies in two directions only.",
            ),
            Wrong(
                "All of 2 × 2, because the narrow middle sets the size of the product.",
                "a_lower_rank_is_a_smaller_matrix",
                "Two numbers pass, but 384 go in and 384 come out. A matrix of low rank has all of its"
                " rows and columns.",
            ),
            Wrong(
                "All of 384 × 384, because as many features come out as went in.",
                "a_learned_map_makes_up_for_width",
                "What the first layer has dropped the second can't bring back: all that comes out lies"
                " in two directions.",
            ),
        ),
        shows=two_layers_without_a_bend,
        seconds=45,
        guessed=((15, 45, 15, 25), (5, 80, 5, 10)),
    ),
    Question(
        name="what_an_update_saves",
        section=2,
        text="Instead of all weights, low-rank updates of rank 2 are trained in all layers, and the updates"
        " are computed beside the frozen matrices. What is as large as before?",
        options=(
            Wrong(
                "The bytes of gradients, because the loss depends on all weights.",
                "frozen_weights_keep_gradients",
                "It does, but a frozen weight asks for no gradient, so none is kept for it.",
            ),
            Wrong(
                "The bytes of AdamW's averages, two for each weight of the model.",
                "adamw_keeps_averages_of_all",
                "Averages are kept of gradients, and frozen weights have none.",
            ),
            Wrong(
                "The file of a task, because a model is stored with all weights.",
                "a_task_needs_the_whole_model",
                "The frozen weights are those that everybody has. Only what was trained has to be stored.",
            ),
            Right(
                "The work of the forward pass, as frozen matrices still multiply.",
                "It even grows a little, by what the narrow matrices add, until the update is merged.",
            ),
        ),
        shows=what_an_update_saves,
        seconds=45,
        guessed=((20, 15, 10, 55), (6, 5, 2, 87)),
    ),
    Question(
        name="a_key_of_zeros",
        section=4,
        text="The five tokens of a text have scores around -5 with a query. Now one key of zeros and a"
        " value of zeros are put ahead, as a prefix. What share of this query's attention do they take?",
        options=(
            Wrong(
                "None, because a key of zeros has the score 0 with every query.",
                "a_score_of_zero_gets_nothing",
                "Softmax takes e to the power of the score, and e⁰ is 1, not 0.",
            ),
            Wrong(
                "One share among equals, because zeros have no direction.",
                "a_zero_key_gets_an_equal_share",
                "It would, if the other scores were 0 as well. They are -5, and softmax compares.",
            ),
            Right(
                "Nearly all, because its score 0 is far above the others.",
                "e⁰ = 1 stands beside five times e⁻⁵ = 0.007, so nearly everything goes to the zeros.",
            ),
            Wrong(
                "Less than any token, because 0 is the smallest of scores.",
                "zero_is_the_lowest_score",
                "Scores can be negative, and here all the others are.",
            ),
        ),
        shows=a_key_of_zeros,
        seconds=60,
        guessed=((25, 20, 45, 10), (7, 7, 83, 3)),
    ),
    Question(
        name="the_rank_after_merging",
        section=2,
        text="A published matrix of 384 × 384 numbers has full rank, 384. You merge an update of rank 2 into"
        " it. What is the rank of the merged matrix, if nothing special happens?",
        options=(
            Wrong(
                "2, because that is the rank of what the training has made.",
                "an_update_makes_the_matrix_low_rank",
                "Training made the change. It is added to a matrix that keeps all it had.",
            ),
            Right(
                "384, because only the change is of rank 2, and not the sum.",
                "The sum is an ordinary matrix of full size: that is why merging keeps shape and work.",
            ),
            Wrong(
                "386, because the update adds two directions of its own.",
                "ranks_add_up",
                "A matrix of 384 rows has 384 directions at most. Those of the update are among them.",
            ),
            Wrong(
                "382, because two of its directions are overwritten now.",
                "an_update_overwrites_directions",
                "The update is added and doesn't erase. To lose a direction, it would have to cancel it"
                " exactly.",
            ),
        ),
        shows=the_rank_after_merging,
        seconds=60,
        guessed=((25, 40, 20, 15), (8, 82, 6, 4)),
    ),
]
