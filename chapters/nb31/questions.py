"""Questions for a vote on factors and on layers that share their weights."""

import torch
from torch import nn

from lib.bert.factors import factorize, factorize_for_inputs
from lib.questions import Question, Right, Wrong


def rows_that_nobody_reads() -> str:
    tokens = torch.tensor([101, 1996, 2158, 102])  # a text of four tokens
    large = nn.Embedding(30_522, 384)
    small = nn.Embedding(10_522, 384)
    read_of_large, read_of_small = large(tokens).numel(), small(tokens).numel()
    print(f"stored: {large.weight.numel():,} numbers, then {small.weight.numel():,}")
    print(f"read:   {read_of_large:,} numbers, then {read_of_small:,}; none is multiplied")
    share = read_of_small / read_of_large
    return "C" if share == 1 else "D" if share > 1 else "AB"[share < 0.4]


def factors_of_rank_60() -> str:
    torch.manual_seed(0)
    matrix = torch.randn(100, 100)
    left, right = factorize(matrix, rank=60)
    stored = left.numel() + right.numel()
    print(f"factors {tuple(left.shape)} and {tuple(right.shape)}")
    print(f"{stored:,} numbers in place of {matrix.numel():,}")
    return {60: "A", 36: "B", 100: "C", 120: "D"}[100 * stored // matrix.numel()]


def a_feature_that_is_always_0() -> str:
    torch.manual_seed(0)
    weight, inputs, lost = torch.randn(8, 8), torch.randn(50, 8), []
    weight[:, 0] *= 20  # the first column, by far the largest
    inputs[:, 0] = 0  # and the feature that it meets
    for left, right in (factorize(weight, 2), factorize_for_inputs(weight, inputs, 2)):
        lost.append((weight - left @ right)[:, 0].norm() / weight[:, 0].norm())
    print(f"lost of the column: cut for the weights {lost[0]:.0%}, for the inputs {lost[1]:.0%}")
    return "ABCD"[2 * (lost[0] > 0.1) + (lost[1] > 0.1)]


def costs_of_a_step(layers: nn.Sequential) -> dict[str, int]:
    """How many numbers a training step keeps, or a file; what is shared counts once."""
    weights = sum(weight.numel() for weight in layers.parameters())
    states, activations = torch.randn(32, 64), 0
    for layer in layers:
        states = layer(states)
        activations += states.numel()  # the backward pass needs what each run gave
    return {"gradients": weights, "file": weights, "Adam": 2 * weights, "activations": activations}


def one_layer_six_times() -> str:
    six = nn.Sequential(*[nn.Linear(64, 64) for _ in range(6)])
    shared = nn.Sequential(*[six[0]] * 6)
    before, after = costs_of_a_step(six), costs_of_a_step(shared)
    print("six layers:          ", before)
    print("one layer, six times:", after)
    stays = [before[cost] == after[cost] for cost in ("gradients", "file", "Adam", "activations")]
    return "ABCD"[stays.index(True)]


QUESTIONS = [
    Question(
        name="rows_that_nobody_reads",
        section=0,
        text="MiniLM's table of words has 30,522 rows. Somebody deletes 20,000 of them, none of which a text"
        " uses. How does the time for this text change?",
        options=(
            Wrong(
                "It falls by a third, like the number of the model's weights.",
                "a_small_file_runs_faster",
                "Bytes that a text never touches take no time. The layers, which take nearly all of it, are"
                " as before.",
            ),
            Wrong(
                "It falls, because each token is compared with fewer rows.",
                "a_lookup_compares_all_rows",
                "Nothing is compared: a token's number is the place of its row.",
            ),
            Right(
                "Hardly at all, because a lookup reads one row for a token.",
                "The row is found by its number and copied, however many others stand in the table.",
            ),
            Wrong(
                "It rises, because each token's old number is translated.",
                "smaller_models_unpack_as_they_run",
                "The words that are left get new numbers once, in the vocabulary. Nothing is translated while"
                " a text is read.",
            ),
        ),
        shows=rows_that_nobody_reads,
        seconds=45,
        guessed=((25, 25, 45, 5), (10, 10, 80, 0)),
    ),
    Question(
        name="factors_of_rank_60",
        section=1,
        text="A matrix of 100 × 100 numbers is replaced by two factors of rank 60. How does the size of the"
        " file change?",
        options=(
            Wrong(
                "It shrinks to 60%, because 60 of 100 directions are left.",
                "all_is_in_proportion",
                "A direction is stored twice, as a column of the left and as a row of the right factor.",
            ),
            Wrong(
                "It shrinks to 36%, as 60% of rows and columns are left.",
                "a_lower_rank_is_a_smaller_matrix",
                "The product is still 100 × 100. Its rank is lower, which means its rows are mixtures of 60"
                " others.",
            ),
            Wrong(
                "It stays the same, because the product has the old shape.",
                "factors_are_stored_as_their_product",
                "The product is never stored. The file holds the two factors, and a text passes through one"
                " after the other.",
            ),
            Right(
                "It grows by a fifth, because each factor has 6,000 numbers.",
                "Two factors of rank r hold 200 r numbers, which is less than 10,000 only up to rank 49.",
            ),
        ),
        shows=factors_of_rank_60,
        seconds=60,
        guessed=((35, 15, 15, 35), (10, 5, 10, 75)),
    ),
    Question(
        name="a_feature_that_is_always_0",
        section=2,
        text="The first feature that a layer reads is 0 in every text, and the first column of its matrix,"
        " which meets it, holds by far the largest weights. Which cut to a low rank keeps this column nearly"
        " as it is?",
        options=(
            Wrong(
                "Both, because the largest weights matter most for outputs.",
                "size_is_importance",
                "A weight matters through what it is multiplied with. A large one times 0 gives 0.",
            ),
            Right(
                "The cut for the weights alone: no output needs this column.",
                "The cut for the weights looks for the largest numbers, and the cut for the inputs for those"
                " that make the outputs.",
            ),
            Wrong(
                "The cut for the inputs alone: it keeps every input feature.",
                "a_cut_for_inputs_keeps_every_feature",
                "It keeps what real inputs send into the outputs. This feature sends nothing.",
            ),
            Wrong(
                "Neither: a low rank has no room for one column by itself.",
                "a_low_rank_has_no_room_for_a_column",
                "A single column is a matrix of rank 1. If it is large, it is the first direction that the"
                " cut for the weights takes.",
            ),
        ),
        shows=a_feature_that_is_always_0,
        seconds=75,
        guessed=((20, 50, 20, 10), (5, 80, 10, 5)),
    ),
    Question(
        name="one_layer_six_times",
        section=4,
        text="The six layers of a BERT become one layer that runs six times, and it is trained as before."
        " Which of these stays as large as it was?",
        options=(
            Wrong(
                "The memory for gradients: each run has gradients of its own.",
                "a_shared_weight_has_many_gradients",
                "The gradients of the six runs are added up in one place, so they take a sixth of the"
                " memory.",
            ),
            Wrong(
                "The size of a saved file: the layer stands in it six times.",
                "a_shared_layer_is_saved_six_times",
                "One set of weights under six names is stored once.",
            ),
            Wrong(
                "The memory for Adam's averages: each run updates its own.",
                "each_run_has_its_own_optimizer",
                "Adam keeps two numbers for each weight, and there are a sixth as many weights.",
            ),
            Right(
                "The memory for activations: each run keeps what it computed.",
                "The backward pass goes through all six runs and needs what went into each of them.",
            ),
        ),
        shows=one_layer_six_times,
        seconds=60,
        guessed=((20, 15, 15, 50), (5, 5, 10, 80)),
    ),
]
