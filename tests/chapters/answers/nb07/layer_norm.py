import math

import torch
import torch.nn.functional as F


def with_squares(hidden, weight, bias, eps=1e-12):
    centered = hidden - hidden.mean(-1, keepdim=True)
    return weight * (centered / (centered.pow(2).mean(-1, keepdim=True) + eps).sqrt()) + bias


def with_rsqrt(h, w, b, eps=1e-12):
    variance, mean = torch.var_mean(h, dim=-1, correction=0, keepdim=True)
    return (h - mean) * torch.rsqrt(variance + eps) * w + b


def with_unsqueeze(hidden, weight, bias, eps=1e-12):
    mean = hidden.mean(dim=-1).unsqueeze(-1)
    sigma = ((hidden - mean) ** 2).sum(-1, keepdim=True) / hidden.size(-1) + eps
    return torch.addcmul(bias, weight, (hidden - mean) / sigma**0.5)


def token_by_token(hidden, weight, bias, eps=1e-12):
    rows = []
    for row in hidden.reshape(-1, hidden.size(-1)):
        rows.append((row - row.mean()) / torch.sqrt(row.var(unbiased=False) + eps) * weight + bias)
    return torch.stack(rows).view(hidden.shape)


def mean_of_squares(hidden, weight, bias, eps=1e-12):
    mean = hidden.mean(-1).unsqueeze(-1)
    return torch.addcmul(
        bias, weight, (hidden - mean) * torch.rsqrt((hidden**2).mean(-1, True) - mean**2 + eps)
    )


def of_the_library(hidden, weight, bias, eps=1e-12):
    return F.layer_norm(hidden, hidden.shape[-1:], weight, bias, eps)


RIGHT = [with_squares, with_rsqrt, with_unsqueeze, token_by_token, mean_of_squares, of_the_library]


def by_d_minus_1(hidden, weight, bias, eps=1e-12):
    mean = hidden.mean(-1, keepdim=True)
    return weight * (hidden - mean) / torch.sqrt(hidden.var(-1, keepdim=True) + eps) + bias


def std_plus_eps(hidden, weight, bias, eps=1e-12):
    return (hidden - hidden.mean(-1, True)) / (hidden.std(-1, keepdim=True) + eps) * weight + bias


def sample_std_without_eps(hidden, weight, bias, eps=1e-12):
    return (hidden - hidden.mean(-1, True)) / hidden.std(-1, keepdim=True) * weight + bias


def by_the_variance(hidden, weight, bias, eps=1e-12):
    centered = hidden - hidden.mean(-1, keepdim=True)
    return weight * centered / (centered.square().mean(-1, keepdim=True) + eps) + bias


def eps_squared_root(hidden, weight, bias, eps=1e-12):
    centered = hidden - hidden.mean(-1, keepdim=True)
    return weight * centered / (centered.square().mean(-1, True).sqrt() + eps**0.5) + bias


def own_eps(hidden, weight, bias, eps=1e-12):
    centered = hidden - hidden.mean(-1, keepdim=True)
    return weight * centered / torch.sqrt(centered.square().mean(-1, keepdim=True) + 1e-12) + bias


def over_the_text(hidden, weight, bias, eps=1e-12):
    centered = hidden - hidden.mean(-2, keepdim=True)
    return weight * centered / torch.sqrt((centered**2).mean(-2, keepdim=True) + eps) + bias


def over_everything(hidden, weight, bias, eps=1e-12):
    return weight * (hidden - hidden.mean()) / torch.sqrt(hidden.var(unbiased=False) + eps) + bias


def without_keepdim(hidden, weight, bias, eps=1e-12):
    centered = hidden - hidden.mean(-1)
    return weight * centered / torch.sqrt((centered**2).mean(-1) + eps) + bias


def keepdim_half(hidden, weight, bias, eps=1e-12):
    centered = hidden - hidden.mean(-1, keepdim=True)
    return weight * centered / torch.sqrt((centered**2).mean(-1) + eps) + bias


def not_centered(hidden, weight, bias, eps=1e-12):
    return weight * hidden / torch.sqrt(hidden.var(-1, keepdim=True, unbiased=False) + eps) + bias


def rms(hidden, weight, bias, eps=1e-12):
    return hidden * torch.rsqrt(hidden.pow(2).mean(-1, keepdim=True) + eps) * weight + bias


def unweighted(hidden, weight, bias, eps=1e-12):
    return F.layer_norm(hidden, hidden.shape[-1:], eps=eps)


def unbiased_end(hidden, weight, bias, eps=1e-12):
    return F.layer_norm(hidden, hidden.shape[-1:], weight, eps=eps)


def only_bias(hidden, weight, bias, eps=1e-12):
    return F.layer_norm(hidden, hidden.shape[-1:], None, bias, eps)


def shift_first(hidden, weight, bias, eps=1e-12):
    return (F.layer_norm(hidden, hidden.shape[-1:], eps=eps) + bias) * weight


def bias_taken_off(hidden, weight, bias, eps=1e-12):
    return F.layer_norm(hidden, hidden.shape[-1:], weight, -bias, eps)


def one_plus_weight(hidden, weight, bias, eps=1e-12):
    return F.layer_norm(hidden, hidden.shape[-1:], 1 + weight, bias, eps)


def as_a_matrix(hidden, weight, bias, eps=1e-12):
    return F.layer_norm(hidden, hidden.shape[-1:], eps=eps) @ weight + bias


def root_of_std(hidden, weight, bias, eps=1e-12):
    mean = hidden.mean(-1, keepdim=True)
    return weight * (hidden - mean) / torch.sqrt(hidden.std(-1, keepdim=True, unbiased=False) + eps) + bias


def constants(hidden, weight, bias, eps=1e-12):
    mean = hidden.mean(-1, keepdim=True).detach()
    variance = hidden.var(-1, keepdim=True, unbiased=False).detach()
    return weight * (hidden - mean) / torch.sqrt(variance + eps) + bias


def silent(hidden, weight, bias, eps=1e-12):
    with torch.no_grad():
        return with_squares(hidden, weight, bias, eps)


def into_place(hidden, weight, bias, eps=1e-12):
    hidden -= hidden.mean(-1, keepdim=True)
    return weight * hidden / torch.sqrt((hidden**2).mean(-1, keepdim=True) + eps) + bias


def variance_of_the_numbers(hidden, weight, bias, eps=1e-12):
    mean = hidden.mean(-1, keepdim=True)
    variance = (hidden**2).mean(-1, keepdim=True) - mean
    return weight * (hidden - mean) / torch.sqrt(variance + eps) + bias


def one_number(hidden, weight, bias, eps=1e-12):
    return weight * (hidden - hidden.mean(-1, True)) / math.sqrt(hidden.var(-1) + eps) + bias


def nothing(hidden, weight, bias, eps=1e-12):
    mean = hidden.mean(-1, keepdim=True)
    weight * (hidden - mean) / torch.sqrt(hidden.var(-1, keepdim=True, unbiased=False) + eps) + bias


def centered_only(hidden, weight, bias, eps=1e-12):
    return weight * (hidden - hidden.mean(-1, keepdim=True)) + bias


WRONG = [
    one for one in list(globals().values()) if getattr(one, "__module__", "") == __name__ and one not in RIGHT
]
