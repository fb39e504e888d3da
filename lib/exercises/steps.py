"""What the exercises on a training step share: how steps are judged, and what goes wrong in any of them."""

from collections.abc import Mapping, Sequence
from typing import Any

import torch
from torch import Tensor, nn

from lib.bert import BertConfig
from lib.exercises.spec import Mistake, Unfit, edit
from lib.training.optim import parameter_groups

LEFT_AT = 0.7  # the learning rate that the optimizer has before the first step
PIECES = 12
RETURNS = ("the loss of each step", "how far each step moves the weights", "the weights at the end")

BACKWARD = "    loss.backward()\n"
CLIP = "    nn.utils.clip_grad_norm_(model.parameters(), 1.0)\n"
RATE = '    for group in optimizer.param_groups:\n        group["lr"] = rate\n'
STEP = "    optimizer.step()\n"
EMPTY = "    optimizer.zero_grad()\n"

Case = tuple[nn.Module, list[dict[str, Tensor]], list[float]]


def tiny(kind: Any, seed: int, spread: float, **more: Any) -> nn.Module:
    """A BERT of one layer whose first weights are so far apart; the farther, the longer the gradient."""
    torch.manual_seed(seed)
    more |= {"hidden_dropout_prob": 0.0, "attention_probs_dropout_prob": 0.0}
    model: nn.Module = kind(
        BertConfig(PIECES, 8, 1, 2, 16, max_position_embeddings=8, initializer_range=spread, **more)
    )
    return model


def run(
    candidate: Any, model: nn.Module, batches: Sequence[Mapping[str, Tensor]], rates: Sequence[float]
) -> tuple[Tensor, Tensor, Tensor]:
    """The loss of each step and how far it moved the weights, two [S], and the weights afterwards [P].

    By plain gradient descent: Adam would hide whether a gradient was cut.
    """
    optimizer = torch.optim.SGD(parameter_groups(model), lr=LEFT_AT)
    losses, weights = [], [nn.utils.parameters_to_vector(model.parameters()).detach()]
    for batch, rate in zip(batches, rates, strict=True):
        loss = candidate(model, dict(batch), optimizer, rate)
        if loss is None:
            raise Unfit("Your step returns nothing. Its last line gives back the loss, a number.")
        losses.append(float(loss))
        weights.append(nn.utils.parameters_to_vector(model.parameters()).detach())
    return torch.tensor(losses), torch.stack(weights).diff(dim=0).norm(dim=1), weights[-1]


# fmt: off
MISTAKES = [
    Mistake("nothing_moves", "Your first loss is right, but no weight ever moves. When optimizer.step() is"
        " called, each weight needs its gradient: so loss.backward() comes before it, and"
        " optimizer.zero_grad() after it.",
        (edit(BACKWARD, ""), edit(STEP, ""), edit(BACKWARD, BACKWARD + EMPTY), edit(STEP, EMPTY + STEP))),
    Mistake("gradients_pile_up", "Your first step is right, the second is not: .backward() adds to the"
        " gradients that are there, so each step also walks along all earlier ones. Empty them with"
        " optimizer.zero_grad().", (edit(EMPTY, ""), edit(EMPTY, "").then(CLIP, "").then(STEP, CLIP + STEP))),
    Mistake("not_cut", "Where the gradient is short, your step is right; where its norm is above 1, it goes"
        " too far. Cut the norm to 1 when the gradients are there, and before they are used: after"
        " loss.backward() and before optimizer.step().",
        (edit(CLIP, ""), edit(CLIP, "").then(STEP, STEP + CLIP),
         edit(CLIP, "").then(BACKWARD, CLIP + BACKWARD))),
    Mistake("cut_one_by_one", "You cut every number of the gradient to 1 by itself, which turns the step into"
        " another direction. clip_grad_norm_ shortens the gradient as a whole and keeps its direction.",
        edit("clip_grad_norm_", "clip_grad_value_")),
    Mistake("other_rate", "The steps have another length than `rate` says: the optimizer still has the"
        " learning rate it had. Set group['lr'] = rate before optimizer.step(), and in every one of"
        " optimizer.param_groups.",
        (edit(RATE, ""), edit(RATE, "").then(STEP, STEP + RATE),
         edit(RATE, '    optimizer.param_groups[0]["lr"] = rate\n'))),
    Mistake("softmax_twice", "F.cross_entropy takes the logits as they are: it applies softmax itself, and"
        " yours was applied before.", edit("cross_entropy(logits", "cross_entropy(logits.softmax(-1)")),
    Mistake("two_updates", "You update twice. One batch, one optimizer.step().", edit(STEP, STEP + STEP)),
    Mistake("uphill", "Your step goes up: the loss grows. The optimizer walks against the gradient of what"
        " you call .backward() on, so that is the loss itself, without a minus.",
        edit("loss.backward()", "(-loss).backward()")),
]
# fmt: on
