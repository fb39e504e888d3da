"""An adapter: down, GELU, up, added to what came in."""

from collections.abc import Iterator
from contextlib import AbstractContextManager
from typing import Any

import torch
from torch import Tensor, nn

from chapters.nb17.new_weights import Adapter
from lib.bert.encoder import AddAndNorm
from lib.bert.hooks import hooked
from lib.exercises.inside import load_weights
from lib.exercises.spec import Exercise, Mistake, Unfit, edit

UPDATE = "self.up(F.gelu(self.down(hidden)))"
SIZES = "(hidden_size, size)"
DOWN, UP = f"self.down = nn.Linear{SIZES}", "self.up = nn.Linear(size, hidden_size)"
WEIGHT, BIAS = "nn.init.zeros_(self.up.weight)", "nn.init.zeros_(self.up.bias)"
BEGIN = f"{WEIGHT}\n        {BIAS}"
DOWN_TOO = "nn.init.zeros_(self.down.weight)\n        nn.init.zeros_(self.down.bias)"


def cases(seed: int) -> Iterator[tuple[int, int, dict[str, Tensor], Tensor]]:
    """Sizes, the weights of a trained adapter, and something to adapt: a row, a batch, numbers far out."""
    for hidden_size, size, shape, spread in [(4, 2, (3, 4), 1), (6, 5, (2, 3, 6), 1), (5, 1, (2, 5), 4)]:
        torch.manual_seed(seed)
        state = Adapter(hidden_size, size).state_dict()
        state = {name: spread * torch.randn_like(tensor) for name, tensor in state.items()}
        yield hidden_size, size, state, torch.randn(shape)


def run(candidate: Any, hidden_size: int, size: int, state: Any, hidden: Tensor) -> tuple[Tensor, ...]:
    """What a new adapter returns; whether a first step moves one of its matrices; a trained one's result."""
    adapter = candidate(hidden_size, size)
    new = adapter(hidden)
    if not isinstance(new, Tensor):
        raise Unfit("forward(hidden) of your Adapter returns no tensor: it gives back [..., hidden_size].")
    matrices = [parameter for parameter in adapter.parameters() if parameter.dim() == 2]
    gradients = torch.autograd.grad(new.square().sum(), matrices, allow_unused=True)
    can_learn = any(gradient is not None and gradient.any() for gradient in gradients)
    load_weights(adapter, state)
    return new.detach(), torch.tensor(float(can_learn)), adapter(hidden)


def use(candidate: Any, model: nn.Module) -> AbstractContextManager[None]:
    """New adapters of 16 features in both places of every layer: they have to leave the model as it is."""
    halves = [part for part in model.modules() if isinstance(part, AddAndNorm)]
    added = {half.dropout: candidate(len(half.LayerNorm.weight), 16) for half in halves}
    return hooked(added, after=lambda dropout, _given, update: added[dropout](update))


