"""The sum of both losses, whose draft leaves out half of the pairs."""

from collections.abc import Iterator

import torch
from torch import Tensor

from chapters.nb11 import joint_loss
from lib.exercises.spec import Exercise, Mistake, edit

PAIRS, WORDS = "(pair_logits, pair_labels)", "labels.flatten(), ignore_index=0"


def cases(seed: int) -> Iterator[tuple[Tensor, Tensor, Tensor, Tensor]]:
    """Batches with hidden words and without them, pairs of both classes in each."""
    generator = torch.Generator().manual_seed(seed)
    for batch, length, vocab in [(4, 3, 5), (6, 4, 7), (3, 5, 4)]:
        labels = torch.randint(1, vocab, (batch, length), generator=generator)
        hidden = torch.rand(batch, length, generator=generator) < 0.4
        hidden[0, 0], hidden[0, 1] = True, False
        pair_labels = torch.randint(2, (batch,), generator=generator)
        pair_labels[:2] = torch.tensor([0, 1])
        yield (
            torch.randn(batch, length, vocab, generator=generator),
            labels * hidden,
            torch.randn(batch, 2, generator=generator),
            pair_labels,
        )


# fmt: off
EXERCISE = Exercise(
    name="pretraining_loss", kind="bug", minutes=6, difficulty=2, reference=joint_loss.pretraining_loss,
    cases=cases,
    mistakes=[
        Mistake("class_0_ignored", "That is still the draft's loss. Print its two parts, for a few examples"
            " at a time, before they are added. Is each of them what you would have said?",
            edit(PAIRS, "(pair_logits, pair_labels, ignore_index=0)")),
        Mistake("nothing_ignored", "The pairs are right now. But the words lost what they needed: places"
            " where nothing is hidden have label 0 and have to be left out, or the model learns to say"
            " [PAD].", edit(WORDS, "labels.flatten()")),
        Mistake("exchanged", "Now 0 is left out of the pairs, where it is a class, and counted for the words,"
            " where it is none.",
            edit(WORDS, "labels.flatten()").then(PAIRS, "(pair_logits, pair_labels, ignore_index=0)")),
        Mistake("weighted", "You take the mean of both losses, or weigh one more. BERT adds them as they"
            " are.",
            (edit("return words + nn", "return 0.5 * words + 0.5 * nn"),
             *(edit("words + ", other) for other in ("words + 2 * ", "2 * words + ", "words + 0.5 * ")))),
        Mistake("summed", "Each of the two is a mean: over the hidden words, not over all places, and over"
            " the pairs. With a sum the loss grows with the batch.",
            (edit("index=0", 'index=0, reduction="sum"'),
             edit("index=0)", 'index=0, reduction="sum") / labels.numel()'),
             edit(PAIRS, "(pair_logits, pair_labels, reduction='sum')"))),
        Mistake("classes_of_pairs", "Both classes of pairs count, and the logits [:, 0] speak for label 0, B"
            " follows A.",
            (edit(PAIRS, "(pair_logits, pair_labels, ignore_index=1)"),
             edit(PAIRS, "(pair_logits, 1 - pair_labels)"))),
    ],
    hints=("What does the number 0 mean among the labels of words, and what among the labels of pairs?",
           "Word labels [B, T] have 0 where nothing is hidden. Pair labels [B] have 0 for half of the pairs.",
           "The second term is nn.functional.cross_entropy(pair_logits, pair_labels), and nothing is"
           " ignored."),
    why="0 says that no word is hidden, but among the pairs it is a class, and every pair counts.",
)
# fmt: on
