"""Soups of notebook 18 beside one model that learns from all their headlines, for two threes of offices.

`recorded.RIGHT` holds what this prints, new headlines right of 360, in some two minutes on one core:

    python -m chapters.nb18.other_offices

The first three offices are those of the notebook. The other three have headlines that the first ones lack.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations

import torch
from torch import Tensor

from chapters.nb18 import landscapes
from chapters.nb18.earlier import batches_of
from chapters.nb18.weights import Weights, soup
from lib.training import known_tasks

OFFICES = {"first three": "ABC", "other three": "DEF"}  # office A has every sixth headline, and so on
SEEDS = {"first three": 0, "other three": 1}  # of the order of the batches
RATE, PASSES = 2e-4, 5

Batches = Sequence[dict[str, Tensor]]


def learn(batches: Batches, seed: int) -> Weights:
    """The training of section 1, from the same start."""
    model = landscapes.new_model()
    torch.manual_seed(seed)
    optimizer = torch.optim.AdamW(model.parameters(), lr=RATE, fused=True)
    model.train()
    for number in range(PASSES):
        optimizer.param_groups[0]["lr"] = RATE * (1 - number / PASSES)
        for place in torch.randperm(len(batches)).tolist():
            loss = model(**batches[place]).loss
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
    return model.state_dict()


@torch.no_grad()
def answers_of(weights: Weights, batches: Batches) -> Tensor:
    """The chances of the nine categories."""
    model = landscapes.new_model()
    model.load_state_dict(weights)
    return torch.cat([model(**batch).logits for batch in batches]).softmax(dim=1)


def main() -> None:
    """Print for both threes how many new headlines each model, each soup and the one model get right."""
    torch.set_num_threads(1)
    task = known_tasks.load_task(landscapes.TASK)
    pieces = landscapes.small_tokenizer(task)
    new = batches_of(task.test[:360], pieces, 40)
    labels = torch.cat([batch["labels"] for batch in new])
    for three, names in OFFICES.items():
        examples = {name: task.train["ABCDEF".index(name) :: 6] for name in names}
        models = {name: learn(batches_of(some, pieces, 12), SEEDS[three]) for name, some in examples.items()}
        answers = {name: answers_of(weights, new) for name, weights in models.items()}
        answered = dict(answers)
        for count in (2, 3):
            for several in combinations(names, count):
                mixed = soup([models[name] for name in several], [1 / count] * count)
                answered["".join(several)] = answers_of(mixed, new)
        answered["answers averaged"] = torch.stack([*answers.values()]).sum(dim=0)
        together = [example for some in examples.values() for example in some]
        answered["one model"] = answers_of(learn(batches_of(together, pieces, 12), SEEDS[three]), new)
        right = {name: int((given.argmax(dim=1) == labels).sum()) for name, given in answered.items()}
        print(f"    {three!r}: {right},", flush=True)


if __name__ == "__main__":
    main()
