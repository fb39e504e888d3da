import torch
import torch.nn.functional as F
from torch import nn

from lib.bert import BertConfig
from lib.bert.attention import AddAndNorm, Attention
from lib.bert.encoder import EncoderLayer, Intermediate


class OneLineEach(EncoderLayer):
    def forward(self, hidden, mask=None):
        half = self.attention.output
        hidden = hidden + half.dropout(half.dense(self.attention.self(half.LayerNorm(hidden), mask)))
        half = self.output
        return hidden + half.dropout(half.dense(self.intermediate(half.LayerNorm(hidden))))


class OwnNames(EncoderLayer):
    def forward(self, hidden, mask=None):
        residual, half = hidden, self.attention.output
        x = half.LayerNorm(hidden)
        x = self.attention.self(x, mask)
        residual = residual + half.dropout(half.dense(x))
        y = self.output.LayerNorm(residual)
        y = F.gelu(self.intermediate.dense(y))
        return self.output.dropout(self.output.dense(y)) + residual


class WithASecondMethod(EncoderLayer):
    def half(self, part, hidden, compute):
        return hidden + part.dropout(part.dense(compute(part.LayerNorm(hidden))))

    def forward(self, hidden, mask=None):
        hidden = self.half(self.attention.output, hidden, lambda x: self.attention.self(x, mask))
        return self.half(self.output, hidden, self.intermediate)


class FromModule(nn.Module):
    def __init__(self, config: BertConfig):
        super().__init__()
        self.attention = Attention(config)
        self.intermediate = Intermediate(config)
        self.output = AddAndNorm(config.intermediate_size, config)

    def forward(self, hidden, mask=None):
        first, second = self.attention.output, self.output
        update = first.dropout(first.dense(self.attention.self(first.LayerNorm(hidden), mask=mask)))
        middle = torch.add(hidden, update)
        return middle + second.dropout(second.dense(self.intermediate(second.LayerNorm(middle))))


RIGHT = [OneLineEach, OwnNames, WithASecondMethod, FromModule]


def layer(function):
    """A layer whose forward is this function of its two halves."""

    class PreLNLayer(EncoderLayer):
        def forward(self, hidden, mask=None):
            return function(self, self.attention.output, self.output, hidden, mask)

    PreLNLayer.__name__ = function.__name__
    return PreLNLayer


@layer
def draft(self, one, two, hidden, mask):
    hidden = one.LayerNorm(hidden)
    hidden = hidden + one.dropout(one.dense(self.attention.self(hidden, mask)))
    hidden = two.LayerNorm(hidden)
    return hidden + two.dropout(two.dense(self.intermediate(hidden)))


@layer
def first_fixed(self, one, two, hidden, mask):
    hidden = hidden + one.dropout(one.dense(self.attention.self(one.LayerNorm(hidden), mask)))
    hidden = two.LayerNorm(hidden)
    return hidden + two.dropout(two.dense(self.intermediate(hidden)))


@layer
def second_fixed(self, one, two, hidden, mask):
    hidden = one.LayerNorm(hidden)
    hidden = hidden + one.dropout(one.dense(self.attention.self(hidden, mask)))
    return hidden + two.dropout(two.dense(self.intermediate(two.LayerNorm(hidden))))


@layer
def post_ln(self, one, two, hidden, mask):
    hidden = one.LayerNorm(hidden + one.dropout(one.dense(self.attention.self(hidden, mask))))
    return two.LayerNorm(hidden + two.dropout(two.dense(self.intermediate(hidden))))


@layer
def only_moved_sum(self, one, two, hidden, mask):
    hidden = hidden + one.LayerNorm(one.dropout(one.dense(self.attention.self(hidden, mask))))
    return hidden + two.LayerNorm(two.dropout(two.dense(self.intermediate(hidden))))


@layer
def norms_after_dense(self, one, two, hidden, mask):
    hidden = hidden + one.dropout(one.LayerNorm(one.dense(self.attention.self(hidden, mask))))
    return hidden + two.dropout(two.LayerNorm(two.dense(self.intermediate(hidden))))


@layer
def one_norm(self, one, two, hidden, mask):
    hidden = hidden + one.dropout(one.dense(self.attention.self(one.LayerNorm(hidden), mask)))
    return hidden + two.dropout(two.dense(self.intermediate(hidden)))


@layer
def only_second_norm(self, one, two, hidden, mask):
    hidden = hidden + one.dropout(one.dense(self.attention.self(hidden, mask)))
    return hidden + two.dropout(two.dense(self.intermediate(two.LayerNorm(hidden))))


@layer
def no_sums(self, one, two, hidden, mask):
    hidden = one.dropout(one.dense(self.attention.self(one.LayerNorm(hidden), mask)))
    return two.dropout(two.dense(self.intermediate(two.LayerNorm(hidden))))


@layer
def last_sum_missing(self, one, two, hidden, mask):
    hidden = hidden + one.dropout(one.dense(self.attention.self(one.LayerNorm(hidden), mask)))
    return two.dropout(two.dense(self.intermediate(two.LayerNorm(hidden))))


