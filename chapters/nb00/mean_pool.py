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
             edit(RETURN, "(hidden * mask).mean(dim=0)"), edit(RETURN, f"({RETURN}).unsqueeze(1)"))),
        Mistake("other_tokens", "Average over the tokens whose mask is 1: all of them, [CLS] too, and no"
            " others. Each text has its own mask, and padding may stand before the text or amid it.",
            (*(edit(RETURN, f"hidden[{at}]") for at in (":, 0", f"range(len(hidden)), {COUNT}[:, 0] - 1")),
             edit("hidden * mask).sum(dim=1)", "hidden * mask)[:, 1:].sum(dim=1)"),
             edit(RETURN, "(hidden * mask)[:, 1:].sum(dim=1) / mask[:, 1:].sum(dim=1)"),
             edit("attention_mask.uns", f"(torch.arange(hidden.size(1)) < {COUNT}).uns"),
             edit(RETURN, "hidden[:, : int(mask[0].sum())].mean(dim=1)"))),
    ],
    hints=("Add up some of the places and divide by how many they are. The mask is 1 there and 0 elsewhere.",
           "hidden is [B, T, D]; attention_mask[..., None] is [B, T, 1] and can be multiplied with it.",
           "mask = attention_mask[..., None]; then (hidden * mask).sum(dim=1) / mask.sum(dim=1)."),
    use=lambda candidate, model: replaced(similarity, "mean_pool", candidate),
)
# fmt: on
