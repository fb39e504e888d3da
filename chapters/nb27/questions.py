"""Questions for a vote on pruning structure."""

import torch
import torch.nn.functional as F

from lib.questions import Question, Right, Wrong


def where_heads_meet() -> str:
    scores = torch.randn(12, 5, 5)  # of each head, a row for each of five tokens
    changed = torch.cat([scores[:1].flip(-1), scores[1:]])  # head 0 attends elsewhere
    values = torch.randn(12, 5, 32)
    moved = (changed.softmax(dim=-1) - scores.softmax(dim=-1)) @ values  # [12, 5, 32]
    before = moved.any(dim=1).sum().item()
    after = (moved.transpose(0, 1).flatten(1) @ torch.randn(384, 384)).any(dim=0).sum().item()
    print(f"of 384 features move {before} before the output projection, and {after} behind it")
    return "B" if before > 32 else "A" if after > 32 else "D"


def sorted_by_half() -> str:
    neurons = torch.tensor([3.0, 1, 0, 2, 5, 4])  # what six neurons give for a token
    second = torch.arange(24.0).view(4, 6) % 7
    resorted = neurons.sort(descending=True).values  # the rows of the first matrix were sorted
    print(f"before: {second @ neurons}, no error, and now: {second @ resorted}")
    whole = (second @ resorted - second @ neurons).abs().max()
    cut = (second[:, :3] @ resorted[:3] - second[:, :3] @ neurons[:3]).abs().max()
    return "D" if whole else "C" if cut else "AB"[resorted.shape == neurons.shape]


def two_heads_that_find_the_same() -> str:
    lost = {}
    for head_3 in (1, 0):
        for head_8 in (1, 0):
            found = min(1, head_3 + head_8)  # once is enough
            lost[head_3, head_8] = 1 - found
    print("lost, by the gates of both heads:", lost)
    cut = [lost[0, 1] == 0, lost[1, 0] == 0]
    return {0: "B", 1: "A"}.get(sum(cut), "C" if lost[0, 0] else "D")


def a_feature_of_one_layer() -> str:
    hidden = torch.randn(5, 8)  # five tokens of eight features
    weight = torch.randn(8, 8)
    output = hidden @ weight[:, 1:]  # without its first feature
    attention = (output @ output.T).softmax(dim=-1)
    normed = F.layer_norm(output, output.shape[-1:])
    print(f"attention and norm work; {output.size(-1)} features are added to {hidden.size(-1)}")
    fits = [hidden.shape == output.shape, attention.shape != (5, 5), normed.shape != output.shape]
    return "BCD"[fits.index(True)] if any(fits) else "A"


QUESTIONS = [
    Question(
        name="where_heads_meet",
        section=0,
        text="The twelve heads of a layer work side by side. Where do their results first come together in"
        " one and the same number?",
        options=(
            Right(
                "In the output projection, whose every feature reads all heads.",
                "Heads stand side by side, 32 features each, until this matrix sums over all 384.",
            ),
            Wrong(
                "In the softmax, which weighs the heads against each other.",
                "softmax_weighs_the_heads",
                "Each head has a softmax of its own, over tokens. No head's scores touch another's.",
            ),
            Wrong(
                "In the values, which all heads take out of a single matrix.",
                "heads_share_their_values",
                "It is one matrix in memory, but each head has rows of its own in it.",
            ),
            Wrong(
                "In the feed-forward network, which comes after all heads.",
                "heads_stay_apart_until_the_feed_forward",
                "Before it the output projection has already mixed what all heads found.",
            ),
        ),
        shows=where_heads_meet,
        seconds=45,
        guessed=((45, 15, 10, 30), (85, 4, 3, 8)),
    ),
    Question(
        name="two_heads_that_find_the_same",
        section=2,
        text="Heads 3 and 8 find the same thing, and the model needs it only once. You measure the loss"
        " without each head, one head at a time, then cut every head without which it hardly rises. What"
        " happens?",
        options=(
            Wrong(
                "One of the two is cut, and the other stays because it is needed now.",
                "judged_apart_is_judged_together",
                "It would be needed then, but it was judged while the other one was still there.",
            ),
            Wrong(
                "Both stay, because the model needs the thing that they have found.",
                "needed_parts_look_needed",
                "The thing is needed, and neither head is: without one of them the other still finds it.",
            ),
            Right(
                "Both are cut, and the model loses the thing that they have found.",
                "Each alone can go for nothing, because the other stands in. Without both nobody does.",
            ),
            Wrong(
                "Both are cut, and nothing is lost because each alone cost nothing.",
                "losses_add_up",
                "Losses of parts add up only where no part stands in for another. Here nothing plus nothing"
                " is much.",
            ),
        ),
        shows=two_heads_that_find_the_same,
        seconds=60,
        guessed=((25, 10, 55, 10), (8, 2, 86, 4)),
    ),
    Question(
        name="sorted_by_half",
        section=3,
        text="Somebody sorts the neurons of a layer by importance: the rows of the first matrix and its"
        " bias. The columns of the second matrix are forgotten. What will you notice?",
        options=(
            Wrong(
                "An error, because the second matrix doesn't fit to the first any more.",
                "a_wrong_order_is_an_error",
                "Both matrices keep their shapes, so nothing complains. A shape knows no order.",
            ),
            Wrong(
                "Nothing, because a sum over neurons doesn't depend on their order.",
                "the_order_of_a_sum_never_matters",
                "If both matrices are sorted, it doesn't. Here a neuron meets the weights of another one.",
            ),
            Wrong(
                "Nothing at first, but a loss of accuracy when the last ones are cut.",
                "order_matters_only_to_a_cut",
                "The answers are other ones right away: which column reads a neuron is part of the layer.",
            ),
            Right(
                "No error, but other answers, because each column reads a wrong neuron.",
                "The second matrix has the old order, so each neuron is weighed as if it were another.",
            ),
        ),
        shows=sorted_by_half,
        seconds=60,
        guessed=((20, 20, 15, 45), (5, 7, 5, 83)),
    ),
    Question(
        name="a_feature_of_one_layer",
        section=4,
        text="Neurons can leave one layer and stay in all others. Now the hidden states of layer 2, and of"
        " no other layer, are to have one feature fewer. What stands in the way?",
        options=(
            Right(
                "The residual path, because it adds two vectors feature by feature.",
                "Two vectors can be added only if they have the same features, so a feature leaves all"
                " layers or none.",
            ),
            Wrong(
                "Nothing, because one row and one column of a matrix go, as with a neuron.",
                "a_feature_goes_like_a_neuron",
                "A neuron lives inside a layer. A feature goes on from layer to layer, and is added to.",
            ),
            Wrong(
                "The attention weights, whose rows would then be one number too short.",
                "features_are_tokens",
                "An attention weight belongs to a pair of tokens. Their number hasn't changed.",
            ),
            Wrong(
                "The layer norm, whose mean over one feature less would not be defined.",
                "a_norm_needs_its_width",
                "A mean over seven numbers is as well defined as one over eight. Its gains can be cut, too.",
            ),
        ),
        shows=a_feature_of_one_layer,
        seconds=75,
        guessed=((40, 30, 10, 20), (80, 8, 4, 8)),
    ),
]