@layer
def adds_the_start(self, one, two, hidden, mask):
    start = hidden
    hidden = start + one.dropout(one.dense(self.attention.self(one.LayerNorm(hidden), mask)))
    return start + two.dropout(two.dense(self.intermediate(two.LayerNorm(hidden))))


@layer
def no_dropouts(self, one, two, hidden, mask):
    hidden = hidden + one.dense(self.attention.self(one.LayerNorm(hidden), mask))
    return hidden + two.dense(self.intermediate(two.LayerNorm(hidden)))


@layer
def one_dropout(self, one, two, hidden, mask):
    hidden = hidden + one.dropout(one.dense(self.attention.self(one.LayerNorm(hidden), mask)))
    return hidden + two.dense(self.intermediate(two.LayerNorm(hidden)))


@layer
def dropout_of_the_sum(self, one, two, hidden, mask):
    hidden = one.dropout(hidden + one.dense(self.attention.self(one.LayerNorm(hidden), mask)))
    return two.dropout(hidden + two.dense(self.intermediate(two.LayerNorm(hidden))))


@layer
def swapped_norms(self, one, two, hidden, mask):
    hidden = hidden + one.dropout(one.dense(self.attention.self(two.LayerNorm(hidden), mask)))
    return hidden + two.dropout(two.dense(self.intermediate(one.LayerNorm(hidden))))


@layer
def same_norm_twice(self, one, two, hidden, mask):
    hidden = hidden + one.dropout(one.dense(self.attention.self(one.LayerNorm(hidden), mask)))
    return hidden + two.dropout(two.dense(self.intermediate(one.LayerNorm(hidden))))


@layer
def mask_forgotten(self, one, two, hidden, mask):
    hidden = hidden + one.dropout(one.dense(self.attention.self(one.LayerNorm(hidden))))
    return hidden + two.dropout(two.dense(self.intermediate(two.LayerNorm(hidden))))


@layer
def mask_turned(self, one, two, hidden, mask):
    mask = None if mask is None else ~mask
    hidden = hidden + one.dropout(one.dense(self.attention.self(one.LayerNorm(hidden), mask)))
    return hidden + two.dropout(two.dense(self.intermediate(two.LayerNorm(hidden))))


@layer
def normed_twice(self, one, two, hidden, mask):
    update = one.dense(self.attention.self(one.LayerNorm(hidden), mask))
    hidden = one.LayerNorm(hidden + one.dropout(update))
    update = two.dense(self.intermediate(two.LayerNorm(hidden)))
    return two.LayerNorm(hidden + two.dropout(update))


@layer
def final_norm(self, one, two, hidden, mask):
    hidden = hidden + one.dropout(one.dense(self.attention.self(one.LayerNorm(hidden), mask)))
    update = two.dense(self.intermediate(two.LayerNorm(hidden)))
    return two.LayerNorm(hidden + two.dropout(update))


@layer
def whole_attention(self, one, two, hidden, mask):
    hidden = hidden + self.attention(one.LayerNorm(hidden), mask)
    return hidden + self.output(self.intermediate(two.LayerNorm(hidden)), hidden)


@layer
def normed_kept(self, one, two, hidden, mask):
    normed = one.LayerNorm(hidden)
    hidden = normed + one.dropout(one.dense(self.attention.self(normed, mask)))
    normed = two.LayerNorm(hidden)
    return normed + two.dropout(two.dense(self.intermediate(normed)))


@layer
def first_half_only(self, one, two, hidden, mask):
    return hidden + one.dropout(one.dense(self.attention.self(one.LayerNorm(hidden), mask)))


@layer
def parallel(self, one, two, hidden, mask):
    update = one.dropout(one.dense(self.attention.self(one.LayerNorm(hidden), mask)))
    return hidden + update + two.dropout(two.dense(self.intermediate(two.LayerNorm(hidden))))


@layer
def no_dense(self, one, two, hidden, mask):
    hidden = hidden + one.dropout(self.attention.self(one.LayerNorm(hidden), mask))
    return hidden + two.dropout(two.dense(self.intermediate(two.LayerNorm(hidden))))


@layer
def returns_nothing(self, one, two, hidden, mask):
    hidden = hidden + one.dropout(one.dense(self.attention.self(one.LayerNorm(hidden), mask)))
    hidden = hidden + two.dropout(two.dense(self.intermediate(two.LayerNorm(hidden))))


@layer
def in_place(self, one, two, hidden, mask):
    hidden += one.dropout(one.dense(self.attention.self(one.LayerNorm(hidden), mask)))
    hidden += two.dropout(two.dense(self.intermediate(two.LayerNorm(hidden))))
    return hidden


@layer
def detached(self, one, two, hidden, mask):
    hidden = hidden + one.dropout(one.dense(self.attention.self(one.LayerNorm(hidden.detach()), mask)))
    return hidden + two.dropout(two.dense(self.intermediate(two.LayerNorm(hidden))))


class OneMoreNorm(OneLineEach):
    def __init__(self, config):
        super().__init__(config)
        self.last = nn.LayerNorm(config.hidden_size)

    def forward(self, hidden, mask=None):
        return self.last(super().forward(hidden, mask))


WRONG = [one for one in list(globals().values()) if getattr(one, "__qualname__", "").startswith("layer.")]
WRONG.append(OneMoreNorm)
