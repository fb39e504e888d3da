"""A training step on a batch of skip-gram pairs: forward, backward, update."""

from typing import Any

import torch
from torch import Tensor, nn

from chapters.nb03 import word2vec
from lib.exercises import compare
from lib.exercises.spec import Exercise, Mistake, Unfit, edit

STEPS = 3  # in each case: what is left over from one is seen in the next
ZERO, BACK, MOVE = "    optimizer.zero_grad()\n", "    loss.backward()\n", "    optimizer.step()\n"


def run(candidate: Any, name: str, rate: float, size: int, batch: int) -> tuple[Tensor, Tensor, Tensor]:
    """Let the candidate make some steps with an optimizer: the losses it returns, and both tables after."""
    model = word2vec.Word2Vec(7, size)
    for table in (model.inputs, model.outputs):
        nn.init.normal_(table.weight)
    ids = [torch.randint(7, shape) for shape in ((batch, 1), (batch,), (3,))]
    optimizer = getattr(torch.optim, name)(model.parameters(), lr=rate)
    losses = []
    for _ in range(STEPS):
        loss = candidate(model, optimizer, *ids)
        loss = loss.detach() if isinstance(loss, Tensor) else loss
        if not compare.is_number(loss):
            raise Unfit(f"It should return the loss, a number; yours is {compare.a_kind_of(loss)}.")
        losses.append(float(loss))
    return torch.tensor(losses), model.vectors.clone(), model.outputs.weight.detach().clone()


# fmt: off
EXERCISE = Exercise(
    name="word2vec_step", minutes=6, difficulty=1, reference=word2vec.word2vec_step,
    cases=lambda seed: [("SGD", 0.4, 2, 2), ("SGD", 0.1, 5, 6), ("Adam", 0.01, 3, 4)], run=run,
    gradients=False, returns=("losses", "inputs", "outputs"),
    mistakes=[
        Mistake("nothing_moves", "No table moves. backward() computes the gradients, step() uses them,"
            " zero_grad() deletes them: are the first two there, in this order, with nothing deleted in"
            " between?", (edit(MOVE, ""), edit(ZERO + BACK, BACK + ZERO), edit(BACK + MOVE, MOVE + BACK))),
        Mistake("gradients_add_up", "Your first step is right and the second is not: backward() adds to the"
            " gradients that are there. Set them to zero once in each step: optimizer.zero_grad().",
            edit(ZERO, "")),
        Mistake("a_step_late", "optimizer.step() stands before loss.backward() and uses the gradients of the"
            " call before.", tuple(edit(ZERO + BACK + MOVE, MOVE + rest) for rest in (ZERO + BACK, BACK))),
        Mistake("uphill", "You step uphill. The optimizer turns the sign of the gradient: give backward() the"
            " loss itself.", edit(BACK, "    (-loss).backward()\n")),
        Mistake("another_length", "Your step has another length than the optimizer's. Call backward() on the"
            " loss as it is, a mean, and optimizer.step() once: it has the rate and the rule, and knows both"
            " tables.",
            (edit(MOVE, MOVE + MOVE), edit(BACK, "    (loss / len(targets)).backward()\n"),
             edit(MOVE, "    [p.data.sub_(0.1 * p.grad) for p in model.parameters()]\n"))),
        Mistake("other_number", "Both tables are right. Only the number that you return is not the loss"
            " before the update.",
            when=lambda arguments, answer, expected: compare.agree(answer[1:], expected[1:], 1e-5),
            example=edit("return loss.item()", "return loss.item() * len(targets)")),
    ],
    hints=("The four columns of the picture: forward and loss are one call of model(...), backward and update"
           " one each. Before the backward pass, the old gradients have to go.",
           "The loss is a tensor with one number: its backward() fills the gradients that the optimizer"
           " reads.",
           "loss = model(...); optimizer.zero_grad(); loss.backward(); optimizer.step(); return loss.item()"),
    why="The same four lines train everything here, up to BERT itself.", box="word_vectors",
)
# fmt: on
