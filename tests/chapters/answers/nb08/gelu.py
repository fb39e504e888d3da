import math

import torch
import torch.nn.functional as F
from torch.distributions import Normal

ROOT = math.sqrt(2)


def library(x):
    return F.gelu(x)


def cumulative(x):
    return x * Normal(torch.zeros((), dtype=x.dtype), 1).cdf(x)


def complement(x):
    return 0.5 * x * torch.erfc(-x / ROOT)


def halves(x):
    return x / 2 + x / 2 * torch.erf(x * 2**-0.5)


def spelled_out(x):
    below = (1 + torch.erf(torch.div(x, ROOT))) / 2
    return x.mul(below)


def special(x):
    return torch.special.ndtr(x) * x


RIGHT = [library, cumulative, complement, halves, spelled_out, special]


def tanh(x):
    return 0.5 * x * (1 + torch.tanh(math.sqrt(2 / math.pi) * (x + 0.044715 * x**3)))


def tanh_of_the_library(x):
    return F.gelu(x, approximate="tanh")


def swish(x):
    return x * torch.sigmoid(x)


def relu(x):
    return torch.clamp(x, min=0)


def relu_with_max(x):
    return torch.maximum(x, torch.zeros_like(x))


def probability(x):
    return (1 + torch.erf(x / ROOT)) / 2


def erf_of_x(x):
    return x * (1 + torch.erf(x)) / 2


def erf_times_root(x):
    return x * (1 + torch.erf(x * ROOT)) / 2


def no_one(x):
    return x * torch.erf(x / ROOT) / 2


def no_half(x):
    return x * (1 + torch.erf(x / ROOT))


def brackets_inside(x):
    return x * (1 + torch.erf(x / ROOT) / 2)


def root_of_the_quotient(x):
    return x * (1 + torch.erf(torch.sqrt(x / 2))) / 2


def tanh_for_erf(x):
    return x * (1 + torch.tanh(x / ROOT)) / 2


def one_minus(x):
    return x * (1 - torch.erf(x / ROOT)) / 2


def above(x):
    return x * torch.erfc(x / ROOT) / 2


def loop(x):
    return x * (1 + math.erf(x / ROOT)) / 2


def list_of_numbers(x):
    return [v * (1 + math.erf(v / ROOT)) / 2 for v in x.flatten().tolist()]


def cut_gradient(x):
    flat = [v * (1 + math.erf(v / ROOT)) / 2 for v in x.flatten().tolist()]
    return torch.tensor(flat, dtype=x.dtype).view(x.shape)


def inverse(x):
    return x * (1 + torch.erfinv(x / ROOT)) / 2


def by_two_pi(x):
    return x * (1 + torch.erf(x / math.sqrt(2 * math.pi))) / 2


def mean_of_all(x):
    return x * ((1 + torch.erf(x / ROOT)) / 2).mean()


def nothing(x):
    x * (1 + torch.erf(x / ROOT)) / 2


def single(x):
    return F.gelu(x.float())


def from_numbers(x):
    return x * (1 + torch.erf(x / torch.sqrt(2))) / 2


WRONG = [
    one for one in list(globals().values()) if getattr(one, "__module__", "") == __name__ and one not in RIGHT
]
