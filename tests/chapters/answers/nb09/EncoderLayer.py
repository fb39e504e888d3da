import torch
import torch.nn.functional as F
from torch import nn

from lib.bert.attention import SelfAttention
from lib.bert.encoder import PreLNLayer


class Stub(nn.Module):
    """The stub without its forward."""

    def __init__(self, config):
        super().__init__()
        size, wide, eps = config.hidden_size, config.intermediate_size, config.layer_norm_eps
        output = {"dense": nn.Linear(size, size), "LayerNorm": nn.LayerNorm(size, eps=eps)}
        self.attention = nn.ModuleDict({"self": SelfAttention(config), "output": nn.ModuleDict(output)})
        self.intermediate = nn.ModuleDict({"dense": nn.Linear(size, wide)})
        self.output = nn.ModuleDict(
            {"dense": nn.Linear(wide, size), "LayerNorm": nn.LayerNorm(size, eps=eps)}
        )
        self.dropout = nn.Dropout(config.hidden_dropout_prob)


PARTS = {
    "attend": 'self.attention["self"](hidden, mask)',
    "project": 'self.attention["output"]["dense"](x)',
    "first": "hidden + self.dropout(x)",
    "first_norm": 'self.attention["output"]["LayerNorm"](x)',
    "keep": "x",
    "widen": 'self.intermediate["dense"](hidden)',
    "activate": "F.gelu(x)",
    "narrow": 'self.output["dense"](x)',
    "second": "hidden + self.dropout(x)",
    "second_norm": 'self.output["LayerNorm"](x)',
    "end": "x",
}


def by_hand(attend, hidden, mask):
    """Attention of all heads, written out, with the parts of a SelfAttention."""
    batch, length, size = hidden.shape
    query, key, value = (
        part(hidden).view(batch, length, attend.num_heads, -1).transpose(1, 2)
        for part in (attend.query, attend.key, attend.value)
    )
    scores = query @ key.mT / query.shape[-1] ** 0.5
    if mask is not None:
        scores = scores.masked_fill(~mask, -1e9)
    return (attend.dropout(scores.softmax(-1)) @ value).transpose(1, 2).reshape(batch, length, size)


def layer(**changes):
    """A layer in the nine steps of PARTS, some of them changed; `start` is what came in."""
    lines = ["start = hidden"]
    for name, line in {**PARTS, **changes}.items():
        lines.append(f"{'hidden' if name == 'keep' else 'x'} = {line}")
    return written("\n".join([*lines, "return x"]))


def written(body):
    """A layer whose forward has these lines."""
    indented = "\n".join(f"    {line}" for line in body.splitlines())
    space = {"by_hand": by_hand, "torch": torch, "F": F, "nn": nn}
    exec(f"def forward(self, hidden, mask=None):\n{indented}", space)
    return type("EncoderLayer", (Stub,), {"forward": space["forward"]})


class OwnAttention(nn.Module):
    def __init__(self, size, heads, rate):
        super().__init__()
        self.heads = heads
        self.query, self.key, self.value = (nn.Linear(size, size) for _ in range(3))
        self.rate = rate

    def forward(self, hidden, mask):
        query, key, value = (
            project(hidden).unflatten(-1, (self.heads, -1)).transpose(1, 2)
            for project in (self.query, self.key, self.value)
        )
        scores = query @ key.mT / query.size(-1) ** 0.5
        if mask is not None:
            scores = scores.masked_fill(~mask, -torch.inf)
        weights = F.dropout(scores.softmax(-1), self.rate, self.training)
        return (weights @ value).transpose(1, 2).flatten(2)


class OwnHalf(nn.Module):
    def __init__(self, wide, size, eps, rate):
        super().__init__()
        self.dense = nn.Linear(wide, size)
        self.LayerNorm = nn.LayerNorm(size, eps)
        self.rate = rate

    def forward(self, update, hidden):
        return self.LayerNorm(F.dropout(self.dense(update), self.rate, self.training) + hidden)


