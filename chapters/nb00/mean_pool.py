"""One vector a text: the average of its real tokens."""

from collections.abc import Iterator

import torch
from torch import Tensor

from lib.analysis.vectors import similarity
from lib.exercises.inside import replaced
from lib.exercises.spec import Exercise, Mistake, edit

RETURN = "(hidden * mask).sum(dim=1) / mask.sum(dim=1)"
COUNT = "attention_mask.sum(dim=1, keepdim=True)"


def cases(seed: int) -> Iterator[tuple[Tensor, Tensor]]:
    """Padding behind, before and amid the text, and none; two real tokens at least in each."""
    generator = torch.Generator().manual_seed(seed)
    for mask in [
        [[1, 1, 1, 0], [1, 1, 0, 0]],
        [[1, 1, 1]],
        [[0, 0, 1, 1, 1], [0, 0, 0, 1, 1]],
        [[1, 0, 1, 1, 0, 0], [1, 1, 1, 0, 1, 0], [1, 1, 0, 1, 1, 1]],
    ]:
        yield torch.randn(len(mask), len(mask[0]), 7, generator=generator), torch.tensor(mask)


def weights_in(answer: Tensor, hidden: Tensor, _mask: Tensor) -> Tensor:
    """How much of each vector is in the answer, [B, T]; no text has more tokens than a vector has features.

    All are 0 where the answer is no sum of them.
    """
    weights = torch.linalg.lstsq(hidden.mT, answer[..., None]).solution  # [B, T, 1]
    if not torch.allclose((hidden.mT @ weights)[..., 0], answer, atol=1e-4):
        return torch.zeros(hidden.shape[:2])
    return torch.where(weights[..., 0].abs() < 1e-4, 0, weights[..., 0])


