"""One step of fine-tuning: read the rows with their mask, loss over classes, backward, clip, rate, update."""

from collections.abc import Iterator, Sequence

import torch
from torch import Tensor

from lib.bert.heads import BertForSequenceClassification
from lib.exercises.inside import replaced
from lib.exercises.spec import Exercise, Mistake, edit
from lib.exercises.steps import MISTAKES, PIECES, RETURNS, Case, run, tiny
from lib.training import fine_tuning_steps


def batch_of(lengths: Sequence[int], classes: int, generator: torch.Generator) -> dict[str, Tensor]:
    """Rows of so many tokens, filled up to the longest; the last tokens of each are a second text."""
    places = torch.arange(max(lengths))
    mask = torch.stack([places < length for length in lengths])  # [B, T]
    second = torch.stack([(places >= length // 2) & (places < length) for length in lengths])
    return {
        "input_ids": torch.randint(1, PIECES, mask.shape, generator=generator) * mask,
        "attention_mask": mask.long(),
        "token_type_ids": second.long(),
        "labels": torch.randint(classes, (len(lengths),), generator=generator),
    }


def cases(seed: int) -> Iterator[Case]:
    """One step on full rows, then runs of three with padding: short gradients, long ones, and both."""
    generator = torch.Generator().manual_seed(seed)
    steps = [(0.3, 2, [[4, 4]])]
    steps += [(spread, classes, 3 * [[6, 3, 4]]) for spread, classes in ((0.02, 2), (1.0, 3), (0.3, 4))]
    for spread, classes, rows in steps:
        names = dict(enumerate("abcd"[:classes]))
        model = tiny(BertForSequenceClassification, seed, spread, id2label=names)
        batches = [batch_of(lengths, classes, generator) for lengths in rows]
        yield model, batches, [0.05, 0.2, 0.1][-len(rows) :]


# fmt: off
EXERCISE = Exercise(
    name="fine_tune_step", minutes=8, difficulty=2, reference=fine_tuning_steps.fine_tune_step, cases=cases,
    run=run, returns=RETURNS, gradients=False, tolerance=1e-4,
    mistakes=[
        Mistake("inputs_left_out", "Give the model the attention_mask of the batch, too, or it reads padding"
            " as if it were text; and the token_type_ids, which tell it where the second text begins.",
            tuple(edit('name != "labels"', f'name in ("input_ids", "{others}")')
                for others in ("token_type_ids", "attention_mask", ""))),
        Mistake("head_alone", "The head learns, and BERT below it stays as it was: no gradient reaches its"
            " weights. In fine-tuning the whole model learns, so nothing is computed under torch.no_grad() or"
            " detached.",
            edit("model(**inputs).logits", "model.classifier(model.bert(**inputs).pooler_output.detach())")),
        *MISTAKES,
        Mistake("summed", "Your loss is the sum over the rows, so a larger batch makes a longer gradient."
            " Take the mean, as F.cross_entropy does if you do not tell it otherwise.",
            edit('batch["labels"])', 'batch["labels"], reduction="sum")')),
    ],
    hints=("It is the step of pretraining with another loss: logits, loss, gradients, cut, learning rate,"
           " update, empty the gradients. Then return the loss.",
           "The model wants input_ids, attention_mask and token_type_ids, all [B, T], and gives logits [B,"
           " C]; F.cross_entropy takes them and the labels [B] as they are.",
           "logits = model(batch['input_ids'], batch['attention_mask'], batch['token_type_ids']).logits; loss"
           " = F.cross_entropy(logits, batch['labels']); then the lines of notebook 12."),
    why="The head starts at random, BERT does not, and one gradient moves both.", box="task_head",
    stage="classifier",
    use=lambda candidate, model: replaced(fine_tuning_steps, "fine_tune_step", candidate),
)
# fmt: on
