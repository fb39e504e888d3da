"""What counts as not written yet: stubs, and gaps left in what is written."""

from __future__ import annotations

from typing import Any

import pytest
import torch
from judged import name_of
from torch import Tensor, nn

from lib.exercises import blank


def stub_docstring(query: Tensor, mask: Any = None) -> Any:
    """Only a docstring."""


def stub_dots(query: Tensor) -> Any: ...


def stub_pass(query: Tensor) -> Any:
    pass


def stub_return(query: Tensor) -> Any:
    """Returns None."""
    return None


def stub_raises(query: Tensor) -> Any:
    raise NotImplementedError


def stub_raises_with_words(query: Tensor) -> Any:
    raise NotImplementedError("write me")


def gap(query: Tensor) -> Any:
    scores: Any = ...
    return scores


def gap_in_a_call(query: Tensor) -> Any:
    return torch.softmax(query, dim=...)  # type: ignore[arg-type]


def two_gaps(query: Tensor) -> Any:
    keys: Any = ...
    values: Any = ...
    return query @ keys @ values


class StubModule(nn.Module):
    """Only docstrings."""

    def __init__(self, config: Any) -> None:
        """Nothing yet."""
        super().__init__()

    def forward(self, hidden: Tensor, mask: Any = None) -> Any:
        """Nothing yet."""


class StubForward(nn.Module):
    size: int

    def __init__(self, config: Any) -> None:
        super().__init__()
        self.size = config

    def forward(self, hidden: Tensor) -> Any:
        """Nothing yet."""


class StubEmpty(nn.Module):
    pass


def written_ellipsis(query: Tensor) -> Any:
    return query[..., 0]


def written_ellipsis_and_index(query: Tensor, index: int) -> Any:
    return query[..., index] + query[...]


def written_constant(query: Tensor) -> Any:
    return "x"


class Written(StubForward):
    def forward(self, hidden: Tensor) -> Any:
        return hidden


STUBS = [value for name, value in list(globals().items()) if name.lower().startswith("stub")]
WRITTEN = [written_ellipsis, written_ellipsis_and_index, written_constant, Written, 0, [], "", False]


@pytest.mark.parametrize("stub", [*STUBS, None, ..., [..., ...], (None,)], ids=name_of)
def test_a_stub_is_blank(stub: Any) -> None:
    assert blank.is_blank(stub)


@pytest.mark.parametrize("answer", [*WRITTEN, torch.zeros(2)], ids=name_of)
def test_what_is_written_is_not_blank(answer: Any) -> None:
    assert not blank.is_blank(answer)


@pytest.mark.parametrize(
    ("answer", "gaps"),
    [(gap, 1), (gap_in_a_call, 1), (two_gaps, 2), ([3, ...], 1), ({"batch": ..., "layer": 1}, 1)],
    ids=name_of,
)
def test_a_gap_is_left_to_fill(answer: Any, gaps: int) -> None:
    assert blank.unwritten(answer, "it").startswith(f"it is not finished: {gaps} `...`")
    assert not blank.unwritten(written_ellipsis, "it")
