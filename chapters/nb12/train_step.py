"""One step of pretraining: forward, loss, backward, clip, rate, update, empty gradients."""

from collections.abc import Iterator, Mapping, Sequence
from contextlib import AbstractContextManager
from typing import Any

import torch
from torch import Tensor, nn

from lib.bert import BertConfig
from lib.bert.heads import BertForPreTraining
from lib.exercises.inside import replaced
from lib.exercises.spec import Exercise, Mistake, Unfit, edit
from lib.records import small_bert
from lib.training.optim import parameter_groups

LEFT_AT = 0.7  # the learning rate that the optimizer has before the first step
PIECES = 12

LOGITS = 'logits = model(batch["input_ids"]).prediction_logits'
LOSS = 'F.cross_entropy(logits.flatten(0, 1), batch["labels"].flatten(), ignore_index=IGNORED)'
BACKWARD = "    loss.backward()\n"
CLIP = "    nn.utils.clip_grad_norm_(model.parameters(), 1.0)\n"
RATE = '    for group in optimizer.param_groups:\n        group["lr"] = rate\n'
STEP = "    optimizer.step()\n"
EMPTY = "    optimizer.zero_grad()\n"


def tiny_model(seed: int, spread: float) -> BertForPreTraining:
    """A BERT of one layer whose first weights are so far apart; the farther, the longer the gradient."""
    torch.manual_seed(seed)
    config = BertConfig(
        PIECES, 8, 1, 2, 16, hidden_dropout_prob=0.0, attention_probs_dropout_prob=0.0,
        max_position_embeddings=8, initializer_range=spread,
    )  # fmt: skip
    return BertForPreTraining(config)


def batch_of(rows: int, length: int, generator: torch.Generator) -> dict[str, Tensor]:
    """Tokens to read, of which about half are asked for, at least one."""
    labels = torch.randint(PIECES, (rows, length), generator=generator)
    shown = torch.rand(rows, length, generator=generator) < 0.5
    shown[0, 0] = False
    return {
        "input_ids": torch.randint(PIECES, (rows, length), generator=generator),
        "token_type_ids": torch.zeros(rows, length, dtype=torch.long),
        "labels": labels.masked_fill(shown, -100),
    }


def cases(seed: int) -> Iterator[tuple[nn.Module, list[dict[str, Tensor]], list[float]]]:
    """One step, then runs of three: with short gradients, with long ones, and with both."""
    generator = torch.Generator().manual_seed(seed)
    yield tiny_model(seed, 0.3), [batch_of(1, 4, generator)], [0.1]
    for spread in (0.02, 1.0, 0.2):
        batches = [batch_of(2, 6, generator) for _ in range(3)]
        yield tiny_model(seed + 1, spread), batches, [0.05, 0.2, 0.1]


def run(
    candidate: Any, model: nn.Module, batches: Sequence[Mapping[str, Tensor]], rates: Sequence[float]
) -> tuple[Tensor, Tensor, Tensor]:
    """The loss of each step and how far it moved the weights, two [S], and the weights afterwards [P].

    By plain gradient descent: Adam would hide whether a gradient was cut.
    """
    optimizer = torch.optim.SGD(parameter_groups(model), lr=LEFT_AT)
    losses, moves, before = [], [], weights_of(model)
    for batch, rate in zip(batches, rates, strict=True):
        loss = candidate(model, batch, optimizer, rate)
        if loss is None:
            raise Unfit("Your train_step returns nothing. Its last line gives back the loss, as a number.")
        losses.append(loss.item() if isinstance(loss, Tensor) else float(loss))
        after = weights_of(model)
        moves.append((after - before).norm())
        before = after
    return torch.tensor(losses), torch.stack(moves), before


def weights_of(model: nn.Module) -> Tensor:
    """All weights in a row: [P]."""
    return nn.utils.parameters_to_vector(model.parameters()).detach().clone()


def use(candidate: Any, model: nn.Module) -> AbstractContextManager[None]:
    """Small BERTs are trained by the candidate's step."""
    return replaced(small_bert, "train_step", candidate)


