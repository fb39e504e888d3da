"""One step of pretraining: forward, loss, backward, clip, rate, update, empty gradients."""

from collections.abc import Iterator

import torch
from torch import Tensor

from lib.bert.heads import BertForPreTraining
from lib.exercises.inside import replaced
from lib.exercises.spec import Exercise, Mistake, edit
from lib.exercises.steps import MISTAKES, PIECES, RETURNS, Case, run, tiny
from lib.records import small_bert

LOGITS, LABELS = "logits.flatten(0, 1)", 'batch["labels"].flatten()'


def batch_of(rows: int, length: int) -> dict[str, Tensor]:
    """Tokens to read, of which about half are asked for, at least one."""
    labels = torch.randint(PIECES, (rows, length))
    shown = torch.rand(rows, length) < 0.5
    shown[0, 0] = False
    return {
        "input_ids": torch.randint(PIECES, (rows, length)),
        "token_type_ids": torch.zeros(rows, length, dtype=torch.long),
        "labels": labels.masked_fill(shown, -100),
    }


def cases(seed: int) -> Iterator[Case]:
    """One step, then runs of three: with short gradients, with long ones, and with both."""
    yield tiny(BertForPreTraining, seed, 0.3), [batch_of(1, 4)], [0.1]
    for spread in (0.02, 1.0, 0.2):
        model = tiny(BertForPreTraining, seed + 1, spread)
        yield model, [batch_of(2, 6) for _ in range(3)], [0.05, 0.2, 0.1]


# fmt: off
EXERCISE = Exercise(
    name="train_step", minutes=8, difficulty=2, reference=small_bert.train_step, cases=cases, run=run,
    returns=RETURNS, gradients=False, tolerance=1e-4,
    mistakes=[
        *MISTAKES,
        Mistake("asks_for_what_it_reads", "Your loss compares the scores with batch['input_ids'], which the"
            " model has in front of it. The true tokens of the hidden places are batch['labels'].",
            edit(LABELS, 'batch["input_ids"].flatten()')),
        Mistake("not_flattened", "F.cross_entropy stopped, as it takes dimension 1 for the classes: it wants"
            " a row of scores for each place, [B·T, V], and one label for each, [B·T]. Flatten both:"
            " .flatten(0, 1) makes the scores [B·T, V], .flatten() the labels [B·T].",
            (edit(LOGITS, "logits").then(LABELS, 'batch["labels"]'), edit(LOGITS, "logits"),
             edit(LABELS, 'batch["labels"]'), edit(LOGITS, "logits.flatten()"),
             edit(LOGITS, "logits.flatten()").then(LABELS, 'batch["labels"]'))),
        Mistake("another_mean", "The loss is the mean over the hidden places, whose label is not -100:"
            " F.cross_entropy takes it by itself, of the labels as they are. Yours is a sum, or counts other"
            " places.",
            (edit(f"{LABELS})", f'{LABELS}, reduction="sum") / batch["labels"].numel()'),
             edit(f"{LABELS})", f'{LABELS}, reduction="sum")'),
             edit(f"{LABELS})", f"{LABELS}.clamp(min=0))"))),
    ],
    hints=("Seven lines in the order of the picture: scores, loss, gradients, cut, learning rate, update,"
           " empty the gradients. Then return the loss.",
           "The scores are [B, T, V] and the labels [B, T]; F.cross_entropy wants [B·T, V] and [B·T], which"
           " is .flatten(0, 1) and .flatten(), and leaves out labels of -100.",
           "loss.backward(); nn.utils.clip_grad_norm_(model.parameters(), 1.0); for group in"
           " optimizer.param_groups: group['lr'] = rate; optimizer.step(); optimizer.zero_grad()"),
    why="Every model of this course is trained by these lines, whatever its size.", box="mlm_head",
    stage="small",
    use=lambda candidate, model: replaced(small_bert, "train_step", candidate),
)
# fmt: on
