import torch
import torch.nn.functional as F
from torch import nn


class UpAtZero(nn.Module):
    def __init__(self, hidden_size, size):
        super().__init__()
        self.down = nn.Linear(hidden_size, size)
        self.up = nn.Linear(size, hidden_size)
        nn.init.zeros_(self.up.weight)
        nn.init.zeros_(self.up.bias)

    def forward(self, x):
        return x + self.up(F.gelu(self.down(x)))


class DownAtZero(nn.Module):
    def __init__(self, hidden_size, size):
        super().__init__()
        self.down = nn.Linear(hidden_size, size)
        self.up = nn.Linear(size, hidden_size)
        self.down.weight.data.zero_()
        self.down.bias.data.zero_()
        self.up.bias.data.zero_()
        self.activation = nn.GELU()

    def forward(self, x):
        update = self.down(x)
        update = self.activation(update)
        update = self.up(update)
        return update + x


class ByHand(torch.nn.Module):
    def __init__(self, hidden_size: int, size: int):
        super().__init__()
        self.up = nn.Linear(size, hidden_size)
        self.down = nn.Linear(hidden_size, size)
        with torch.no_grad():
            self.up.weight.fill_(0)
            self.up.bias.fill_(0)

    def forward(self, hidden: torch.Tensor) -> torch.Tensor:
        middle = hidden @ self.down.weight.T + self.down.bias
        middle = middle * (1 + torch.erf(middle / 2**0.5)) / 2
        return torch.add(hidden, middle @ self.up.weight.T + self.up.bias)


RIGHT = [UpAtZero, DownAtZero, ByHand]


def adapter(forward, start="up", bias=True, wide=None):
    class Adapter(nn.Module):
        def __init__(self, hidden_size, size):
            super().__init__()
            self.down = nn.Linear(hidden_size, wide or size, bias=bias)
            self.up = nn.Linear(wide or size, hidden_size, bias=bias)
            for name in start.split():
                for parameter in getattr(self, name).parameters():
                    nn.init.zeros_(parameter)

        def forward(self, x):
            return forward(self, x)

    return Adapter


class NoSuper(nn.Module):
    def __init__(self, hidden_size, size):
        self.down = nn.Linear(hidden_size, size)


class OtherNames(nn.Module):
    def __init__(self, hidden_size, size):
        super().__init__()
        self.a = nn.Linear(hidden_size, size)
        self.b = nn.Linear(size, hidden_size)

    def forward(self, x):
        return x + self.b(F.gelu(self.a(x)))


class SwappedSizes(UpAtZero):
    def __init__(self, hidden_size, size):
        super().__init__(size, hidden_size)


class Frozen(UpAtZero):
    def __init__(self, hidden_size, size):
        super().__init__(hidden_size, size)
        self.up.requires_grad_(False)


def in_place(self, x):
    x += self.up(F.gelu(self.down(x)))
    return x


WRONG = [
    adapter(lambda self, x: x + self.up(F.gelu(self.down(x))), start=""),
    adapter(lambda self, x: x + self.up(F.gelu(self.down(x))), start="down up"),
    adapter(lambda self, x: self.up(F.gelu(self.down(x)))),
    adapter(lambda self, x: x + self.up(F.relu(self.down(x)))),
    adapter(lambda self, x: x + self.up(F.gelu(self.down(x), approximate="tanh"))),
    adapter(lambda self, x: x + self.up(self.down(x))),
    adapter(lambda self, x: x + F.gelu(self.up(F.gelu(self.down(x))))),
    adapter(lambda self, x: x + self.up(F.gelu(self.down(x))), bias=False),
    adapter(lambda self, x: x + F.gelu(self.up(self.down(x)))),
    adapter(lambda self, x: x + self.up(F.gelu(self.down(F.layer_norm(x, x.shape[-1:]))))),
    adapter(lambda self, x: x + self.up(F.gelu(self.down(x))), wide=3),
    adapter(lambda self, x: x),
    adapter(lambda self, x: x * self.up(F.gelu(self.down(x)))),
    NoSuper,
    OtherNames,
    SwappedSizes,
    lambda hidden_size, size: None,
    Frozen,
    adapter(in_place),
    adapter(lambda self, x: x + self.up(self.down(F.gelu(x)))),
    adapter(lambda self, x: x - self.up(F.gelu(self.down(x)))),
]
