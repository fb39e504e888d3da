"""The residual path: how loud what a layer adds to it is, and what the norm's place does to learning.

Xiong et al., 2020, compare BERT's order (post-LN) with pre-LN; Liu et al., 2020, look for what stops
post-LN from learning; Dong et al., 2021, show how tokens become alike where little of the residual path
is left.
"""

from collections.abc import Callable
from functools import partial
from typing import Any, NamedTuple

import torch
import torch.nn.functional as F
from torch import Tensor, nn

from lib.bert import BertConfig
from lib.bert.attention import AddAndNorm
from lib.bert.embeddings import BertEmbeddings
from lib.bert.encoder import EncoderLayer, PreLNLayer
from lib.bert.hooks import hooked
from lib.training.fitting import InMemory, adam
from lib.training.loop import Batch, Objective, Term

LETTERS = "abcdefghijklmnopqrstuvwxyz"
LENGTH = 12  # letters of a text
BATCH = 32
STEPS = 120
WARM_UP = 40  # steps over which the learning rate climbs, where it does
RATES = (0.001, 0.002, 0.004, 0.008)

Draw = Callable[[Tensor], Any]

#: how the weights of dense layers start: as in BERT (Devlin et al., 2019), or after Glorot and Bengio, 2010
DRAWS: dict[str, Draw] = {"std 0.02": partial(nn.init.normal_, std=0.02), "Xavier": nn.init.xavier_uniform_}
KINDS: dict[str, type[EncoderLayer]] = {"post-LN": EncoderLayer, "pre-LN": PreLNLayer}


Part = Callable[[Tensor], Tensor]


def pre_ln_layer(x: Tensor, attention: Part, feed_forward: Part, norm_1: Part, norm_2: Part) -> Tensor:
    """One layer: x [T, D] to [T, D]. Only what goes into an update is normalized."""
    x = x + attention(norm_1(x))
    return x + feed_forward(norm_2(x))


class Reverser(nn.Module):
    """A small BERT that reads twelve letters and has to write them backwards.

    From one seed, both kinds of layer give the same weights. The norm after the last layer is for pre-LN;
    what comes out of post-LN is normalized already, so there it changes nothing at first.
    """

    def __init__(
        self, kind: type[EncoderLayer], draw: Draw, seed: int, size: int = 64, layers: int = 6, heads: int = 4
    ):
        super().__init__()
        config = BertConfig(
            vocab_size=len(LETTERS),
            hidden_size=size,
            num_hidden_layers=layers,
            num_attention_heads=heads,
            intermediate_size=4 * size,
            max_position_embeddings=LENGTH,
            hidden_dropout_prob=0.0,
            attention_probs_dropout_prob=0.0,
        )
        torch.manual_seed(seed)
        self.embeddings = BertEmbeddings(config)
        self.layer: Any = nn.ModuleList(kind(config) for _ in range(layers))
        self.norm = nn.LayerNorm(size)
        self.answer = nn.Linear(size, len(LETTERS))
        for module in self.modules():
            if isinstance(module, nn.Embedding):
                nn.init.normal_(module.weight, std=0.02)
            elif isinstance(module, nn.Linear):
                draw(module.weight)
                nn.init.zeros_(module.bias)
        nn.init.normal_(self.answer.weight, std=0.02)

    def states(self, ids: Tensor) -> list[Tensor]:
        """The hidden states [B, T, D] for ids [B, T]: the lookup, one a layer, the last one normalized."""
        states = [self.embeddings(ids)]
        for layer in self.layer:
            states.append(layer(states[-1]))
        return [*states, self.norm(states[-1])]

    def forward(self, ids: Tensor) -> Tensor:
        """Scores [B, T, 26] for the letter that belongs at each place of the text turned around."""
        return self.answer(self.states(ids)[-1])


