"""Questions for a vote on one network that runs at many sizes."""

from typing import Any

import torch
import torch.nn.functional as F
from torch import nn

from lib.bert import BertConfig, BertModel
from lib.compression.elastic.width import at_width
from lib.questions import Question, Right, Wrong


def first_layer_of(model: BertModel) -> Any:
    """Its first layer, whose parts run at the width that the model runs at."""
    return model.encoder.layer[0]


def small_network() -> BertModel:
    """Two layers of four heads and 256 neurons, with random weights."""
    sizes: dict[str, Any] = {"num_attention_heads": 4, "intermediate_size": 256}
    return BertModel(BertConfig(vocab_size=100, hidden_size=64, num_hidden_layers=2, **sizes))


def neurons_in_another_order() -> str:
    torch.manual_seed(0)
    states, first, second = torch.randn(5, 4), nn.Linear(4, 8), nn.Linear(8, 4)
    before, order = second(F.gelu(first(states))), torch.randperm(8)
    neurons = F.gelu(F.linear(states, first.weight[order], first.bias[order]))
    after = F.linear(neurons, second.weight[:, order], second.bias)
    change = ((after - before).norm() / before.norm()).item()
    print(f"the outputs of five tokens change by {change:.7f} of their length")
    return "D" if change < 1e-5 else "AC"[int(change > 0.5)]


def two_backward_passes() -> str:
    weights = torch.ones(4, requires_grad=True)
    weights.sum().backward()  # the whole network: each gradient is 1
    (10 * weights[:2]).sum().backward()  # its narrow half: each gradient is 10
    found = torch.as_tensor(weights.grad)
    print("the gradients of the four weights:", found.tolist())
    return {10.0: "A", 1.0: "B", 11.0: "C", 5.5: "D"}[found[0].item()]


def switching_to_the_smallest() -> str:
    model, states = small_network(), torch.randn(1, 5, 64)
    part = first_layer_of(model).intermediate
    neurons, stored = part(states).size(-1), part.dense.weight.numel()
    with at_width(model, 0.25):
        neurons_left, stored_then = part(states).size(-1), part.dense.weight.numel()
    print(f"neurons that are computed: {neurons}, then {neurons_left}")
    print(f"weights that are stored:   {stored}, then {stored_then}")
    return "DBAC"[2 * (neurons_left < neurons) + (stored_then < stored)]


def steps_for_one_shared_step() -> str:
    model, states, work = small_network(), torch.randn(1, 5, 64), []
    for width in (1.0, 0.5, 0.25):
        with at_width(model, width):
            neurons = first_layer_of(model).intermediate(states).size(-1)
        work.append(neurons * (64 + 64))  # each neuron reads 64 features and writes into 64
    print("multiplications of a token, at three widths:", work)
    print(f"all three together are {sum(work) / work[2]:.1f} times the smallest")
    return {3: "A", 7: "B", 4: "C", 1: "D"}[round(sum(work) / work[2])]


