"""Tags from hidden states: the six recipes of Devlin et al. (2019, section 5.3 and table 7), BERT left alone.

Sizes in the comments: B rows, T pieces, D hidden size, n hidden states that a recipe takes, C tags.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import torch
from torch import Tensor, nn
from torch.nn.utils.rnn import pack_padded_sequence, pad_packed_sequence

from lib.bert.heads import HeadOutput, label_loss


class ScalarMix(nn.Module):
    """A learned weighted mean of hidden states: gamma times the sum of softmax(weights) times each.

    [..., n, D] to [..., D] (Peters et al., 2018, equation 1). New, it is the plain mean.
    """

    def __init__(self, count: int):
        super().__init__()
        self.weights = nn.Parameter(torch.zeros(count))
        self.gamma = nn.Parameter(torch.ones(()))

    def forward(self, hidden: Tensor) -> Tensor:
        return self.gamma * (self.weights.softmax(0)[:, None] * hidden).sum(-2)


class FeatureRecipe(NamedTuple):
    """Which hidden states a tagger reads, and how several become one vector."""

    layers: tuple[int, ...]  # 0 are the embeddings
    mixed: bool = False  # their weighted mean; otherwise side by side

    def combine(self) -> nn.Module:
        """[B, T, n, D] to [B, T, D] or [B, T, n * D]: a new module."""
        return ScalarMix(len(self.layers)) if self.mixed else nn.Flatten(-2)


def feature_recipes(num_layers: int, top: int = 4) -> dict[str, FeatureRecipe]:
    """The six of the paper, in the order of its table, for a model of so many layers.

    `top` layers are mixed or joined where the paper, with 12 layers, takes the last four: of six layers
    that is most of the model, of four all. "All layers" leaves out the embeddings.
    """
    if not 2 <= top <= num_layers:
        raise ValueError(f"The last {top} of {num_layers} layers: give a number from 2 to {num_layers}.")
    upper = tuple(range(num_layers - top + 1, num_layers + 1))
    return {
        "embeddings": FeatureRecipe((0,)),
        "second-to-last": FeatureRecipe((num_layers - 1,)),
        "last": FeatureRecipe((num_layers,)),
        f"weighted sum of last {top}": FeatureRecipe(upper, mixed=True),
        f"last {top} side by side": FeatureRecipe(upper),
        "weighted sum of all layers": FeatureRecipe(tuple(range(1, num_layers + 1)), mixed=True),
    }


class BiLSTM(nn.Module):
    """Two layers of LSTM that read each row from both sides: [B, T, inputs] to [B, T, 2 * width].

    The paper's are 768 wide. Padding, at the end of a row, is not read.
    """

    def __init__(self, inputs: int, width: int):
        super().__init__()
        self.lstm = nn.LSTM(inputs, width, num_layers=2, batch_first=True, bidirectional=True)

    def forward(self, features: Tensor, attention_mask: Tensor) -> Tensor:
        lengths = attention_mask.sum(-1).cpu()
        packed = pack_padded_sequence(features, lengths, batch_first=True, enforce_sorted=False)
        read, _ = pad_packed_sequence(self.lstm(packed)[0], batch_first=True, total_length=features.size(1))
        return read


class FeatureTagger(nn.Module):
    """A tag a piece from cached hidden states: a recipe, a BiLSTM if it has a width, and a linear layer.

    Without a width the linear layer reads the features themselves.
    """

    def __init__(self, recipe: FeatureRecipe, hidden_size: int, num_labels: int, width: int = 0):
        super().__init__()
        features = hidden_size if recipe.mixed else len(recipe.layers) * hidden_size
        self.combine = recipe.combine()
        self.reader = BiLSTM(features, width) if width else None
        self.classifier = nn.Linear(2 * width or features, num_labels)

    def forward(
        self, hidden: Tensor, attention_mask: Tensor, labels: Tensor | None = None, **_inputs: Any
    ) -> HeadOutput:
        """hidden [B, T, n, D], as `CachedBatches` gives it, to `logits` [B, T, C]."""
        features = self.combine(hidden)
        if self.reader is not None:
            features = self.reader(features, attention_mask)
        logits = self.classifier(features)
        return HeadOutput(logits, None if labels is None else label_loss("labels", logits, labels))
