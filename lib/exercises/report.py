"""The verdict on an answer."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Report:
    """The verdict on an answer.

    status: passed, failed, blank, missing, copied, error, timeout, memory, died, unreadable, or untried,
    which says nothing about the answer.
    message: what to tell the learner. mistake: the name of the recognized wrong version, or None.
    details: expected beside theirs, their part of a traceback, what their code printed.
    """

    passed: bool
    message: str
    mistake: str | None = None
    status: str = "failed"
    details: str = ""
    seconds: float = 0.0

    def __str__(self) -> str:
        return f"{self.message}\n\n{self.details}" if self.details else self.message
