"""One step of fine-tuning: read the rows with their mask, loss over classes, backward, clip, rate, update."""

from collections.abc import Iterator, Mapping, Sequence
from contextlib import AbstractContextManager
from typing import Any

import torch
from torch import Tensor, nn

from lib.bert import BertConfig
from lib.bert.heads import BertForSequenceClassification
from lib.exercises.inside import replaced
from lib.exercises.spec import Exercise, Mistake, Unfit, edit
from lib.training import fine_tuning_steps
from lib.training.optim import parameter_groups

LEFT_AT = 0.7  # the learning rate that the optimizer has before the first step
PIECES = 12

CALL = "model(**inputs).logits"
LOSS = 'F.cross_entropy(logits, batch["labels"])'
BACKWARD = "    loss.backward()\n"
CLIP = "    nn.utils.clip_grad_norm_(model.parameters(), 1.0)\n"
RATE = '    for group in optimizer.param_groups:\n        group["lr"] = rate\n'
STEP = "    optimizer.step()\n"
EMPTY = "    optimizer.zero_grad()\n"


def tiny_model(seed: int, spread: float, classes: int) -> BertForSequenceClassification:
    """A BERT of one layer whose first weights are so far apart; the farther, the longer the gradient."""
    torch.manual_seed(seed)
    config = BertConfig(
        PIECES, 8, 1, 2, 16, hidden_dropout_prob=0.0, attention_probs_dropout_prob=0.0,
        max_position_embeddings=8, initializer_range=spread, id2label=dict(enumerate("abcd"[:classes])),
    )  # fmt: skip
    return BertForSequenceClassification(config)


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


def cases(seed: int) -> Iterator[tuple[nn.Module, list[dict[str, Tensor]], list[float]]]:
    """One step on full rows, then runs of three with padding: short gradients, long ones, and both."""
    generator = torch.Generator().manual_seed(seed)
    yield tiny_model(seed, 0.3, 2), [batch_of((4, 4), 2, generator)], [0.1]
    for spread, classes in ((0.02, 2), (1.0, 3), (0.3, 4)):
        batches = [batch_of((6, 3, 4), classes, generator) for _ in range(3)]
        yield tiny_model(seed + 1, spread, classes), batches, [0.05, 0.2, 0.1]


def run(
    candidate: Any, model: nn.Module, batches: Sequence[Mapping[str, Tensor]], rates: Sequence[float]
) -> tuple[Tensor, Tensor, Tensor]:
    """The loss of each step and how far it moved the weights, two [S], and the weights afterwards [P].

    By plain gradient descent: Adam would hide whether a gradient was cut.
    """
    optimizer = torch.optim.SGD(parameter_groups(model), lr=LEFT_AT)
    losses, moves, before = [], [], weights_of(model)
    for batch, rate in zip(batches, rates, strict=True):
        loss = candidate(model, dict(batch), optimizer, rate)
        if loss is None:
            raise Unfit("Your fine_tune_step returns nothing. Its last line gives back the loss, a number.")
        losses.append(loss.item() if isinstance(loss, Tensor) else float(loss))
        after = weights_of(model)
        moves.append((after - before).norm())
        before = after
    return torch.tensor(losses), torch.stack(moves), before


def weights_of(model: nn.Module) -> Tensor:
    """All weights in a row: [P]."""
    return nn.utils.parameters_to_vector(model.parameters()).detach().clone()


def use(candidate: Any, model: nn.Module) -> AbstractContextManager[None]:
    """The course's loop takes the candidate's steps."""
    return replaced(fine_tuning_steps, "fine_tune_step", candidate)


EXERCISE = Exercise(
    name="fine_tune_step",
    minutes=8,
    difficulty=2,
    reference=fine_tuning_steps.fine_tune_step,
    cases=cases,
    run=run,
    returns=("the loss of each step", "how far each step moves the weights", "the weights at the end"),
    gradients=False,
    tolerance=1e-4,
    mistakes=[
        Mistake(
            "padding_read",
            "Where all rows are equally long your step is right; where short ones are filled up, BERT reads"
            " the padding as if it were text. Give the model the attention_mask of the batch, too.",
            (
                edit(CALL, 'model(batch["input_ids"], token_type_ids=batch["token_type_ids"]).logits'),
                edit('if name != "labels"', 'if name not in ("labels", "attention_mask")'),
            ),
        ),
        Mistake(
            "texts_not_told_apart",
            "Your model is not told which tokens belong to the second text. Give it the token_type_ids of the"
            " batch as well.",
            (
                edit(CALL, 'model(batch["input_ids"], batch["attention_mask"]).logits'),
                edit('if name != "labels"', 'if name not in ("labels", "token_type_ids")'),
            ),
        ),
        Mistake(
            "tokens_alone",
            "The model gets the input_ids alone, so it reads padding as text and takes two texts for one. A"
            " batch also has an attention_mask and token_type_ids, and the model wants all three.",
            edit(CALL, 'model(batch["input_ids"]).logits'),
        ),
        Mistake(
            "head_alone",
            "The head learns, and BERT below it stays as it was: no gradient reaches its weights. In"
            " fine-tuning the whole model learns, so nothing is computed under torch.no_grad() or detached.",
            edit(CALL, "model.classifier(model.bert(**inputs).pooler_output.detach())"),
        ),
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
            "softmax_twice",
            "F.cross_entropy takes the logits as they are: it applies softmax itself, and yours was applied"
            " before.",
            (
                edit(CALL, CALL + ".softmax(-1)"),
                edit(LOSS, 'F.cross_entropy(logits.softmax(-1), batch["labels"])'),
            ),
        ),
        Mistake(
            "summed",
            "Your loss is the sum over the rows, so a larger batch makes a longer gradient. Take the mean, as"
            " F.cross_entropy does if you do not tell it otherwise.",
            edit('batch["labels"])', 'batch["labels"], reduction="sum")'),
        ),
        Mistake(
            "squared_classes",
            "You take the squared error between the logits and the number of the class. A class is no"
            " quantity: F.cross_entropy compares the logits with the right class.",
            edit(LOSS, 'F.mse_loss(logits.argmax(-1).float() + 0 * logits.sum(-1), batch["labels"].float())'),
        ),
        Mistake(
            "loss_of_afterwards",
            "The weights are right, but you return the loss after the update. What is reported is the loss"
            " that the gradient was computed from.",
            edit(
                "return loss.item()", 'return F.cross_entropy(model(**inputs).logits, batch["labels"]).item()'
            ),
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
        "It is the step of pretraining with another loss: logits, loss, gradients, cut, learning rate,"
        " update, empty the gradients. Then return the loss.",
        "The model wants input_ids, attention_mask and token_type_ids, all [B, T], and gives logits [B, C];"
        " F.cross_entropy takes them and the labels [B] as they are.",
        "logits = model(batch['input_ids'], batch['attention_mask'], batch['token_type_ids']).logits; loss ="
        " F.cross_entropy(logits, batch['labels']); then the lines of notebook 12.",
    ),
    why="The head starts at random, BERT does not, and one gradient moves both.",
    box="task_head",
    stage="classifier",
    use=use,
)
