"""What earlier notebooks built and this one uses again: the loss on a teacher's soft answers (21)."""

from torch import Tensor
from torch.nn.functional import kl_div


def answers_loss(mine: Tensor, theirs: Tensor, temperature: float = 2.0) -> Tensor:
    """Notebook 21: how far the student's softened answers are from the teacher's; both are logits [B, C]."""
    log_shares = (mine / temperature).log_softmax(dim=-1)
    goal = (theirs / temperature).softmax(dim=-1)
    return temperature**2 * kl_div(log_shares, goal, reduction="batchmean")
