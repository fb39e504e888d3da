"""What ELECTRA's discriminator reads, and which of its tokens were replaced."""

from collections.abc import Iterator

import torch
from torch import Tensor

from chapters.nb37 import electra
from lib.exercises.spec import Exercise, Mistake, edit

INPUTS = "torch.where(chosen, sampled, ids)"
LABELS = "labels = inputs != ids"


def cases(seed: int) -> Iterator[tuple[Tensor, Tensor, Tensor]]:
    """The sentence of the text, with a lucky sample; nothing chosen, all chosen; random ones."""
    yield (
        torch.tensor([[2, 11, 12, 13, 14, 3]]),
        torch.tensor([[False, True, False, True, True, False]]),
        torch.tensor([[0, 11, 0, 25, 26, 0]]),
    )
    ids = torch.tensor([[5, 6, 7], [7, 6, 5]])
    yield ids, torch.zeros(2, 3).bool(), ids + 40
    yield ids, torch.ones(2, 3).bool(), torch.tensor([[5, 9, 7], [8, 8, 5]])
    generator = torch.Generator().manual_seed(seed)
    for rows, length in ((2, 8), (3, 20)):
        ids = torch.randint(5, 9, (rows, length), generator=generator)
        chosen = torch.rand(rows, length, generator=generator) < 0.5
        yield ids, chosen, torch.randint(5, 9, (rows, length), generator=generator)


# fmt: off
EXERCISE = Exercise(
    name="replace_tokens", minutes=5, difficulty=1, reference=electra.replace_tokens, cases=cases,
    gradients=False, returns=("the inputs", "the labels"),
    alike=[edit(LABELS, "labels = chosen & (sampled != ids)")],
    mistakes=[
        Mistake("chosen_for_label", "You label every chosen place. Where the sample hits the true token"
            " nothing was replaced, so the label there is False.", edit(LABELS, "labels = chosen")),
        Mistake("sampled_everywhere", "You take `sampled` everywhere. Where nothing was chosen the true"
            " token stays, and `sampled` may hold anything.", edit(INPUTS, "sampled")),
        Mistake("label_of_sampled", "Your labels compare `sampled` with `ids` everywhere. Where nothing was"
            " chosen `sampled` means nothing: compare what is read, `inputs`.",
            edit(LABELS, "labels = sampled != ids")),
        Mistake("the_other_places", "You replace the places that were *not* chosen. torch.where(condition,"
            " a, b) takes from a where the condition is True.", edit(INPUTS, "torch.where(chosen, ids,"
            " sampled)")),
        Mistake("true_for_original", "Your labels are True where the token is the original. True should mean"
            " replaced.",
            (edit(LABELS, "labels = inputs == ids"), edit(LABELS, "labels = ~chosen"))),
        Mistake("lucky_alone", "You mark the lucky samples, those that hit the true token. Marked should be"
            " the others.", edit(LABELS, "labels = chosen & (inputs == ids)")),
        Mistake("masked_lm_labels", "Those are the labels of a masked LM: a token's number, or -100. Here"
            " each token gets one bit: was it replaced?",
            (edit(LABELS, "labels = torch.where(chosen, ids, -100)"),
             edit(LABELS, "labels = torch.where(inputs != ids, ids, -100)"))),
        Mistake("not_replaced", "You give `ids` back as they came. The discriminator reads the samples at"
            " the chosen places.", edit("return inputs, labels", "return ids, labels")),
        Mistake("numbers_for_bits", "Your labels are numbers. Give bool: True where the token was replaced.",
            (edit("return inputs, labels", "return inputs, labels.long()"),
             edit("return inputs, labels", "return inputs, labels.float()"))),
        Mistake("swapped", "You give the labels first. First what is read, then the labels.",
            edit("return inputs, labels", "return labels, inputs")),
    ],
    hints=("Two steps: what stands at each place now? And is that another token than before?",
           "torch.where(chosen, sampled, ids) is [B, T]. Comparing two such tensors gives bool [B, T].",
           "inputs = torch.where(chosen, sampled, ids); labels = inputs != ids"),
    why="A lucky sample is an original.",
)
# fmt: on
