import torch
import torch.nn.functional as F
from torch import nn


def head(forward, tie=True):
    """A class with the stub's layers, tied, and this forward."""

    class Predictions(nn.Module):
        def __init__(self, config, word_embeddings):
            super().__init__()
            size, eps = config.hidden_size, config.layer_norm_eps
            self.transform = nn.ModuleDict(
                {"dense": nn.Linear(size, size), "LayerNorm": nn.LayerNorm(size, eps=eps)}
            )
            self.decoder = nn.Linear(size, config.vocab_size)
            if tie:
                self.decoder.weight = word_embeddings.weight

    Predictions.forward = forward
    Predictions.__name__ = forward.__name__
    return Predictions


def transformed(self, hidden):
    return self.transform["LayerNorm"](F.gelu(self.transform["dense"](hidden)))


def plain(self, hidden):
    return self.decoder(transformed(self, hidden))


def in_steps(self, hidden):
    x = self.transform["dense"](hidden)
    x = 0.5 * x * (1 + torch.erf(x / 2**0.5))
    return self.decoder(self.transform["LayerNorm"](x))


def by_the_table(self, hidden):
    return torch.einsum("btd,vd->btv", transformed(self, hidden), self.decoder.weight) + self.decoder.bias


RIGHT = [head(plain), head(in_steps), head(by_the_table)]


def no_gelu(self, hidden):
    return self.decoder(self.transform["LayerNorm"](self.transform["dense"](hidden)))


def relu(self, hidden):
    return self.decoder(self.transform["LayerNorm"](F.relu(self.transform["dense"](hidden))))


def tanh_gelu(self, hidden):
    wide = F.gelu(self.transform["dense"](hidden), approximate="tanh")
    return self.decoder(self.transform["LayerNorm"](wide))


def no_norm(self, hidden):
    return self.decoder(F.gelu(self.transform["dense"](hidden)))


def no_dense(self, hidden):
    return self.decoder(self.transform["LayerNorm"](F.gelu(hidden)))


def straight(self, hidden):
    return self.decoder(hidden)


def with_softmax(self, hidden):
    return plain(self, hidden).softmax(-1)


def without_bias(self, hidden):
    return transformed(self, hidden) @ self.decoder.weight.T


def stops_before_the_decoder(self, hidden):
    return transformed(self, hidden)


def calls_the_dict(self, hidden):
    return self.decoder(self.transform(hidden))


def detached(self, hidden):
    return plain(self, hidden.detach())


def not_transposed(self, hidden):
    return transformed(self, hidden) @ self.decoder.weight + self.decoder.bias


class SharedData(head(plain, tie=False)):
    def __init__(self, config, word_embeddings):
        super().__init__(config, word_embeddings)
        self.decoder.weight.data = word_embeddings.weight.data


class NoBiasAtAll(head(plain)):
    def __init__(self, config, word_embeddings):
        super().__init__(config, word_embeddings)
        self.decoder = nn.Linear(config.hidden_size, config.vocab_size, bias=False)
        self.decoder.weight = word_embeddings.weight


WRONG = [
    head(plain, tie=False),
    SharedData,
    NoBiasAtAll,
    *map(
        head,
        (
            *(no_gelu, relu, tanh_gelu, no_norm, no_dense, straight),
            *(with_softmax, without_bias, stops_before_the_decoder, calls_the_dict),
            *(detached, not_transposed),
        ),
    ),
]