# fmt: off
EXERCISE = Exercise(
    name="Adapter", minutes=6, difficulty=2, reference=Adapter, cases=cases, run=run,
    returns=("what a new one returns", "whether a new one can learn (1: yes)", "a trained one's result"),
    mistakes=[
        Mistake("not_nothing", "The formula is right, but a new Adapter already changes what comes in:"
            " training would start from a damaged model. Set weight and bias of self.up to 0 in __init__"
            " (nn.init.zeros_).",
            when=lambda _, answer, right: bool(answer[1]) and torch.allclose(answer[2], right[2], atol=1e-5),
            example=edit(BEGIN, "nn.init.zeros_(self.down.bias)")),
        Mistake("cannot_learn", "A new one can't learn: no step moves two matrices that are both 0 while the"
            " biases are, too. Leave one of the matrices random.",
            edit(BEGIN, f"{DOWN_TOO}\n        {BEGIN}")),
        Mistake("other_activation", "BERT's activation, and that of this adapter, is the exact GELU: F.gelu"
            " without more arguments.",
            (edit("F.gelu", "F.relu"), edit("(hidden)))", "(hidden), approximate='tanh'))"),
             edit("F.gelu", "torch.tanh"), edit("F.gelu", "torch.sigmoid"), edit("F.gelu", "F.silu"))),
        Mistake("gelu_at_the_end", "The GELU stands in the middle. Behind self.up it would bend the update"
            " itself.",
            (edit(UPDATE, "F.gelu(self.up(self.down(hidden)))"), edit(UPDATE, f"F.gelu({UPDATE})"),
             edit(f"hidden + {UPDATE}", "F.gelu(hidden + self.up(self.down(hidden)))"),
             edit(f"hidden + {UPDATE}", f"F.gelu(hidden + {UPDATE})"))),
        Mistake("gelu_at_the_beginning", "The GELU stands in the middle: hidden goes into self.down as it is,"
            " and what comes out of that through GELU.", edit(UPDATE, "self.up(self.down(F.gelu(hidden)))")),
        Mistake("multiplied", "You multiply hidden by the update. It is added, so that an update of 0 changes"
            " nothing.", edit(f"hidden + {UPDATE}", f"hidden * {UPDATE}")),
        Mistake("in_place", "You add into hidden itself (+=). Others still read it, the backward pass too:"
            " return a new tensor, hidden + update.",
            edit(f"return hidden + {UPDATE}", f"hidden += {UPDATE}\n        return hidden")),
        Mistake("frozen", "You forbid self.up its gradient, so it would stay 0 forever. Set it to 0 with"
            " nn.init.zeros_, and let it learn.",
            edit(BEGIN, f"{WEIGHT}.requires_grad_(False)\n        {BIAS}.requires_grad_(False)")),
        Mistake("sizes_exchanged", "Your matrices have their sizes or their places exchanged."
            " nn.Linear(inputs, outputs): self.down comes first, from hidden_size to size, then self.up, from"
            " size to hidden_size.",
            edit(DOWN, DOWN.replace(SIZES, "(size, hidden_size)"))
                .then(UP, UP.replace("(size, hidden_size)", SIZES))),
        Mistake("without_bias", "Both dense layers have a bias, as nn.Linear makes it: leave out bias=False.",
            (edit(DOWN, f"{DOWN[:-1]}, bias=False)"),
             edit(UP, f"{UP[:-1]}, bias=False)").then(BEGIN, WEIGHT),
             edit(DOWN, f"{DOWN[:-1]}, bias=False)").then(UP, f"{UP[:-1]}, bias=False)")
                 .then(BEGIN, WEIGHT))),
        Mistake("super_forgotten", "A module registers its parts, and for that nn.Module has to be set up"
            " first: super().__init__() is the first line of __init__.", edit("super().__init__()", "")),
        Mistake("normalized", "You normalize on the way. An adapter has no norm of its own: that of the layer"
            " follows it.",
            (edit("self.down(hidden)", "self.down(F.layer_norm(hidden, hidden.shape[-1:]))"),
             edit(f"return hidden + {UPDATE}",
                 f"return F.layer_norm(hidden + {UPDATE}, hidden.shape[-1:])"))),
        Mistake("hidden_alone", "You return hidden as it is. A new one does so because its update is 0, not"
            " because there is none: add self.up(F.gelu(self.down(hidden))).",
            edit(f"return hidden + {UPDATE}", "return hidden")),
        Mistake("hidden_overwritten", "Your name `hidden` stands for what came in, and then for what is down"
            " there, and you add the latter. Give the result on the way a name of its own.",
            (edit(f"return hidden + {UPDATE}",
                 "hidden = F.gelu(self.down(hidden))\n        return hidden + self.up(hidden)"),
             edit(f"return hidden + {UPDATE}", f"hidden = {UPDATE}\n        return hidden + hidden"))),
        Mistake("residual_missing", "You return the update alone. It is added to what came in, hidden.",
            (edit(f"hidden + {UPDATE}", UPDATE), edit(f"hidden + {UPDATE}", "self.up(self.down(hidden))"))),
        Mistake("other_formula", "A new one is right, but with other weights what comes out is not hidden +"
            " self.up(F.gelu(self.down(hidden))).",
            when=lambda _, answer, expected: all(map(torch.allclose, answer[:2], expected[:2])),
            example=edit(UPDATE, f"2 * {UPDATE}")),
    ],
    hints=("Two dense layers, to few features and back, the second 0 at first. Add their result to hidden.",
           "hidden is [..., hidden_size], the middle [..., size]. nn.init.zeros_(t) makes a tensor zeros.",
           "In __init__: nn.init.zeros_(self.up.weight); nn.init.zeros_(self.up.bias). In forward: return"
           " hidden + self.up(F.gelu(self.down(hidden)))"),
    why="New, it is nothing at all, so training starts from the pretrained model itself.", box="task_head",
    use=use,
)
# fmt: on
