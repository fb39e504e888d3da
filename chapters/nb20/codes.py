"""What the exercises on codes share: the tensors that are returned, and rounding."""

from typing import Any

from torch import Tensor

from lib.exercises.spec import Mistake, Unfit, edit


def parts(answer: Any, *names: str) -> tuple[Tensor, ...]:
    """The tensors that are returned; Unfit unless they are as many as these names."""
    listed = answer if isinstance(answer, (tuple, list)) else [answer]
    if len(listed) != len(names) or not all(isinstance(part, Tensor) for part in listed):
        raise Unfit(f"It should return {len(names)} tensors: return {', '.join(names)}")
    return tuple(listed)


def other_rounding(number: str, meant: str = "") -> Mistake:
    """Any but torch.round of a number that the reference rounds; meant: the same, exact at the edges."""
    same = meant or number
    others = f"torch.trunc({same})", f"torch.floor({same})", f"torch.floor({same} + 0.5)"
    return Mistake(
        "other_rounding",
        "Round with torch.round: not down, not toward 0, and halves to the even neighbor (2.5 becomes 2).",
        tuple(edit(f"torch.round({number})", other) for other in others),
    )
