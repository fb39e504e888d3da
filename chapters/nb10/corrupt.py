"""What a masked language model reads, and its labels, given the draws."""

from collections.abc import Iterator

import torch
from torch import Tensor

from chapters.nb10 import answers
from lib.exercises.spec import Exercise, Mistake, edit

SWAP = "    read = torch.where(swapped, random_ids, read)\n"
LABELS = "torch.where(chosen, input_ids, -100)"


def cases(seed: int) -> Iterator[tuple[Tensor, Tensor, Tensor, Tensor, int]]:
    """A draw of each kind, also where nothing was chosen; draws on boundaries; random ones."""
    torch.manual_seed(seed)
    some = torch.tensor([[False, True, True, True, False, False, False]])
    yield (
        torch.arange(10, 17)[None],
        some,
        torch.tensor([[0.3, 0.5, 0.85, 0.95, 0.5, 0.85, 0.1]]),
        torch.arange(91, 98)[None],
        4,
    )
    ids, random_ids = torch.tensor([[11, 12, 13, 14]]), torch.tensor([[91, 92, 93, 94]])
    yield ids, torch.ones(1, 4).bool(), torch.tensor([[0.0, 0.8, 0.9, 0.79]]), random_ids, 4
    ids, random_ids = torch.randint(5, 90, (2, 20)), torch.randint(100, 200, (2, 20))
    yield ids, torch.rand(2, 20) < 0.5, torch.rand(2, 20), random_ids, 4


# fmt: off
EXERCISE = Exercise(
    name="corrupt", minutes=8, difficulty=2, reference=answers.corrupt, cases=cases,
    returns=("the tokens to read", "the labels"),
    mistakes=[
        Mistake("all_masked", "Not every chosen token becomes [MASK]: `draws` decides for 80 %; 10 % get"
            " another, 10 % stay.", edit("chosen & (draws < 0.8)", "chosen").then(SWAP, "")),
        Mistake("of_all_pieces", "You let `draws` decide over every token. It is 80 % of the chosen, not 80 %"
            " of the text: combine `draws` with `chosen`.",
            (edit("chosen & (draws < 0.8)", "draws < 0.8"),
             edit("chosen & (draws < 0.8)", "draws < 0.8").then("chosen & (draws >=", "(draws >="))),
        Mistake("wrong_ranges", "Below 0.8 a chosen token becomes [MASK]; from 0.8 to below 0.9 it becomes"
            " that of `random_ids`, and [MASK]s stay; from 0.9 on it stays as it is.",
            (edit(SWAP, ""), edit("chosen & (draws >= 0.8) & ", "chosen & "),
             edit(" & (draws < 0.9)", ""),
             edit("(draws >= 0.8) & (draws < 0.9)", "(draws > 0.9)"),
             edit("draws < 0.8)", "draws <= 0.8)")
                 .then("draws >= 0.8) & (draws <", "draws > 0.8) & (draws <="))),
        Mistake("wrong_labels", "The label says what stood there before, at every chosen place, whatever the"
            " model reads there. Where nothing was chosen it is -100, and not 0, which is a token.",
            (edit(LABELS, "input_ids"),
             *(edit(LABELS, f"torch.where({other})")
               for other in ("chosen, read, -100", "read != input_ids, input_ids, -100",
                             "masked | swapped, input_ids, -100", "chosen, -100, input_ids",
                             "chosen, input_ids, 0")))),
    ],
    hints=("Two questions for each place: was it chosen? If so, in which of three ranges does its draw lie?",
           "chosen & (draws < 0.8) is [B, T] too; torch.where(condition, a, b) takes from a where it is"
           " true.",
           "read = torch.where(chosen & (draws < 0.8), mask_token_id, input_ids); a second torch.where puts"
           " in `random_ids`; labels = torch.where(chosen, input_ids, -100)."),
    why="The loss is asked at all chosen places, also where nothing changed.", box="mlm_head",
)
# fmt: on
