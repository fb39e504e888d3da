"""One vector a text: the average of its real tokens."""

from collections.abc import Iterator

import torch
from torch import Tensor

from lib.analysis.vectors import similarity
from lib.exercises.inside import replaced
from lib.exercises.spec import Exercise, Mistake, edit

RETURN = "(hidden * mask).sum(dim=1) / mask.sum(dim=1)"
FIRST = "torch.arange(hidden.size(1)) < attention_mask.sum(dim=1, keepdim=True)"


def cases(seed: int) -> Iterator[tuple[Tensor, Tensor]]:
    """Padding behind, before and amid the text, and none; two real tokens at least in each."""
    generator = torch.Generator().manual_seed(seed)
    for mask, size in [
        ([[1, 1, 1, 0], [1, 1, 0, 0]], 3),
        ([[1, 1, 1]], 2),
        ([[1, 1, 1, 1, 1, 1, 0], [1, 1, 0, 0, 0, 0, 0], [1, 1, 1, 1, 0, 0, 0]], 6),
        ([[0, 0, 1, 1, 1], [0, 0, 0, 1, 1]], 3),
        ([[1, 0, 1, 1, 0, 0], [1, 1, 1, 0, 1, 0], [1, 1, 0, 1, 1, 1]], 4),
    ]:
        attention_mask = torch.tensor(mask)
        yield torch.randn(*attention_mask.shape, size, generator=generator), attention_mask


EXERCISE = Exercise(
    name="mean_pool",
    minutes=6,
    difficulty=1,
    reference=similarity.mean_pool,
    cases=cases,
    alike=[edit("hidden * mask", "mask * hidden")],
    mistakes=[
        Mistake(
            "padding_counts",
            "You average over all places, padding too. Padding is no word: multiply by the mask, and divide"
            " by how many real tokens there are.",
            edit(RETURN, "hidden.mean(dim=1)"),
        ),
        Mistake(
            "divided_by_length",
            "The padding is out of the sum, but you still divide by the full length. Divide by the number of"
            " real tokens, which is the sum of the mask.",
            edit("/ mask.sum(dim=1)", "/ hidden.size(1)"),
        ),
        Mistake(
            "padding_in_the_sum",
            "You divide by the right number, but the padding is still in the sum.",
            edit("(hidden * mask)", "hidden"),
        ),
        Mistake(
            "mask_inverted",
            "Upside down: you average the padding. The mask is 1 at real tokens, so use it as it is.",
            (
                edit("attention_mask.unsqueeze", "(attention_mask == 0).unsqueeze"),
                edit("hidden * mask", "hidden * (1 - mask)"),
            ),
        ),
        Mistake(
            "wrong_divisor",
            "Each vector is right but for its length: you divide by another number, or by none. Divide the"
            " sum by the number of real tokens, which each text has its own of: the sum of its mask.",
            when=lambda arguments, answer, expected: torch.allclose(
                similarity.cosine(answer, expected).diagonal(), torch.ones(len(answer)), atol=1e-5
            ),
            example=edit("mask.sum(dim=1)", "mask.sum()"),
        ),
        Mistake(
            "indexed_with_the_mask",
            "An index of True and False puts the tokens of all texts in one row, and which belong together"
            " is lost: multiply by the mask instead.",
            tuple(edit(RETURN, f"hidden[attention_mask == 1]{mean}") for mean in ("", ".mean(dim=0)")),
        ),
        Mistake(
            "not_added_up",
            "There is still a vector for each token: add them up, over dimension 1.",
            (edit(RETURN, "hidden * mask"), edit("(hidden * mask).sum(dim=1)", "(hidden * mask)")),
        ),
        Mistake(
            "kept_dimension",
            "The numbers are right, but the tokens' dimension is still there, of size 1: leave keepdim out of"
            " the sum over hidden.",
            edit(RETURN, f"({RETURN}).unsqueeze(1)"),
        ),
        Mistake(
            "over_the_features",
            "You average over the features, so one number is left for each token. Average over the tokens,"
            " dimension 1.",
            (edit(RETURN, "hidden.mean(dim=-1)"), edit(RETURN, "(hidden * mask).mean(dim=-1)")),
        ),
        Mistake(
            "over_the_texts",
            "You average over dimension 0, the texts. The tokens of a text are dimension 1.",
            (
                edit(RETURN, "hidden.mean(dim=0)"),
                edit(RETURN, "(hidden * mask).mean(dim=0)"),
                edit(RETURN, "(hidden * mask).sum(dim=0) / mask.sum(dim=0)"),
            ),
        ),
        Mistake(
            "mask_of_two_dimensions",
            "[B, T] does not line up with [B, T, D]: give the mask a third dimension at its end,"
            " attention_mask[..., None].",
            (edit("hidden * mask", "hidden * attention_mask"), edit(".unsqueeze(-1)", ".unsqueeze(1)")),
        ),
        Mistake(
            "divisor_of_one_dimension",
            "The divisor is [B], one number a text; to divide [B, D] it has to be [B, 1]:"
            " attention_mask.sum(dim=1, keepdim=True).",
            edit("/ mask.sum(dim=1)", "/ attention_mask.sum(dim=1)"),
        ),
        Mistake(
            "single_token",
            "That is the vector of one token of each text. Average over all its real tokens.",
            (
                edit(RETURN, "hidden[:, 0]"),
                edit(RETURN, "hidden[:, -1]"),
                edit(RETURN, "hidden[torch.arange(len(hidden)), attention_mask.sum(dim=1) - 1]"),
            ),
        ),
        Mistake(
            "without_the_first",
            "You leave out the first token, [CLS]. It is a real token here: the mask decides, nothing else.",
            (
                edit("hidden * mask).sum(dim=1)", "hidden * mask)[:, 1:].sum(dim=1)"),
                edit(RETURN, "(hidden * mask)[:, 1:].sum(dim=1) / mask[:, 1:].sum(dim=1)"),
            ),
        ),
        Mistake(
            "maximum",
            "That is the largest value of each feature, max pooling. Take the average.",
            (
                edit(RETURN, "hidden.amax(dim=1)"),
                edit(RETURN, "(hidden * mask).amax(dim=1)"),
                edit(RETURN, "hidden.masked_fill(mask == 0, -torch.inf).amax(dim=1)"),
            ),
        ),
        Mistake(
            "first_places",
            "Right where padding stands at the end alone. A mask need not begin with its 1s: padding may"
            " stand first, or amid the text. Use the mask itself, not how many 1s it has.",
            edit("attention_mask.unsqueeze", f"({FIRST}).unsqueeze"),
        ),
        Mistake(
            "cut",
            "You cut all texts to the length of one and lose real tokens. Each text has its own mask.",
            (
                edit(RETURN, "hidden[:, : int(mask[0].sum())].mean(dim=1)"),
                edit(RETURN, "hidden[:, : int(mask.sum(dim=1).min())].mean(dim=1)"),
            ),
        ),
    ],
    hints=(
        "An average over some of the places: add those up, divide by how many they are. The mask is 1 there"
        " and 0 elsewhere.",
        "hidden is [B, T, D] and the mask [B, T]; attention_mask[..., None] is [B, T, 1] and can be"
        " multiplied with hidden.",
        "mask = attention_mask[..., None]; then (hidden * mask).sum(dim=1) / mask.sum(dim=1).",
    ),
    use=lambda candidate, model: replaced(similarity, "mean_pool", candidate),
)