class OfOwnModules(nn.Module):
    def __init__(self, config):
        super().__init__()
        size, wide, rate = config.hidden_size, config.intermediate_size, config.hidden_dropout_prob
        own = OwnAttention(size, config.num_attention_heads, config.attention_probs_dropout_prob)
        half = OwnHalf(size, size, config.layer_norm_eps, rate)
        self.attention = nn.ModuleDict({"self": own, "output": half})
        self.intermediate = nn.ModuleDict({"dense": nn.Linear(size, wide)})
        self.output = OwnHalf(wide, size, config.layer_norm_eps, rate)

    def forward(self, hidden, mask=None):
        hidden = self.attention["output"](self.attention["self"](hidden, mask), hidden)
        return self.output(F.gelu(self.intermediate["dense"](hidden)), hidden)


ATTENDED = 'self.attention["output"]["dense"](self.attention["self"](hidden, mask))'
WIDE = 'self.output["dense"](F.gelu(self.intermediate["dense"](hidden)))'
NORM1, NORM2 = 'self.attention["output"]["LayerNorm"]', 'self.output["LayerNorm"]'

RIGHT = [
    layer(),
    OfOwnModules,
    written(
        f"hidden = {NORM1}(hidden + self.dropout({ATTENDED}))\nreturn {NORM2}(hidden + self.dropout({WIDE}))"
    ),
    layer(activate="nn.GELU()(x)"),
    layer(attend='by_hand(self.attention["self"], hidden, mask)'),
    layer(attend='self.attention["self"](hidden) if mask is None else self.attention["self"](hidden, mask)'),
    layer(activate="x * 0.5 * (1 + torch.erf(x / 2**0.5))"),
    layer(
        first="hidden + F.dropout(input=x, p=self.dropout.p, training=self.training)",
        second="self.dropout(x) + hidden",
        attend="self.attention.self(hidden, mask=mask)",
    ),
    layer(
        first_norm="F.layer_norm(x, x.shape[-1:], self.attention.output.LayerNorm.weight,"
        " self.attention.output.LayerNorm.bias, self.output.LayerNorm.eps)"
    ),
    written(
        f"x = {ATTENDED}\nx = self.dropout(x)\nx += hidden\nx = {NORM1}(x)\nskip = x\n"
        "x = self.intermediate.dense(x)\nx = F.gelu(x)\nx = self.output.dense(x)\nx = self.dropout(x)\n"
        f"return {NORM2}(skip + x)"
    ),
]

