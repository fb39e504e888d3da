import torch
import torch.nn.functional as F
from torch import nn


def lora(forward):
    class LoRA(nn.Module):
        def __init__(self, linear, rank):
            super().__init__()
            self.linear = linear
            self.a = nn.Parameter(torch.randn(rank, linear.in_features) / linear.in_features**0.5)
            self.b = nn.Parameter(torch.zeros(linear.out_features, rank))

    LoRA.forward = forward
    return LoRA


def step_by_step(self, x):
    narrow = F.linear(x, self.a)
    update = F.linear(narrow, self.b)
    return update + self.linear(x)


def whole_matrix(self, x):
    change = self.b @ self.a
    return x @ (self.linear.weight + change).T + self.linear.bias


def summed(self, x):
    out = self.linear(x)
    for row, column in zip(self.a, self.b.T, strict=True):
        out = out + (x * row).sum(dim=-1, keepdim=True) * column
    return out


RIGHT = [lora(step_by_step), lora(whole_matrix), lora(summed)]


def alone(self, x):
    return F.linear(F.linear(x, self.a), self.b)


def forgotten(self, x):
    x @ self.a.T @ self.b.T
    return self.linear(x)


def not_transposed(self, x):
    return self.linear(x) + (x @ self.a) @ self.b


def exchanged(self, x):
    return self.linear(x) + x @ self.b @ self.a


def other_order(self, x):
    return self.linear(x) + self.b @ self.a @ x


def halfway(self, x):
    return self.linear(x) + x @ self.a.T


def no_bias(self, x):
    return x @ self.linear.weight.T + x @ self.a.T @ self.b.T


def one_more_bias(self, x):
    return self.linear(x) + x @ self.a.T @ self.b.T + self.linear.bias


def minus(self, x):
    return self.linear(x) - x @ self.a.T @ self.b.T


def into_the_layer(self, x):
    return self.linear(x + x @ self.a.T @ self.b.T)


def behind(self, x):
    out = self.linear(x)
    return out + out @ self.a.T @ self.b.T


def merged_each_time(self, x):
    with torch.no_grad():
        self.linear.weight += self.b @ self.a
    return self.linear(x)


def with_gelu(self, x):
    return self.linear(x) + F.gelu(x @ self.a.T) @ self.b.T


def without_gradient(self, x):
    with torch.no_grad():
        update = x @ self.a.T @ self.b.T
    return self.linear(x) + update


def divided(self, x):
    return self.linear(x) + x @ self.a.T @ self.b.T / self.a.shape[0]


def product_of_both(self, x):
    return self.linear(x) * (x @ self.a.T @ self.b.T)


WRONG = [
    *map(lora, [
        alone, forgotten, not_transposed, exchanged, other_order, halfway, no_bias, one_more_bias, minus,
        into_the_layer, behind, merged_each_time, with_gelu, without_gradient, divided, product_of_both,
    ]),
]  # fmt: skip