QUESTIONS = [
    Question(
        name="neurons_in_another_order",
        section=0,
        text="In a feed-forward network somebody shuffles the neurons: the rows of the first matrix, its"
        " biases and the columns of the second matrix, all in the same order. What happens to the outputs?",
        options=(
            Wrong(
                "All change a little, because each neuron now writes into another feature.",
                "a_neuron_writes_to_its_own_place",
                "A neuron's column came along: it writes into the same features as before, only earlier or"
                " later in the sum.",
            ),
            Wrong(
                "They stay only if the new order goes by importance, the best first.",
                "only_sorting_is_harmless",
                "Sorting by importance is one order among many, and each of them leaves the sum as it is."
                " Importance matters once we cut.",
            ),
            Wrong(
                "They are lost until the next layer is shuffled in the same order.",
                "an_order_must_be_passed_on",
                "What leaves the network are features, in their old order. The order of the neurons ends at"
                " the second matrix.",
            ),
            Right(
                "They stay, because each output adds up the same terms in another order.",
                "Row, bias and column of a neuron moved together, and a sum doesn't depend on the order of"
                " its terms.",
            ),
        ),
        shows=neurons_in_another_order,
        seconds=60,
        guessed=((25, 15, 20, 40), (10, 5, 10, 75)),
    ),
    Question(
        name="two_backward_passes",
        section=1,
        text="In one step the network runs whole and then as its narrow half. backward() follows each run,"
        " and step() comes once, at the end. Which gradient do the weights of the half get?",
        options=(
            Wrong(
                "That of the narrow run alone, because it was computed last.",
                "the_last_backward_counts",
                "backward() doesn't overwrite a gradient, it adds to it. That is why zero_grad() is needed"
                " before a step.",
            ),
            Wrong(
                "That of the whole run alone, because the half is a copy.",
                "a_slice_is_a_copy",
                "A slice is a view: it shows the whole network's own numbers, so its gradient arrives there.",
            ),
            Right(
                "The sum of both, because backward() adds to what is there.",
                "The half's weights took part in both runs, and their two gradients are added up before the"
                " weights move once.",
            ),
            Wrong(
                "The mean of both, because both runs belong to one step.",
                "gradients_of_a_step_are_averaged",
                "Nobody divides by the number of runs: two calls of backward() add, and the step is that"
                " much longer.",
            ),
        ),
        shows=two_backward_passes,
        seconds=60,
        guessed=((25, 10, 45, 20), (10, 5, 75, 10)),
    ),
    Question(
        name="switching_to_the_smallest",
        section=3,
        text="An app carries one file that holds all sizes of a network. When the battery is low, it"
        " switches from the whole to the narrowest size. What does the switch save?",
        options=(
            Right(
                "Time on each text, but no storage: the file holds all sizes.",
                "A narrow size multiplies fewer rows and columns, but the other ones wait in the same file.",
            ),
            Wrong(
                "Storage, but no time: the rest is multiplied as zeros.",
                "what_is_left_out_is_multiplied_as_0",
                "A size is a slice, not a mask: what lies outside of it isn't multiplied at all.",
            ),
            Wrong(
                "Time and storage alike, each by the share left out.",
                "a_size_is_a_file_of_its_own",
                "That would be so if the size were cut out into a file of its own. Then the app couldn't"
                " switch back.",
            ),
            Wrong(
                "Neither, until the narrow size is trained by itself.",
                "a_size_is_trained_when_it_is_chosen",
                "All sizes were trained together, before the file was shipped. Choosing one trains nothing.",
            ),
        ),
        shows=switching_to_the_smallest,
        seconds=45,
        guessed=((50, 10, 30, 10), (80, 5, 10, 5)),
    ),
    Question(
        name="steps_for_one_shared_step",
        section=4,
        text="A step trains one network at three sizes, whose runs cost 1, 1/2 and 1/4. How many steps of"
        " the smallest size alone take as much arithmetic?",
        options=(
            Wrong(
                "Three, because the step has three runs, and this is one.",
                "all_shares_are_equal",
                "The runs don't cost alike: the whole network's run alone costs four runs of the smallest.",
            ),
            Right(
                "Seven, because the three runs cost seven quarters.",
                "1 + 1/2 + 1/4 is seven times 1/4, so with equal steps the small network alone has had a"
                " seventh of the arithmetic.",
            ),
            Wrong(
                "Four, because the whole network costs four quarters.",
                "smaller_sizes_come_free",
                "The smaller sizes share the weights, but each needs forward and backward passes of its own.",
            ),
            Wrong(
                "One, because either step reads equally many texts.",
                "equal_steps_are_an_equal_budget",
                "Equal steps see equally many texts. But a step at three sizes computes far more than a step"
                " of the smallest.",
            ),
        ),
        shows=steps_for_one_shared_step,
        seconds=60,
        guessed=((15, 50, 20, 15), (5, 80, 10, 5)),
    ),
]