# fmt: off
EXERCISE = Exercise(
    name="mean_pool", minutes=6, difficulty=1, reference=similarity.mean_pool, cases=cases,
    alike=[edit("hidden * mask", "mask * hidden")],
    mistakes=[
        Mistake("padding_counts", "You average over all places, padding too. Padding is no word: multiply by"
            " the mask, and divide by how many real tokens there are.", edit(RETURN, "hidden.mean(dim=1)")),
        Mistake("mask_inverted", "Upside down: you average the padding. The mask is 1 at real tokens, so use"
            " it as it is.",
            (edit("attention_mask.unsqueeze", "(attention_mask == 0).unsqueeze"),
             edit("hidden * mask", "hidden * (1 - mask)"))),
        Mistake("wrong_divisor", "Each vector is right but for its length: you divide by another number, or"
            " by none. Divide the sum by the number of real tokens, which each text has its own of: the sum"
            " of its mask.",
            when=lambda arguments, answer, expected: torch.allclose(
                similarity.cosine(answer, expected).diagonal(), torch.ones(len(answer)), atol=1e-5),
            example=edit("mask.sum(dim=1)", "mask.sum()")),
        Mistake("another_shape", "Add up over the tokens, dimension 1 of hidden, and over nothing else. That"
            " leaves one vector for each text, [B, D].",
            (edit(RETURN, "hidden[attention_mask == 1].mean(dim=0)"),
             edit(RETURN, "(hidden * mask).mean(dim=0)"),
             edit(RETURN, "(hidden * mask).sum(dim=0) / mask.sum(dim=0)"),
             edit(RETURN, f"({RETURN}).unsqueeze(1)"))),
        Mistake("other_tokens", "Average over the tokens whose mask is 1: all of them, [CLS] too, and no"
            " others. Each text has its own mask, and padding may stand before the text or amid it.",
            (*(edit(RETURN, f"hidden[{at}]") for at in (":, 0", f"range(len(hidden)), {COUNT}[:, 0] - 1")),
             edit("hidden * mask).sum(dim=1)", "hidden * mask)[:, 1:].sum(dim=1)"),
             edit(RETURN, "(hidden * mask)[:, 1:].sum(dim=1) / mask[:, 1:].sum(dim=1)"),
             edit("attention_mask.uns", f"(torch.arange(hidden.size(1)) < {COUNT}).uns"),
             edit(RETURN, "hidden[:, : int(mask[0].sum())].mean(dim=1)"),
             edit(RETURN, "(hidden * mask)[:, 1:-1].sum(dim=1) / mask[:, 1:-1].sum(dim=1)"))),
        Mistake("mask_without_its_axis", "hidden is [B, T, D] and the mask [B, T], and axes are matched from"
            " the last, so T meets D. Give the mask a last axis of size 1, attention_mask[..., None], before"
            " you multiply.", (edit(".unsqueeze(-1)", ""), edit(".unsqueeze(-1)", ".unsqueeze(1)"))),
        Mistake("divisor_without_its_axis", "The sums are [B, D] and your divisor is [B], and axes are"
            " matched from the last, so B meets D. Sum the mask with its extra axis, attention_mask[...,"
            " None].sum(dim=1), which is [B, 1].",
            (edit("/ mask.sum(dim=1)", "/ attention_mask.sum(dim=1)"),
             edit("/ mask.sum(dim=1)", "/ attention_mask.sum(dim=0)"))),
        Mistake("largest_for_the_average", "You take the largest number of each feature. Asked is the"
            " average: a sum, divided by how many tokens are real.",
            (edit(RETURN, "(hidden * mask).amax(dim=1)"),
             edit(RETURN, "hidden.masked_fill(mask == 0, -torch.inf).amax(dim=1)"),
             edit(RETURN, "hidden.amax(dim=1)"))),
        Mistake("whole_numbers_in_a_product", "A matrix product wants one type for both sides, and the mask"
            " holds whole numbers, hidden real ones: attention_mask.to(hidden.dtype).",
            edit(RETURN, "(attention_mask.unsqueeze(1) @ hidden).squeeze(1) / mask.sum(dim=1)")),
        Mistake("padding_has_a_share", "Padding has a share in your average. Multiply by the mask, which is 0"
            " there, before you add up, and divide by the sum of the mask.",
            when=lambda arguments, answer, _: bool(
                (weights_in(answer, *arguments) * (arguments[1] == 0)).any()),
            example=edit("hidden * mask", "hidden * (1 + mask) / 2")),
        Mistake("token_without_a_share", "A real token has no share in your average. All count whose mask is"
            " 1, and each as much as any other.",
            when=lambda arguments, answer, _: bool(
                ((weights_in(answer, *arguments) == 0) & (arguments[1] == 1)).any()),
            example=edit("hidden * mask).sum(dim=1)", "hidden * mask)[:, :-1].sum(dim=1)")),
        Mistake("unequal_shares", "Real tokens have unequal shares in your average. Each counts once: the sum"
            " of their vectors, divided by how many they are.",
            when=lambda arguments, answer, _: bool(weights_in(answer, *arguments).any()),
            example=edit("hidden * mask", "hidden * mask * (1 + mask.cumsum(dim=1))")),
        Mistake("mask_added", "You add the mask to the vectors, or take it off. Multiply: 1 keeps a vector, 0"
            " makes it vanish.",
            (edit("hidden * mask", "hidden + mask"), edit("hidden * mask", "hidden - (1 - mask)"))),
        Mistake("one_number", "You add up everything. Only the tokens are added up, dimension 1 of hidden:"
            " [B, D] is left.", edit(RETURN, "(hidden * mask).sum() / mask.sum()")),
    ],
    hints=("Add up some of the places and divide by how many they are. The mask is 1 there and 0 elsewhere.",
           "hidden is [B, T, D]; attention_mask[..., None] is [B, T, 1] and can be multiplied with it.",
           "mask = attention_mask[..., None]; then (hidden * mask).sum(dim=1) / mask.sum(dim=1)."),
    use=lambda candidate, model: replaced(similarity, "mean_pool", candidate),
)
# fmt: on
