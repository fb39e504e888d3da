"""What a masked language model reads, and its labels, given the draws."""

from collections.abc import Iterator

import torch
from torch import Tensor

from lib.exercises.spec import Exercise, Mistake, edit
from lib.text import masking

READ = "torch.where(swapped, random_ids, corrupted)"
LABELS = "input_ids.masked_fill(~chosen, IGNORED)"


def cases(seed: int) -> Iterator[tuple[Tensor, Tensor, Tensor, Tensor, int]]:
    """A draw of each kind beside pieces not chosen; draws on boundaries; random batches; none chosen."""
    yield (
        torch.tensor([[2, 11, 12, 13, 14, 15, 3]]),
        torch.tensor([[False, True, True, True, False, False, False]]),
        torch.tensor([[0.3, 0.5, 0.85, 0.95, 0.5, 0.85, 0.1]]),
        torch.tensor([[91, 92, 93, 94, 95, 96, 97]]),
        4,
    )
    ids, random_ids = torch.tensor([[11, 12, 13, 14]]), torch.tensor([[91, 92, 93, 94]])
    yield ids, torch.ones(1, 4).bool(), torch.tensor([[0.0, 0.8, 0.9, 0.79]]), random_ids, 4
    generator = torch.Generator().manual_seed(seed)
    for rows, length, share in [(2, 20, 0.5), (3, 30, 0.8), (1, 6, 0.0)]:
        yield (
            torch.randint(5, 90, (rows, length), generator=generator),
            torch.rand(rows, length, generator=generator) < share,
            torch.rand(rows, length, generator=generator),
            torch.randint(100, 200, (rows, length), generator=generator),
            4,
        )


EXERCISE = Exercise(
    name="corrupt",
    minutes=8,
    difficulty=2,
    reference=masking.corrupt,
    cases=cases,
    returns=("the tokens to read", "the labels"),
    mistakes=[
        Mistake(
            "all_masked",
            "You put [MASK] at every chosen place. Of these 80 % become [MASK]; `draws` decides, and 10 % get"
            " another token, 10 % stay.",
            edit("chosen & (draws < mask)", "chosen").then(READ, "corrupted"),
        ),
        Mistake(
            "none_swapped",
            "The [MASK]s are right. But between 0.8 and 0.9 a chosen token becomes the one in `random_ids`;"
            " yours stays.",
            edit(READ, "corrupted"),
        ),
        Mistake(
            "of_all_pieces",
            "You let `draws` decide over every token. It is 80 % of the chosen, not 80 % of the text: combine"
            " `draws` with `chosen`.",
            (
                edit("chosen & (draws < mask)", "draws < mask").then(
                    "chosen & (draws >= mask)", "(draws >= mask)"
                ),
                edit("chosen & (draws < mask)", "draws < mask"),
                edit("chosen & (draws >= mask)", "(draws >= mask)"),
            ),
        ),
        Mistake(
            "masks_overwritten",
            "draws < 0.9 is also true where draws < 0.8, so the tokens of `random_ids` overwrite the"
            " [MASK]s. Ask for both: draws >= 0.8 and draws < 0.9.",
            edit("chosen & (draws >= mask) & ", "chosen & "),
        ),
        Mistake(
            "never_stays",
            "None of the chosen stays: from a draw of 0.9 on a token stays as it is.",
            edit(" & (draws < mask + random)", ""),
        ),
        Mistake(
            "ends_swapped",
            "The shares are right, but the ranges are not those of the docstring: `random_ids` from 0.8 to"
            " 0.9, unchanged from 0.9.",
            tuple(
                edit("(draws >= mask) & (draws < mask + random)", f"(draws {above} mask + random)")
                for above in (">=", ">")
            ),
        ),
        Mistake(
            "boundary",
            "What lies exactly at 0.8 or 0.9 goes to the wrong side: below 0.8 a token becomes [MASK], from"
            " 0.8 to below 0.9 another one, from 0.9 on it stays.",
            (
                edit("draws >= mask)", "draws > mask)"),
                edit("mask + random)", "mask + random + 1e-6)"),
                edit("draws < mask)", "draws <= mask)").then("draws >= mask)", "draws > mask)"),
                edit("draws < mask)", "draws <= mask)")
                .then("draws >= mask)", "draws > mask)")
                .then("draws < mask + random", "draws <= mask + random"),
            ),
        ),
        Mistake(
            "label_everywhere",
            "You give every place a label. Then most of the loss is about tokens that stand there in plain"
            " sight: -100 where nothing was chosen.",
            edit(LABELS, "input_ids"),
        ),
        Mistake(
            "label_of_what_is_read",
            "Your labels hold what the model reads. It is to say what stood there before.",
            edit(LABELS, f"{READ}.masked_fill(~chosen, IGNORED)"),
        ),
        Mistake(
            "no_label_where_it_stayed",
            "Where a chosen token stayed as it is, your label is -100. It was chosen all the same: the model"
            " has to name it, and cannot know that it may trust it.",
            edit("~chosen", f"{READ} == input_ids"),
        ),
        Mistake(
            "label_behind_masks_alone",
            "Only the [MASK]s have a label in yours. The swapped tokens and those that stayed are asked for"
            " too.",
            edit("~chosen", "~chosen | (draws >= mask)"),
        ),
        Mistake(
            "label_upside_down",
            "The -100s stand at the chosen places, so only the others would be learned. Turn the condition"
            " around.",
            edit("~chosen", "chosen"),
        ),
        Mistake(
            "zero_for_ignored",
            "0 is a token, [PAD]. The loss leaves out -100 and nothing else.",
            edit("IGNORED", "0"),
        ),
    ],
    hints=(
        "Two questions for each place: was it chosen? If so, in which of three ranges does its draw lie?",
        "All four tensors are [B, T]. A condition such as chosen & (draws < 0.8) is [B, T] too, and"
        " torch.where(condition, a, b) takes from a where it is true.",
        "read = torch.where(chosen & (draws < 0.8), mask_token_id, input_ids); a second torch.where puts in"
        " `random_ids`; labels = torch.where(chosen, input_ids, -100).",
    ),
    why="The loss is asked at all chosen places, also where nothing changed.",
    box="mlm_head",
)
