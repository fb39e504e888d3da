"""Questions for a vote on one bit a weight."""

import torch

from lib.bert import BertConfig, BertModel
from lib.compression.elastic.sizes import Size, extracted
from lib.compression.quantizers.binary import pack_signs, xnor_dot
from lib.questions import Question, Right, Wrong


def matrices_at_half_the_width() -> str:
    sizes = BertConfig(100, 64, num_hidden_layers=2, num_attention_heads=4, intermediate_size=256)
    model, weights = BertModel(sizes), []
    for network in (model, extracted(model, Size(width=0.5))):
        matrices = [one for one in network.encoder.parameters() if one.dim() == 2]
        weights.append(sum(matrix.numel() for matrix in matrices))
    print(f"weights of the layers: {weights[0]:,}, at half of the width {weights[1]:,}")
    return {25: "A", 67: "B", 50: "C", 100: "D"}[round(100 * weights[1] / weights[0])]


def three_binary_weights() -> str:
    signs = torch.tensor([-1, 1])
    choices = torch.cartesian_prod(signs, signs, signs)  # eight ways to choose three signs
    sums = choices.sum(dim=1)
    print("sums of three signs:", sums.tolist())
    print("different ones:", sums.unique().tolist())
    return {7: "A", 3: "B", 8: "C", 4: "D"}[len(sums.unique())]


def two_sizes_that_differ() -> str:
    first, second = torch.tensor([0.21, -0.21]), torch.tensor([0.20, -0.20])
    sums = (first[:, None] + second[None, :]).flatten()
    values = sorted(round(value, 2) for value in sums.tolist())
    print("what the two matrices can add up to:", values)
    if 0 in values:
        return "A"
    return "C" if len(values) == 2 else "BD"[values[-1] < 0.4]


def every_bit_of_one_vector_flipped() -> str:
    generator = torch.Generator().manual_seed(0)
    x, w = pack_signs(torch.randn(2, 100, generator=generator))
    before, after = xnor_dot(x, w, 100), xnor_dot(x, ~w, 100)
    print(f"dot product of 100 signs: {before}; with every bit of w flipped: {after}")
    return {before: "A", 100 - before: "B", -before: "C", 0: "D"}[after]


QUESTIONS = [
    Question(
        name="matrices_at_half_the_width",
        section=0,
        text="A BERT is cut to half of the width: half of the heads and half of the neurons of each layer"
        " (notebook 28). What share of the weights in its layers' matrices is left?",
        options=(
            Wrong(
                "A quarter, because each matrix is halved on both sides.",
                "width_cuts_both_sides",
                "Hidden states keep all of their features, so the side of a matrix that meets them stays as"
                " long as it was.",
            ),
            Wrong(
                "Two thirds, because only the feed-forward part gets narrow.",
                "attention_has_no_width",
                "Half of the heads go as well, and with them half of the rows of query, key and value.",
            ),
            Right(
                "Half, because each matrix is halved on one of its sides.",
                "One side of each matrix meets heads or neurons and is halved. The other meets hidden"
                " states, which stay wide.",
            ),
            Wrong(
                "All, because the hidden states keep all of their features.",
                "wide_states_need_whole_matrices",
                "That keeps one side of each matrix whole. The other side belongs to heads or neurons, of"
                " which half are gone.",
            ),
        ),
        shows=matrices_at_half_the_width,
        seconds=60,
        guessed=((35, 15, 40, 10), (15, 5, 75, 5)),
    ),
    Question(
        name="three_binary_weights",
        section=2,
        text="Two binary weights of one size can add up to three values. How many values can three binary"
        " weights of one size add up to?",
        options=(
            Wrong(
                "Seven: 0, and once, twice or three times the size.",
                "every_multiple_can_be_made",
                "Three odd numbers never have an even sum, so 0 and twice the size can't be reached.",
            ),
            Wrong(
                "Three: 0 where signs differ, else three times the size.",
                "opposite_signs_always_cancel",
                "Two of three signs may differ and cancel. The third is left over, so the sum isn't 0.",
            ),
            Wrong(
                "Eight: one for each way to choose the three signs.",
                "each_combination_is_a_value",
                "A sum doesn't know which of the weights was negative: three of the eight ways give the same"
                " value.",
            ),
            Right(
                "Four: once or three times the size, with either sign.",
                "Only the number of minus signs counts, and it is 0, 1, 2 or 3.",
            ),
        ),
        shows=three_binary_weights,
        seconds=60,
        guessed=((20, 15, 20, 45), (5, 5, 10, 80)),
    ),
    Question(
        name="two_sizes_that_differ",
        section=3,
        text="A ternary matrix was split in two binary ones and trained on. Their sizes are now 0.21 and"
        " 0.20. Which values can the sum of the two have?",
        options=(
            Wrong(
                "0.41, 0 and −0.41, because opposite signs cancel.",
                "opposite_signs_always_cancel",
                "They cancel only if both sizes are equal. Here 0.01 is left over.",
            ),
            Right(
                "0.41, 0.01, −0.01 and −0.41, because two signs are free.",
                "Each matrix has its own sign, so there are four sums, and none of them is 0 once the sizes"
                " differ.",
            ),
            Wrong(
                "0.205 and −0.205, because a sum of binary weights is binary.",
                "a_sum_of_binary_weights_is_binary",
                "Adding is not averaging, and the signs may differ: then the sum is small and not a third"
                " binary weight.",
            ),
            Wrong(
                "0.21, 0.20, −0.20 and −0.21, because either one may count.",
                "a_sum_is_a_choice",
                "The two weights are added. Nobody chooses one of them.",
            ),
        ),
        shows=two_sizes_that_differ,
        seconds=45,
        guessed=((35, 45, 10, 10), (10, 85, 0, 5)),
    ),
    Question(
        name="every_bit_of_one_vector_flipped",
        section=4,
        text="x and w are vectors of 100 signs, packed into bits. Every bit of w is flipped, and the dot"
        " product is counted anew. What happens to it?",
        options=(
            Wrong(
                "Nothing, because XOR looks at differences, not at bits.",
                "xor_does_not_see_signs",
                "The differences are just what has changed: where two bits differed they now agree.",
            ),
            Wrong(
                "It becomes 100 minus what it was, as counts change places.",
                "agreements_are_the_dot_product",
                "That is true of the number of agreeing places. The product is agreements less"
                " disagreements.",
            ),
            Right(
                "It changes its sign, because each agreement becomes a difference.",
                "Each place brought +1 or −1 and now brings the opposite, so the sum does, too.",
            ),
            Wrong(
                "It becomes 0, because a bit of 0 adds nothing to a product.",
                "a_bit_of_0_adds_nothing",
                "A bit of 0 stands for the sign −1, not for the number 0, so it adds or takes away like any"
                " other.",
            ),
        ),
        shows=every_bit_of_one_vector_flipped,
        seconds=45,
        guessed=((10, 35, 50, 5), (5, 15, 80, 0)),
    ),
]