WRONG = [
    # residuals
    layer(first="self.dropout(x)", second="self.dropout(x)"),
    layer(first="self.dropout(x)"),
    layer(second="self.dropout(x)"),
    layer(first="2 * hidden + self.dropout(x)"),
    layer(first="hidden - self.dropout(x)", second="hidden - self.dropout(x)"),
    layer(first="hidden * self.dropout(x)"),
    layer(widen='self.intermediate["dense"](start)'),
    layer(first="x + self.dropout(x)"),
    layer(end="x + hidden"),
    layer(end="x + start"),
    # norms
    written(
        f'x = self.attention["output"]["dense"](self.attention["self"]({NORM1}(hidden), mask))\n'
        "x = hidden + self.dropout(x)\n"
        f'return x + self.dropout(self.output["dense"](F.gelu(self.intermediate["dense"]({NORM2}(x)))))'
    ),
    PreLNLayer,
    layer(attend=f'self.attention["self"]({NORM1}(hidden), mask)', first_norm="x"),
    layer(widen=f'self.intermediate["dense"]({NORM2}(hidden))', second_norm="x"),
    layer(first_norm="x", second_norm="x"),
    layer(first_norm="x"),
    layer(second_norm="x"),
    layer(first=f"hidden + {NORM1}(self.dropout(x))", first_norm="x",
          second=f"hidden + {NORM2}(self.dropout(x))", second_norm="x"),
    layer(
        first_norm="F.layer_norm(x, x.shape[-1:], *self.attention.output.LayerNorm.parameters())",
        second_norm="F.layer_norm(x, x.shape[-1:], *self.output.LayerNorm.parameters())",
    ),
    layer(attend='by_hand(self.attention["self"].eval(), hidden, mask)'),
    # activation and dense layers
    layer(activate="F.relu(x)"),
    layer(activate="torch.tanh(x)"),
    layer(activate="torch.sigmoid(x)"),
    layer(activate="x * torch.sigmoid(1.702 * x)"),
    layer(activate="x"),
    layer(activate="x", narrow='F.gelu(self.output["dense"](x))'),
    layer(narrow='F.gelu(self.output["dense"](x))'),
    layer(widen='self.intermediate["dense"](F.gelu(hidden))', activate="x"),
    layer(project='F.gelu(self.attention["output"]["dense"](x))'),
    layer(end="F.gelu(x)"),
    layer(activate="x", end="F.gelu(x)"),
    layer(project="x"),
    layer(narrow='self.intermediate["dense"](x)'),
    layer(widen="hidden"),
    layer(widen='self.intermediate(hidden)'),
    layer(project='self.attention["output"](x)'),
    # mask
    layer(attend='self.attention["self"](hidden)'),
    layer(attend='self.attention["self"](hidden, None)'),
    layer(attend='self.attention["self"](hidden, ~mask if mask is not None else None)'),
    layer(attend='self.attention["self"](hidden, ~mask)'),
    layer(attend='self.attention["self"](hidden, mask.float() if mask is not None else None)'),
    layer(attend='self.attention["self"](mask, hidden)'),
    layer(attend='self.attention["self"](hidden, mask)[0]'),
    # dropout
    layer(first="hidden + x", second="hidden + x"),
    layer(first="hidden + x"),
    layer(second="hidden + x"),
    layer(second="self.dropout(hidden + x)"),
    layer(first="hidden + x", first_norm=f"self.dropout({NORM1}(x))", second="hidden + x",
          second_norm=f"self.dropout({NORM2}(x))"),
    layer(first="hidden + x", second="hidden + x", end="self.dropout(x)"),
    layer(end="self.dropout(x)"),
    layer(first="hidden + F.dropout(x, self.dropout.p)", second="hidden + F.dropout(x, self.dropout.p)"),
    layer(first="hidden + F.dropout(x, 0.1)", second="hidden + F.dropout(x, 0.1)"),
    layer(first="hidden + F.dropout(x)", second="hidden + F.dropout(x)"),
    layer(first="hidden + nn.Dropout(0.1)(x)", second="hidden + nn.Dropout(0.1)(x)"),
    layer(activate="self.dropout(F.gelu(x))"),
    layer(attend='self.dropout(self.attention["self"](hidden, mask))', first="hidden + x"),
    layer(attend='self.dropout(self.attention["self"](hidden, mask))'),
    layer(first="hidden + self.dropout(self.dropout(x))", second="hidden + self.dropout(self.dropout(x))"),
    layer(first="hidden + self.dropout(x) if self.training else x"),
    # order, halves and results
    written(
        f"hidden = {NORM2}(hidden + self.dropout({WIDE}))\nreturn {NORM1}(hidden + self.dropout({ATTENDED}))"
    ),
    written(f"return {NORM1}(hidden + self.dropout({ATTENDED}))"),
    written(f"return {NORM2}(hidden + self.dropout({ATTENDED}) + self.dropout({WIDE}))"),
    written(f"x = {NORM1}(hidden + self.dropout({ATTENDED}))\nx + {WIDE}"),
    layer(end="(x,)"),
    layer(end="(x, mask)"),
    layer(end="x.detach()"),
    layer(end="x.mean(1)"),
    layer(attend='self.attention["self"](hidden.detach(), mask)'),
    written(f"hidden += self.dropout({ATTENDED})\nhidden = {NORM1}(hidden)\n"
            f"return {NORM2}(hidden + self.dropout({WIDE}))"),
    written("return hidden"),
]  # fmt: skip
