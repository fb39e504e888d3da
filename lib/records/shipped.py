"""Fine-tuned models that come with the course, so that nobody waits for their training.

A folder of `data/models` holds what training changed of MiniLM, its answers to the test rows, and a card.
Each row of a matrix that training moved is stored as codes of eight bits with a scale for every `GROUP`
numbers (`lib.compression.quantizers.linear`); vectors are stored whole, and so is the head, which MiniLM does
not have. `make task-models` writes them, and refuses where the model that comes back answers a test row
otherwise.
"""

from __future__ import annotations

import torch
from safetensors import SafetensorError
from safetensors.torch import load_file
from torch import Tensor

from lib import root
from lib.bert.model import PreTrainedBert
from lib.compression.quantizers.linear import quantize_symmetric
from lib.training.finetuning import fresh_model
from lib.training.task_kinds import Task

FOLDER = root / "data" / "models"
UPDATE = "update.safetensors"
GROUP = 128
STILL = 1e-3  # a row that moved by less, as a share of its length, was only decayed


def is_shipped(task: str, seed: int) -> bool:
    """Whether the model fine-tuned on this task from this seed comes with the course."""
    return seed == 0 and (FOLDER / task / UPDATE).is_file()


@torch.no_grad()
def update_of(model: PreTrainedBert, base: PreTrainedBert) -> dict[str, Tensor]:
    """What training changed of a model, by the names of its tensors.

    Of a matrix [out, in] NAME.rows [R] (int32) says which rows moved, NAME.codes [R, in] (int8) and
    NAME.scales [R * in / GROUP, 1] by how much.
    """
    update, before = {}, base.state_dict()
    for name, tensor in model.state_dict().items():
        if tensor.dim() != 2 or name in base.newly_initialized:
            update[name] = tensor.clone()
            continue
        difference = tensor - before[name]
        rows = (difference.norm(dim=1) > STILL * tensor.norm(dim=1)).nonzero()[:, 0]
        codes, scales = quantize_symmetric(difference[rows].view(-1, GROUP), bits=8)
        parts = {"rows": rows.int(), "codes": codes.view(len(rows), -1), "scales": scales}
        update |= {f"{name}.{part}": values for part, values in parts.items()}
    return update


@torch.no_grad()
def add_update(base: PreTrainedBert, update: dict[str, Tensor]) -> None:
    """Make the model that was trained out of the one that its training began with, in place."""
    for name, tensor in base.state_dict().items():
        if name in update:
            tensor.copy_(update[name])
            continue
        codes = update[f"{name}.codes"]
        difference = (codes.view(-1, GROUP) * update[f"{name}.scales"]).view(codes.shape)
        tensor[update[f"{name}.rows"].long()] += difference


def load_shipped(task: Task) -> PreTrainedBert:
    """The model that comes with the course for this task, in eval(). ValueError if its file is damaged."""
    path = FOLDER / task.name / UPDATE
    model = fresh_model(task, "minilm", seed=0)
    try:
        add_update(model, load_file(path))
    except (KeyError, RuntimeError, SafetensorError) as error:
        raise ValueError(f"{path} is damaged ({error}): take the course's own from git.") from None
    model.newly_initialized = ()  # the file has the head
    return model.eval()
