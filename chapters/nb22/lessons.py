"""What notebook 22 has its reader write: which places of two models make pairs, and MiniLM's loss."""

import torch.nn.functional as F
from torch import Tensor

Pairs = list[tuple[int, int]]


def places_in_outputs(student_layers: int, teacher_layers: int) -> tuple[Pairs, Pairs]:
    """The pairs of TinyBERT in the tuples `hidden_states` and `attentions` that two models return."""
    step = teacher_layers // student_layers
    states = [(m, m * step) for m in range(student_layers + 1)]
    attentions = [(m, m * step + step - 1) for m in range(student_layers)]
    return states, attentions


def relation_loss(student_values: Tensor, teacher_values: Tensor, num_heads: int) -> Tensor:
    """KL(teacher ‖ student) between value relations, softmax(V Vᵀ / √(own head size)) on either side."""
    relations = []
    for values in (student_values, teacher_values):
        batch, length, size = values.shape
        heads = values.view(batch, length, num_heads, size // num_heads).transpose(1, 2)  # [B, H, T, K]
        scores = heads @ heads.transpose(-2, -1) / heads.size(-1) ** 0.5  # [B, H, T, T]
        relations.append(scores.log_softmax(dim=-1))
    student, teacher = relations
    divergence = F.kl_div(student, teacher, reduction="none", log_target=True)  # [B, H, T, T]
    return divergence.sum(dim=-1).mean()
