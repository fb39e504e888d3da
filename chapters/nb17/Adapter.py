"""An adapter: down, GELU, up, added to what came in."""

from collections.abc import Iterator, Mapping
from contextlib import AbstractContextManager
from typing import Any

import torch
from torch import Tensor, nn

from lib.bert import adapters
from lib.bert.encoder import AddAndNorm
from lib.bert.hooks import hooked
from lib.exercises.inside import load_weights
from lib.exercises.spec import Exercise, Mistake, Unfit, edit

SUM = "hidden + self.up(F.gelu(self.down(hidden)))"
START = "(self.down.bias, self.up.weight, self.up.bias)"


def cases(seed: int) -> Iterator[tuple[int, int, Mapping[str, Tensor], Tensor]]:
    """Sizes, the weights of a trained adapter, and something to adapt: a row, a batch, numbers far out."""
    for hidden_size, size, shape, spread in [
        (4, 2, (3, 4), 1.0),
        (6, 5, (2, 3, 6), 1.0),
        (5, 1, (2, 5), 4.0),
    ]:
        torch.manual_seed(seed)
        state = {
            name: spread * torch.randn_like(tensor)
            for name, tensor in adapters.Adapter(hidden_size, size).state_dict().items()
        }
        yield hidden_size, size, state, torch.randn(shape)


def run(
    candidate: Any, hidden_size: int, size: int, state: Mapping[str, Tensor], hidden: Tensor
) -> tuple[Tensor, Tensor, Tensor]:
    """What a new adapter returns; 1 if a first step would move one of its two matrices, else 0; and what it
    returns with the weights of a trained one."""
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


def new_one_changes(arguments: Any, answer: Any, expected: Any) -> bool:
    """Whether all is right but what a new one returns."""
    new, trained = (torch.allclose(answer[part], expected[part], atol=1e-5) for part in (0, 2))
    return trained and not new


EXERCISE = Exercise(
    name="Adapter",
    minutes=6,
    difficulty=2,
    reference=adapters.Adapter,
    cases=cases,
    run=run,
    returns=("what a new one returns", "whether a new one can learn (1: yes)", "a trained one's result"),
    mistakes=[
        Mistake(
            "not_nothing",
            "The formula is right, but a new Adapter already changes what comes in, so training would start"
            " from a damaged model. Set the weight and the bias of self.up to 0 in __init__"
            " (nn.init.zeros_), and the update is exactly 0 at first.",
            when=new_one_changes,
            example=edit(START, "(self.down.bias,)"),
        ),
        Mistake(
            "cannot_learn",
            "A new one returns what came in, but it can't learn: the matrices of down and up are both 0, and"
            " no step of training moves either of them, as the table after this exercise shows. Leave one of"
            " the two random.",
            edit(START, "(self.down.weight, self.down.bias, self.up.weight, self.up.bias)"),
        ),
        Mistake(
            "no_sum",
            "You return the update alone, which is 0 at first, so everything that BERT computed is lost. Add"
            " the update to what came in.",
            edit(SUM, "self.up(F.gelu(self.down(hidden)))"),
        ),
        Mistake(
            "no_gelu",
            "There is nothing between down and up, and two dense layers in a row are only one of low rank."
            " The GELU stands between them: self.up(F.gelu(self.down(hidden))).",
            edit("F.gelu(self.down(hidden))", "self.down(hidden)"),
        ),
        Mistake(
            "relu",
            "You use ReLU. BERT's activation, and that of this adapter, is the exact GELU: F.gelu(...).",
            edit("F.gelu", "F.relu"),
        ),
        Mistake(
            "tanh",
            "Right to the third digit: this is the approximation of GELU with tanh. F.gelu without further"
            " arguments is the exact one.",
            edit("F.gelu(self.down(hidden))", 'F.gelu(self.down(hidden), approximate="tanh")'),
        ),
        Mistake(
            "gelu_at_the_end",
            "The GELU stands in the middle, where there are `size` features. Behind self.up it would bend the"
            " update itself, which then can hardly be negative.",
            (
                edit(SUM, "hidden + F.gelu(self.up(self.down(hidden)))"),
                edit(SUM, "hidden + F.gelu(self.up(F.gelu(self.down(hidden))))"),
            ),
        ),
        Mistake(
            "around_the_sum",
            "The sum comes last and goes on as it is: what came in must not pass through anything.",
            (
                edit(SUM, "F.gelu(hidden + self.up(self.down(hidden)))"),
                edit(SUM, "hidden + self.up(F.gelu(self.down(hidden))).sigmoid()"),
            ),
        ),
        Mistake(
            "sizes_swapped",
            "down goes from hidden_size to size features, and up goes back from size to hidden_size.",
            edit("self.down = nn.Linear(hidden_size, size)", "self.down = nn.Linear(size, hidden_size)").then(
                "self.up = nn.Linear(size, hidden_size)", "self.up = nn.Linear(hidden_size, size)"
            ),
        ),
        Mistake(
            "changes_nothing",
            "Your Adapter returns what came in whatever its weights are. The update is missing:"
            " self.up(F.gelu(self.down(hidden))).",
            edit(SUM, "hidden + 0 * self.up(F.gelu(self.down(hidden)))"),
        ),
    ],
    hints=(
        "Two dense layers, one to few features and one back. forward adds what they make of hidden to"
        " hidden. At first the second of them gives 0.",
        "hidden is [..., hidden_size], the middle [..., size], the update [..., hidden_size]."
        " nn.init.zeros_(t) sets a tensor to 0 in place.",
        "In __init__: nn.init.zeros_(self.up.weight); nn.init.zeros_(self.up.bias). In forward: return"
        " hidden + self.up(F.gelu(self.down(hidden)))",
    ),
    why="New, it is nothing at all, so training starts from the pretrained model itself.",
    box="task_head",
    use=use,
)
