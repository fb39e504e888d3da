"""Questions for a vote on the feed-forward network and the plus signs."""

import torch
import torch.nn.functional as F

from lib.bert.attention import scaled_dot_product_attention
from lib.questions import Question, Right, Wrong


def two_dense_layers() -> str:
    torch.manual_seed(0)
    first, second, (one, other) = torch.randn(4, 16), torch.randn(16, 4), torch.randn(2, 4)
    single = first @ second  # [4, 4]: one matrix
    both = (one + other) @ first @ second
    print(f"two layers: {both}\none matrix: {(one + other) @ single}")
    if torch.allclose(both, (one + other) @ single, atol=1e-4):
        return "A"
    return "CD"[int(torch.allclose(both, one @ first @ second + other @ first @ second, atol=1e-4))]


def twice_a_neurons_value() -> str:
    x = torch.tensor([[0.0, 0.0], [1.0, 0.0], [0.0, 1.0], [1.0, 1.0]])  # class, not, good, not good
    key, value = torch.tensor([1.0, 1.0]), torch.tensor([0.0, -2.0])
    strength = F.relu(x @ key - 1)  # [4]; the bias is −1
    fires, changed = strength > 0, (strength.outer(value) != strength.outer(2 * value)).any(dim=1)
    print(f"strength of the neuron: {strength.tolist()}\nupdate changes: {changed.tolist()}")
    some = "CB"[int(changed.equal(fires))] if changed.any() else "D"
    return "A" if changed.all() else some


def equal_scores_without_a_sum() -> str:
    torch.manual_seed(0)
    tokens, values = torch.randn(2, 3, 4)
    update, weights = scaled_dot_product_attention(torch.zeros(3, 4), tokens, values)
    print(f"weights of token 0: {weights[0]}", "without the plus sign:", update, sep="\n")
    print("with it:", tokens + update, sep="\n")
    if torch.allclose(update, update[:1].expand(3, 4)):
        return "BC"[int(update.any())]
    return "DA"[int(torch.allclose(update, tokens))]


def neurons_with_empty_values() -> str:
    torch.manual_seed(0)
    x, keys, new_keys, values = torch.randn(5, 4), *torch.randn(3, 8, 4)
    new_values = torch.zeros(8, 4, requires_grad=True)
    old, new = F.gelu(x @ keys.T) @ values, F.gelu(x @ new_keys.T) @ new_values
    [slopes] = torch.autograd.grad((old + new).square().sum(), new_values)
    change = ((old + new).norm() / old.norm()).item() - 1
    print(f"the output changes by {change:.0%}; slopes of the new values: up to {slopes.max():.0f}")
    return "C" if change < -0.01 else "A" if change > 0.01 else "BD"[int(slopes.any())]


QUESTIONS = [
    Question(
        name="two_dense_layers",
        section=0,
        text="A dense layer multiplies a vector by a matrix. Two of them follow each other, from 4"
        " features to 16 and back to 4, with nothing in between. What can the two compute that one of 4 by"
        " 4 can't?",
        options=(
            Right(
                "Nothing: the product of the two matrices does the same.",
                "(x W₁) W₂ is x (W₁ W₂), and W₁ W₂ is a matrix of 4 by 4. Only a function between the two"
                " makes the width worth something.",
            ),
            Wrong(
                "What two features mean together, such as “not” and “good”.",
                "width_makes_conclusions",
                "Both steps only add up what each feature does by itself, and so does their product."
                " “Together” needs a function in between.",
            ),
            Wrong(
                "Curved functions, because there are two steps in a row.",
                "depth_alone_bends",
                "A straight step after a straight step is straight. The bend comes from the activation"
                " function.",
            ),
            Wrong(
                "More functions of the same kind, because of more numbers.",
                "more_weights_more_functions",
                "128 numbers describe the same maps that 16 describe, only in many ways.",
            ),
        ),
        shows=two_dense_layers,
        seconds=60,
        guessed=((45, 25, 10, 20), (85, 7, 3, 5)),
    ),
    Question(
        name="twice_a_neurons_value",
        section=2,
        text="In a feed-forward network with ReLU, somebody doubles the value vector of one neuron, a row"
        " of W₂. At which tokens does the update change?",
        options=(
            Wrong(
                "At all tokens, because all of them are multiplied by the same W₂.",
                "a_weight_acts_everywhere",
                "The matrix is the same for all, but a row of it is taken as often as the neuron fires,"
                " and mostly that is 0 times.",
            ),
            Right(
                "At those where the neuron fires, because elsewhere it is taken 0 times.",
                "The neuron's strength at a token comes from its key. The value is added times this"
                " strength.",
            ),
            Wrong(
                "At those that point the way of its value, because they match it.",
                "values_are_matched",
                "What is matched with the token is the key. The value is what the neuron then writes.",
            ),
            Wrong(
                "At none of them, because the layer norm behind takes it back.",
                "norms_undo_every_change",
                "The norm would undo a change that scales all features of the sum alike. This one adds"
                " something in one direction only.",
            ),
        ),
        shows=twice_a_neurons_value,
        seconds=60,
        guessed=((30, 50, 10, 10), (8, 84, 4, 4)),
    ),
    Question(
        name="equal_scores_without_a_sum",
        section=3,
        text="In one layer all attention scores happen to be equal, and the plus sign behind attention has"
        " been cut. What do the tokens of a text get from this attention?",
        options=(
            Wrong(
                "Their own old vectors, because equal scores change nothing.",
                "equal_scores_do_nothing",
                "Equal scores are equal weights, 1/T each: that is a mixture, and the strongest one there"
                " is.",
            ),
            Wrong(
                "Zeros only, because equal scores cancel each other out.",
                "equal_scores_cancel",
                "Softmax turns equal scores into equal shares, and shares never cancel: they sum to 1.",
            ),
            Right(
                "All the same vector, because each takes the same average.",
                "With equal weights each token gets the mean of all values. Without a plus sign nothing of"
                " the token itself remains.",
            ),
            Wrong(
                "Each a different vector, because their values differ.",
                "values_stay_with_their_token",
                "The values differ, but each token takes the same share of each of them.",
            ),
        ),
        shows=equal_scores_without_a_sum,
        seconds=60,
        guessed=((20, 10, 45, 25), (5, 3, 85, 7)),
    ),
    Question(
        name="neurons_with_empty_values",
        section=4,
        text="Somebody adds 100 neurons to the feed-forward network of a trained BERT. Their keys are"
        " random, and their values are all 0. What becomes of the network's output?",
        options=(
            Wrong(
                "It changes at random, because the new keys fire at some tokens.",
                "new_parts_always_disturb",
                "They fire, but what is then added is 0 times a strength.",
            ),
            Wrong(
                "It stays the same for good, because values of 0 never learn.",
                "zeros_never_learn",
                "The slope at a value is the neuron's strength times the error of the output. Neither is 0"
                " just because the value is.",
            ),
            Wrong(
                "It gets weaker, because more neurons share the same strength.",
                "neurons_share_one_whole",
                "Neurons aren't shares of a whole, as attention weights are. Each fires for itself.",
            ),
            Right(
                "It stays the same at first, and training can move the values.",
                "What is added is 0 to begin with, but each value has a slope wherever its neuron fires."
                " So a network can be widened without harm.",
            ),
        ),
        shows=neurons_with_empty_values,
        seconds=75,
        guessed=((25, 20, 10, 45), (6, 10, 2, 82)),
    ),
]