EXERCISE = Exercise(
    name="train_step",
    minutes=8,
    difficulty=2,
    reference=small_bert.train_step,
    cases=cases,
    run=run,
    returns=("the loss of each step", "how far each step moves the weights", "the weights at the end"),
    gradients=False,
    tolerance=1e-4,
    mistakes=[
        Mistake(
            "nothing_moves",
            "Your first loss is right, but no weight ever moves. When optimizer.step() is called, each weight"
            " needs its gradient: so loss.backward() comes before it, and optimizer.zero_grad() after it.",
            (
                edit(BACKWARD, ""),
                edit(STEP, ""),
                edit(BACKWARD, BACKWARD + EMPTY),
                edit(STEP, EMPTY + STEP),
            ),
        ),
        Mistake(
            "gradients_pile_up",
            "Your first step is right, the second is not: .backward() adds to the gradients that are there,"
            " so each step also walks along all earlier ones. Empty them with optimizer.zero_grad().",
            (edit(EMPTY, ""), edit(EMPTY, "").then(CLIP, "").then(STEP, CLIP + STEP)),
        ),
        Mistake(
            "not_cut",
            "Where the gradient is short, your step is right; where its norm is above 1, it goes too far. Cut"
            " the norm to 1 when the gradients are there, and before they are used: after loss.backward() and"
            " before optimizer.step().",
            (
                edit(CLIP, ""),
                edit(CLIP, "").then(STEP, STEP + CLIP),
                edit(CLIP, "").then(BACKWARD, CLIP + BACKWARD),
            ),
        ),
        Mistake(
            "cut_one_by_one",
            "You cut every number of the gradient to 1 by itself, which turns the step into another"
            " direction. clip_grad_norm_ shortens the gradient as a whole and keeps its direction.",
            edit("clip_grad_norm_", "clip_grad_value_"),
        ),
        Mistake(
            "rate_ignored",
            "The steps have another length than `rate` says: the optimizer still has the learning rate it was"
            " made with. Set group['lr'] = rate in each of optimizer.param_groups.",
            (edit(RATE, ""), edit(RATE, "    rate = rate\n")),
        ),
        Mistake(
            "rate_too_late",
            "You set the learning rate after optimizer.step(), so each step is made with the one before's."
            " Set it first.",
            edit(RATE, "").then(STEP, STEP + RATE),
        ),
        Mistake(
            "rate_of_one_group",
            "Only the first group of weights gets `rate`. The optimizer has two groups, since biases and"
            " norms are treated otherwise: set it in every one of optimizer.param_groups.",
            edit(RATE, '    optimizer.param_groups[0]["lr"] = rate\n'),
        ),
        Mistake(
            "asks_for_what_it_reads",
            "Your loss compares the scores with batch['input_ids'], which the model has in front of it. The"
            " true tokens of the hidden places are batch['labels'].",
            (
                edit('batch["labels"].flatten()', 'batch["input_ids"].flatten()'),
                edit('batch["labels"]', 'batch["input_ids"].where(batch["labels"] != IGNORED, IGNORED)'),
            ),
        ),
        Mistake(
            "over_all_places",
            "You divide the loss by all places. The mean is over the hidden ones, whose label is not -100,"
            " and F.cross_entropy takes it by itself.",
            edit("ignore_index=IGNORED)", 'reduction="sum") / batch["labels"].numel()'),
        ),
        Mistake(
            "summed",
            "Your loss is the sum over the hidden places, so a batch that hides more makes a longer gradient."
            " Take the mean, as F.cross_entropy does if you do not tell it otherwise.",
            edit("ignore_index=IGNORED", 'reduction="sum"'),
        ),
        Mistake(
            "softmax_twice",
            "F.cross_entropy takes the logits as they are: it applies softmax itself, and yours was applied"
            " before.",
            edit("prediction_logits", "prediction_logits.softmax(-1)"),
        ),
        Mistake(
            "loss_of_afterwards",
            "The weights are right, but you return the loss after the update. What is reported is the loss"
            " that the gradient was computed from.",
            edit(
                "return loss.item()",
                'return F.cross_entropy(model(batch["input_ids"]).prediction_logits.flatten(0, 1),'
                ' batch["labels"].flatten()).item()',
            ),
        ),
        Mistake(
            "ignored_counted",
            "You turn the label -100 into the number of a token, so the loss asks for that token at every"
            " place that is not hidden. Leave -100 as it is: F.cross_entropy skips it.",
            edit('batch["labels"].flatten(), ignore_index=IGNORED', 'batch["labels"].flatten().clamp(min=0)'),
        ),
        Mistake(
            "two_updates",
            "You update twice with one gradient. One batch, one optimizer.step().",
            edit(STEP, STEP + STEP),
        ),
        Mistake(
            "uphill",
            "Your step goes up: the loss grows. The optimizer walks against the gradient of what you call"
            " .backward() on, so that is the loss itself, without a minus.",
            edit("loss.backward()", "(-loss).backward()"),
        ),
    ],
    hints=(
        "Seven lines in the order of the picture: scores, loss, gradients, cut, learning rate, update, empty"
        " the gradients. Then return the loss.",
        "The scores are [B, T, V] and the labels [B, T]; F.cross_entropy wants [B·T, V] and [B·T], which is"
        " .flatten(0, 1) and .flatten(), and leaves out labels of -100.",
        "loss.backward(); nn.utils.clip_grad_norm_(model.parameters(), 1.0); for group in"
        " optimizer.param_groups: group['lr'] = rate; optimizer.step(); optimizer.zero_grad()",
    ),
    why="Every model of this course is trained by these lines, whatever its size.",
    box="mlm_head",
    stage="small",
    use=use,
)
