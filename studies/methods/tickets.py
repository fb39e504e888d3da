"""Lottery tickets: a part of a network that, trained alone from its old values, does as well as the whole.

    start = snapshot(model)                        # BERT's pretrained weights, or those of an early step
    masks = find_ticket(model, start, train, rounds=3, share=0.3)
    train(model)                                   # is it a winning one? Beside the controls:
    set_masks(model, shuffled_masks(masks[-1], seed=0)); rewind(model, start)    # other weights
    set_masks(model, masks[-1]); rewind(model, start); shuffle_survivors(model, seed=0)  # other values

Frankle and Carbin (2019), with the pretrained weights as the start for BERT (Chen et al., 2020).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

import torch
from torch import Tensor, nn

from lib.compression.pruning.magnitude import over_all
from lib.compression.pruning.masks import masks_of, originals, prune


def sparsity_after(rounds: int, share: float) -> float:
    """The sparsity after so many rounds that each prune this share of what was left."""
    return 1 - (1 - share) ** rounds


def snapshot(model: nn.Module) -> dict[str, Tensor]:
    """A copy of all parameters by name, each in its shape, heads and norms among them; masks are none."""
    return {name: parameter.detach().clone() for name, parameter in model.named_parameters()}


@torch.no_grad()
def rewind(model: nn.Module, start: Mapping[str, Tensor]) -> None:
    """Give all parameters their values of `start` again, to the bit. Masks stay, so what is pruned stays 0.

    start: parameters by name, each in its shape. ValueError where the snapshot is of a model that was built
    otherwise, such as one without masks.
    """
    parameters = dict(model.named_parameters())
    if differ := parameters.keys() ^ start.keys():
        raise ValueError(
            f"{min(differ)} is in the model or in the snapshot, but not in both: take the snapshot after "
            "add_masks(model)."
        )
    for name, parameter in parameters.items():
        parameter.copy_(start[name])


def find_ticket(
    model: nn.Module,
    start: Mapping[str, Tensor],
    train: Callable[[nn.Module], object],
    rounds: int,
    share: float = 0.1,
) -> list[dict[str, Tensor]]:
    """The masks after each round of: rewind, train, prune the smallest `share` of what is left, over all.

    Masks are boolean [out, in], by path; start is as in `rewind`.
    train: begins with a fresh optimizer and schedule and reads the same data in the same order each time. The
    model ends as the ticket: rewound, under the last masks. Head and tables are no part of the ranking unless
    somebody put them under masks.
    """
    masks = []
    for number in range(1, rounds + 1):
        rewind(model, start)
        train(model)
        prune(model, sparsity_after(number, share), over_all)
        masks.append(masks_of(model))
    rewind(model, start)
    return masks


def shuffled_masks(masks: Mapping[str, Tensor], seed: int) -> dict[str, Tensor]:
    """Masks [out, in] at random that keep as many weights of every matrix: do these weights matter?"""
    generator = torch.Generator().manual_seed(seed)
    return {path: _shuffled(mask.flatten(), generator).view(mask.shape) for path, mask in masks.items()}


@torch.no_grad()
def shuffle_survivors(model: nn.Module, seed: int) -> None:
    """Let the weights that are left change places within their matrix: is it their values that matter?"""
    generator = torch.Generator().manual_seed(seed)
    for mask, weight in originals(model).values():
        weight[mask] = _shuffled(weight[mask], generator)


def _shuffled(values: Tensor, generator: torch.Generator) -> Tensor:
    return values[torch.randperm(len(values), generator=generator).to(values.device)]
