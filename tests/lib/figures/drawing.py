"""What the tests of drawings share: attention that is random and always the same, tags, a cell's outputs."""

from __future__ import annotations

from html.parser import HTMLParser

import matplotlib
import pytest
import torch

matplotlib.use("agg")
TOKENS = ["[CLS]", "she", "opened", "a", "bank", "account", "[SEP]"]


def weights(*shape: int) -> torch.Tensor:
    """Random attention weights of `shape`, the same ones each time."""
    generator = torch.Generator().manual_seed(0)
    return torch.softmax(2 * torch.randn(*shape, generator=generator), dim=-1)


def words(length: int) -> list[str]:
    return [f"word{number}" for number in range(length)]


class Tags(HTMLParser):
    """Collects the tags of a page with their attributes."""

    def __init__(self, html: str) -> None:
        super().__init__()
        self.tags: list[tuple[str, dict[str, str | None]]] = []
        self.feed(html)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append((tag, dict(attrs)))


def outputs_of_a_cell(monkeypatch: pytest.MonkeyPatch) -> list:
    """What a cell displays from now on."""
    outputs: list = []
    monkeypatch.setattr("IPython.display.display", lambda output, display_id=False: outputs.append(output))
    return outputs