class Reversal(Objective):
    """Texts turned around, all batches of the same size: the mean loss, and the share of letters right."""

    def __init__(self, model: Reverser):
        super().__init__()
        self.model = model

    def counts(self, batch: Batch) -> dict[str, Tensor | int]:
        return {"batches": 1}

    def forward(self, ids: Tensor) -> dict[str, Term]:
        scores, expected = self.model(ids), ids.flip(1)  # [B, T, 26] and [B, T]
        loss = F.cross_entropy(scores.flatten(0, 1), expected.flatten())
        right = (scores.argmax(dim=-1) == expected).float().mean()
        return {"cross_entropy": Term(loss, "batches"), "right": Term(right, "batches", weight=0)}


def learn(model: Reverser, seed: int, rate: float, warm_up: int, steps: int = STEPS) -> list[float]:
    """Train with Adam on fresh random texts; the share of letters right, before each step.

    The learning rate climbs to `rate` over `warm_up` steps; 0 begins with all of it.
    """
    generator = torch.Generator().manual_seed(seed)
    texts = [torch.randint(len(LETTERS), (BATCH, LENGTH), generator=generator) for _ in range(steps)]
    trainer = adam(Reversal(model), InMemory([{"ids": ids} for ids in texts]), steps, rate, warm_up)
    return [trainer.step()["right"] for _ in range(steps)]


@torch.no_grad()
def mean_pairwise_cosine(hidden: Tensor) -> float:
    """The mean cosine of two different tokens of one text; hidden [B, T, D]. 1 means all point one way."""
    unit = F.normalize(hidden, dim=-1)
    length = hidden.size(1)
    cosines = unit @ unit.transpose(1, 2)  # [B, T, T], with T ones on the diagonal
    return ((cosines.sum(dim=(1, 2)) - length) / (length * (length - 1))).mean().item()


@torch.no_grad()
def update_to_residual_ratio(model: nn.Module, call: Callable[[], object]) -> list[float]:
    """How long each update of a post-LN model is beside what it is added to, the mean over tokens.

    In the order of the model: attention's, then the feed-forward network's, layer by layer.
    """
    ratios: list[float] = []

    def compare(half: AddAndNorm, inputs: tuple[Tensor, Tensor], _out: Tensor) -> None:
        update, residual = half.dense(inputs[0]), inputs[1]  # [B, T, D]
        ratios.append((update.norm(dim=-1) / residual.norm(dim=-1)).mean().item())

    halves = [part for part in model.modules() if isinstance(part, AddAndNorm)]
    with hooked(halves, after=compare):
        call()
    return ratios


class Start(NamedTuple):
    """Layers before any training, post-LN and pre-LN from the same weights.

    left: the mean cosine of a token at the end with itself at the beginning. alike: the mean cosine of two
    tokens of a text, after the lookup and after each layer, the last one normalized. update_to_residual:
    see `update_to_residual_ratio`, in post-LN.
    """

    left: dict[str, float]
    alike: dict[str, list[float]]
    update_to_residual: list[float]


def start(draw: Draw, size: int, layers: int, heads: int) -> Start:
    """What weights drawn like this do to both arrangements, measured on four random texts."""
    ids = _few_texts()
    left, alike, ratios = {}, {}, []
    for name, kind in KINDS.items():
        model = Reverser(kind, draw, 0, size, layers, heads)
        with torch.no_grad():
            *states, _, last = model.states(ids)  # what leaves the last layer counts once it is normalized
        left[name] = F.cosine_similarity(states[0], last, dim=-1).mean().item()
        alike[name] = [mean_pairwise_cosine(state) for state in (*states, last)]
        if name == "post-LN":
            ratios = update_to_residual_ratio(model, partial(model, ids))
    return Start(left, alike, ratios)


def _few_texts() -> Tensor:
    """Four random texts [4, LENGTH]: enough for what is measured before training."""
    return torch.randint(len(LETTERS), (4, LENGTH), generator=torch.Generator().manual_seed(1))
