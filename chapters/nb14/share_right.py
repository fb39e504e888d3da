"""The share of rows that a classifier gets right: in eval(), without gradients, over unequal batches."""

from collections.abc import Iterator, Sequence
from typing import Any

import torch
from torch import Tensor, nn

from chapters.nb14 import testing
from lib.bert import BertConfig, BertForSequenceClassification
from lib.exercises.spec import Exercise, Mistake, Unfit, edit

PIECES, CLASSES = 30, 3
Case = tuple[nn.Module, list[dict[str, Tensor]]]
#: rows of so many tokens in each batch; how many of all rows the model gets right
ROWS = (
    ([[4, 4]], 1),
    ([[3, 7, 5, 2], [6, 2, 8, 3], [2]], 4),
    ([[2, 9, 3], [8, 2]], 5),
    ([[5, 2, 8], [3, 9, 2], [4]], 0),
)


def cases(seed: int) -> Iterator[Case]:
    """A small model that forgets half of its numbers at random until eval() is called, and batches."""
    generator = torch.Generator().manual_seed(seed)
    for number, (sizes, right) in enumerate(ROWS):
        torch.manual_seed(seed + number)
        config = BertConfig(
            PIECES, 16, 1, 2, 32, max_position_embeddings=16, initializer_range=1.0,
            id2label=dict(enumerate("abc")), hidden_dropout_prob=0.5, attention_probs_dropout_prob=0.5,
        )  # fmt: skip
        model = BertForSequenceClassification(config).train()
        yield model, labeled(model, [batch_of(lengths, generator) for lengths in sizes], right)
        model.train()


def batch_of(lengths: Sequence[int], generator: torch.Generator) -> dict[str, Tensor]:
    """Rows of so many tokens, filled up to the longest of the batch."""
    mask = torch.stack([torch.arange(max(lengths)) < length for length in lengths]).long()  # [B, T]
    ids = torch.randint(1, PIECES, mask.shape, generator=generator)
    return {"input_ids": ids * mask, "attention_mask": mask}


def labeled(model: nn.Module, batches: list[dict[str, Tensor]], right: int) -> list[dict[str, Tensor]]:
    """The batches with labels: the first `right` rows have the class that the model guesses."""
    model.eval()
    for batch in batches:
        with torch.no_grad():
            guesses = model(batch["input_ids"], batch["attention_mask"]).logits.argmax(dim=-1)
        wrong = (torch.arange(len(guesses)) >= right).long()
        batch["labels"] = (guesses + wrong) % CLASSES
        right = max(0, right - len(guesses))
    model.train()
    return batches


def run(candidate: Any, model: nn.Module, batches: list[dict[str, Tensor]]) -> dict[str, float]:
    """The share, and how the model was asked: how often dropout was on, and how often gradients were kept."""
    model.train()
    torch.manual_seed(0)
    asked: list[tuple[bool, bool]] = []
    hook = model.register_forward_hook(
        lambda one, _, result: asked.append((one.training, result.logits.requires_grad))
    )
    try:
        share = candidate(model, [dict(batch) for batch in batches])
    finally:
        hook.remove()
    if share is None:
        raise Unfit("Your test returns nothing. Its last line gives back the share, a number from 0 to 1.")
    return {
        "the share": float(share),
        "calls with dropout on": sum(training for training, _ in asked),
        "calls that kept gradients": sum(kept for _, kept in asked),
    }


EVAL, COUNT = "    model.eval()\n", '(guesses == batch["labels"]).sum().item()'
MASKED, GIVEN_BACK = 'model(batch["input_ids"], batch["attention_mask"])', "return right / rows"

# fmt: off
EXERCISE = Exercise(
    name="share_right", minutes=7, difficulty=2, reference=testing.share_right, cases=cases, run=run,
    gradients=False,
    mistakes=[
        Mistake("dropout_on", "Your test runs with dropout on, so the same model answers differently each"
            " time. Call model.eval() before the first batch.",
            (edit(EVAL, ""), edit(EVAL, "    model.train()\n"))),
        Mistake("gradients_kept", "Your share is right, but PyTorch kept everything that a backward pass"
            " would need. A test needs no gradients: put the loop under torch.no_grad().",
            edit("torch.no_grad()", "torch.enable_grad()")),
        Mistake("mask_left_out", "Give the model the attention_mask, too, or it reads padding as if it were"
            " text, and a row's answer depends on its neighbors.",
            edit(MASKED, 'model(batch["input_ids"])')),
        Mistake("mean_of_batches", "You take the mean of the batches' shares. A short last batch then counts"
            " as much as a full one. Add up right answers and rows, and divide once, at the end.",
            edit(COUNT, '(guesses == batch["labels"]).float().mean().item()').then("len(guesses)", "1")),
        Mistake("last_batch", "Your share is that of one batch alone. The counts begin at 0 before the loop,"
            " and every batch adds to them with +=.",
            (edit("right +=", "right =").then("rows +=", "rows ="),
             edit(f"    {GIVEN_BACK}", f"            {GIVEN_BACK}"))),
        Mistake("count_given", "That is how many rows are right. Asked is their share: divide by the number"
            " of all rows.", edit(GIVEN_BACK, "return right")),
        Mistake("errors_counted", "You count the errors: a row is right where the guess equals the label.",
            (edit("guesses ==", "guesses !="), edit(GIVEN_BACK, "return 1 - right / rows"))),
        Mistake("wrong_axis", "The logits are [B, C]. The guess of a row is the place of the largest of its C"
            " numbers, so argmax goes over the last dimension.",
            edit("argmax(dim=-1)", "argmax(dim=0)[torch.arange(len(logits)) % logits.shape[-1]]")),
        Mistake("lowest_taken", "You take the class with the smallest logit. The guess is the largest one.",
            edit("argmax", "argmin")),
        Mistake("percent", "That is a percentage. Give a share from 0 to 1.",
            edit(GIVEN_BACK, "return 100 * right / rows")),
        Mistake("divided_by_batches", "You divide by the number of batches. Divide by the number of rows.",
            edit("len(guesses)", "1")),
    ],
    hints=("First the state of the model, then two counts that begin at 0, then a loop over batches, and one"
           " division at the end.",
           "model(batch['input_ids'], batch['attention_mask']).logits are [B, C]; argmax over the last"
           " dimension gives the guesses [B], to be compared with batch['labels'] [B].",
           "right += (guesses == batch['labels']).sum().item(); rows += len(guesses); all of it under with"
           " torch.no_grad():, after model.eval()."),
    why="Whatever is trained from here on, this function says what it is worth.", box="task_head",
)
# fmt: on
