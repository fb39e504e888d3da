"""A low-rank update, computed beside the frozen matrix of a dense layer."""

from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from typing import Any

import torch
from torch import Tensor, nn

from chapters.nb17.new_weights import LoRA
from lib.bert.attention import SelfAttention
from lib.exercises.inside import load_weights, replaced
from lib.exercises.spec import Exercise, Mistake, Unfit, edit

LAYER, UPDATE = "self.linear(x)", "(x @ self.a.T) @ self.b.T"


def cases(seed: int) -> Iterator[tuple[nn.Linear, int, dict[str, Tensor], Tensor]]:
    """A dense layer, a rank, what an update and the layer have learned, and x: a batch, a row, one vector."""
    for inputs, out, rank, shape in [
        (3, 2, 1, (1, 2, 3)),
        (4, 4, 2, (2, 3, 4)),
        (2, 5, 2, (3, 2)),
        (4, 4, 4, (4,)),
    ]:
        torch.manual_seed(seed)
        linear = nn.Linear(inputs, out)
        state = {name: torch.randn_like(tensor) for name, tensor in LoRA(linear, rank).state_dict().items()}
        yield linear, rank, state, torch.randn(shape)


def run(candidate: Any, linear: nn.Linear, rank: int, state: Any, x: Tensor) -> tuple[Tensor, ...]:
    """What a new update returns beside its layer; a trained one's result; whether its matrix stays."""
    layer = nn.Linear(linear.in_features, linear.out_features)
    layer.load_state_dict(linear.state_dict())
    update = candidate(layer, rank)
    new = update(x)
    if not isinstance(new, Tensor):
        raise Unfit("forward(x) of your LoRA returns no tensor: it gives back [..., out].")
    load_weights(update, state)
    before = layer.weight.detach().clone()
    trained = update(x)
    return new.detach(), trained, torch.tensor(float(torch.equal(layer.weight, before)))


@contextmanager
def use(candidate: Any, model: nn.Module) -> Iterator[None]:
    """An update is taken off every query and value matrix, and the candidate adds it beside each."""
    torch.manual_seed(0)
    with ExitStack() as stack:
        for part in model.modules():
            for name in ("query", "value") if isinstance(part, SelfAttention) else ():
                stack.enter_context(replaced(part, name, _beside(candidate, getattr(part, name))))
        yield


@torch.no_grad()
def _beside(candidate: Any, linear: nn.Linear) -> nn.Module:
    """A layer that computes what `linear` does, with a part of its matrix as an update of rank 2."""
    less = nn.Linear(linear.in_features, linear.out_features)
    layer: nn.Module = candidate(less, 2)
    a, b = 0.1 * torch.randn(2, linear.in_features), 0.1 * torch.randn(linear.out_features, 2)
    rest = {"linear.weight": linear.weight - b @ a, "linear.bias": linear.bias}
    layer.load_state_dict({"a": a, "b": b, **rest})
    return layer.eval()


# fmt: off
EXERCISE = Exercise(
    name="LoRA", minutes=5, difficulty=2, reference=LoRA, cases=cases, run=run,
    returns=("what a new one returns", "a trained one's result", "whether linear is left as it was (1: yes)"),
    mistakes=[
        Mistake("layer_missing", "You return the update alone. It is added to what the frozen layer makes of"
            " x, self.linear(x).", edit(f"{LAYER} + ", "")),
        Mistake("update_missing", "You return what the frozen layer makes of x, and the update isn't added.",
            edit(f" + {UPDATE}", "")),
        Mistake("only_a", "a takes x down to r numbers, and b brings them back to the layer's features.",
            (edit(UPDATE, "x @ self.a.T"), edit(UPDATE, "x @ self.b"))),
        Mistake("added_to_x", "You add the update to x. It is added to what the frozen layer makes of x.",
            (edit(f"{LAYER} + ", "x + "), edit(f"{LAYER} + {UPDATE}", f"self.linear(x + {UPDATE})"))),
        Mistake("after_the_layer", "a reads x, as the frozen layer does, and not what that layer has made.",
            edit(UPDATE, f"({LAYER} @ self.a.T) @ self.b.T")),
        Mistake("bias_missing", "The matrix of the frozen layer is there, but its bias isn't. self.linear(x)"
            " has both.", (edit(LAYER, "x @ self.linear.weight.T"),
                           edit(f"{LAYER} + {UPDATE}", "x @ (self.linear.weight + self.b @ self.a).T"))),
        Mistake("bias_twice", "The bias of the frozen layer is added twice: the update has none.",
            (edit(UPDATE, f"{UPDATE} + self.linear.bias"),
             edit(UPDATE, f"{LAYER} + {UPDATE} - x @ self.linear.weight.T"))),
        Mistake("transposed", "Your matrices have their sides exchanged. x holds row vectors, so a dense"
            " layer multiplies x by its matrix transposed, and so do a and b: first a.T, then b.T.",
            (edit(UPDATE, "(x @ self.a) @ self.b"), edit(UPDATE, "(x @ self.b.T) @ self.a.T"),
             edit(UPDATE, "(x @ self.b) @ self.a"), edit(UPDATE, "x @ (self.b @ self.a)"),
             edit(UPDATE, "self.b @ (self.a @ x)"), edit(UPDATE, "x @ (self.a @ self.b)"))),
        Mistake("divided", "Here α is r, so the factor α / r is 1: the update is added as it is.",
            (edit(UPDATE, f"{UPDATE} / len(self.a)"), edit(UPDATE, f"len(self.a) * {UPDATE}"))),
        Mistake("writes_into_the_matrix", "You write into the matrix of the frozen layer, at every call once"
            " more. Leave it as it is, and add the update to what comes out.",
            edit(f"return {LAYER} + {UPDATE}",
                 f"self.linear.weight.data += self.b @ self.a\n        return {LAYER}")),
        Mistake("bent", "An update of low rank has no activation: with one it could not be merged.",
            (edit("(x @ self.a.T)", "F.gelu(x @ self.a.T)"), edit("(x @ self.a.T)", "F.relu(x @ self.a.T)"))),
    ],
    hints=("What comes out is what the frozen layer makes of x, plus x on its way through the narrow pair.",
           "x [..., in] times a transposed is [..., r], and that times b transposed is [..., out].",
           "return self.linear(x) + (x @ self.a.T) @ self.b.T"),
    why="No matrix of in times out numbers was made on the way.", box="task_head",
    use=use,
)
# fmt: on
