"""A training step on a batch of skip-gram pairs: forward, backward, update."""

from collections.abc import Iterator
from typing import Any

import torch
from torch import Tensor

from lib.exercises.spec import Exercise, Mistake, Unfit, edit
from lib.training import word2vec

STEPS = 3  # each case takes so many: what is left over from one step is seen in the next
ZERO, BACK, MOVE = "    optimizer.zero_grad()\n", "    loss.backward()\n", "    optimizer.step()\n"
BODY = f"{ZERO}{BACK}{MOVE}"
RETURN = "return loss.item()"


def cases(seed: int) -> Iterator[tuple[Any, ...]]:
    """Two pairs in two dimensions by plain gradient descent, then more pairs, and other optimizers."""
    generator = torch.Generator().manual_seed(seed)
    for name, rate, words, size, batch, noise in (
        ("SGD", 0.4, 4, 2, 2, 2),
        ("SGD", 0.1, 9, 5, 6, 4),
        ("Adam", 0.01, 7, 3, 4, 3),
        ("AdamW", 0.03, 6, 4, 1, 2),
    ):
        tables = tuple(torch.randn(words, size, generator=generator) for _ in range(2))
        ids = tuple(
            torch.randint(words, shape, generator=generator) for shape in ((batch, 1), (batch,), (noise,))
        )
        yield name, rate, *tables, *ids


def run(
    candidate: Any, name: str, rate: float, inputs: Tensor, outputs: Tensor, *ids: Tensor
) -> tuple[Tensor, Tensor, Tensor]:
    """Let the candidate make some steps with an optimizer: the losses it returns, and both tables after."""
    model = word2vec.Word2Vec(*inputs.shape)
    model.inputs.weight.data[:-1] = inputs
    model.outputs.weight.data.copy_(outputs)
    optimizer = getattr(torch.optim, name)(model.parameters(), lr=rate)
    losses = []
    for _ in range(STEPS):
        loss = candidate(model, optimizer, *ids)
        if loss is None:
            raise Unfit("It returns nothing. The loop that calls it wants the loss: return loss.item().")
        if isinstance(loss, Tensor) and loss.numel() != 1:
            raise Unfit(f"It should return one number, the loss; yours is a tensor {list(loss.shape)}.")
        if not isinstance(loss, Tensor | float | int):
            raise Unfit(f"It should return the loss, a number; yours returns a {type(loss).__name__}.")
        losses.append(float(loss.detach() if isinstance(loss, Tensor) else loss))
    return torch.tensor(losses), model.vectors.clone(), model.outputs.weight.detach().clone()


EXERCISE = Exercise(
    name="word2vec_step",
    minutes=6,
    difficulty=1,
    reference=word2vec.word2vec_step,
    cases=cases,
    run=run,
    gradients=False,
    returns=("losses", "inputs", "outputs"),
    mistakes=[
        Mistake(
            "nothing_moves",
            "After your step every number of both tables is what it was before. backward() computes the"
            " gradients, step() uses them, and zero_grad() deletes them: are the first two there, in this"
            " order, and is nothing deleted in between?",
            (
                edit(MOVE, ""),
                edit(BODY, f"{BACK}{ZERO}{MOVE}"),
                edit(BODY, f"{ZERO}{MOVE}{BACK}"),
            ),
        ),
        Mistake(
            "gradients_add_up",
            "Your first step is right and the second is not. backward() adds to the gradients that are there,"
            " so the second step follows the sum of both. Set them to zero once in each step:"
            " optimizer.zero_grad().",
            edit(ZERO, ""),
        ),
        Mistake(
            "a_step_late",
            "Your update uses the gradients of the call before, because optimizer.step() stands before"
            " loss.backward(). The order is: loss, backward, step.",
            (edit(BODY, f"{MOVE}{ZERO}{BACK}"), edit(BODY, f"{MOVE}{BACK}")),
        ),
        Mistake(
            "uphill",
            "The loss rises: you step along the gradient, which points to where the loss is higher. The"
            " optimizer already turns the sign, so give backward() the loss as it is.",
            edit(BACK, "    (-loss).backward()\n"),
        ),
        Mistake(
            "loss_after",
            "The tables are right. But the number you return was measured after the update, by a second"
            " forward pass that costs as much as the first. Return the loss that you called backward() on.",
            edit(RETURN, "return model(inputs, targets, noise).item()"),
        ),
        Mistake(
            "two_updates",
            "You update twice with the same gradients, which is a step of twice the length. One call of"
            " optimizer.step() is enough.",
            edit(MOVE, MOVE + MOVE),
        ),
        Mistake(
            "divided_again",
            "The loss is already the mean over the batch. You divide by the number of pairs once more, and"
            " the step becomes too short.",
            edit(BACK, "    (loss / len(targets)).backward()\n"),
        ),
        Mistake(
            "summed",
            "You multiply the loss by the number of pairs. It is the mean over the batch, and its gradient is"
            " wanted as it is.",
            edit(BACK, "    (loss * len(targets)).backward()\n"),
        ),
        Mistake(
            "a_rate_of_its_own",
            "You subtract the gradient times a learning rate that you chose. The optimizer knows the learning"
            " rate, and the rule, which need not be this one: call optimizer.step().",
            tuple(
                edit(MOVE, f"    [p.data.sub_({rate} * p.grad) for p in model.parameters()]\n")
                for rate in (0.4, 0.1, 0.01, 0.5, 1.0, 0.001)
            ),
        ),
        Mistake(
            "one_table",
            "One of the two tables does not learn in your step. The optimizer knows both, and one call of"
            " optimizer.step() moves both.",
            (
                edit(MOVE, f"    model.outputs.weight.grad = None\n{MOVE}"),
                edit(MOVE, f"    model.inputs.weight.grad = None\n{MOVE}"),
            ),
        ),
        Mistake(
            "other_number",
            "Both tables are right after your step, so the training works. Only the number that you return is"
            " not the loss of the batch.",
            when=lambda arguments, answer, expected: (
                torch.allclose(answer[1], expected[1], atol=1e-5)
                and torch.allclose(answer[2], expected[2], atol=1e-5)
            ),
            example=edit(RETURN, "return loss.item() * len(targets)"),
        ),
    ],
    hints=(
        "The four columns of the picture: forward and loss are one call of model(...); backward and update"
        " are one call each. Before the backward pass, the old gradients have to go.",
        "model(inputs, targets, noise) is a tensor with one number: its method backward() fills the gradients"
        " of both tables, and the optimizer, which holds both tables, reads them there.",
        "loss = model(...); optimizer.zero_grad(); loss.backward(); optimizer.step(); return loss.item()",
    ),
    why="The same four lines train everything in this course, up to BERT itself.",
    box="word_vectors",
)
