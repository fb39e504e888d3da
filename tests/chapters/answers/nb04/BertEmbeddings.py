import torch
import torch.nn.functional as F
from torch import nn


def embeddings(forward):
    """A class with the stub's __init__ and this forward."""

    class BertEmbeddings(nn.Module):
        def __init__(self, config):
            super().__init__()
            size = config.hidden_size
            self.word_embeddings = nn.Embedding(config.vocab_size, size, config.pad_token_id)
            self.position_embeddings = nn.Embedding(config.max_position_embeddings, size)
            self.token_type_embeddings = nn.Embedding(config.type_vocab_size, size)
            self.LayerNorm = nn.LayerNorm(size, eps=config.layer_norm_eps)
            self.dropout = nn.Dropout(config.hidden_dropout_prob)

    BertEmbeddings.forward = forward
    BertEmbeddings.__name__ = forward.__name__
    return BertEmbeddings


def parts(self, ids, types):
    types = torch.zeros_like(ids) if types is None else types
    places = self.position_embeddings(torch.arange(ids.shape[1]))
    return self.word_embeddings(ids), places, self.token_type_embeddings(types)


def with_arange(self, input_ids, token_type_ids=None):
    return self.dropout(self.LayerNorm(sum(parts(self, input_ids, token_type_ids))))


def with_the_table(self, input_ids, token_type_ids=None):
    if token_type_ids is None:
        token_type_ids = input_ids * 0
    x = self.word_embeddings.weight[input_ids]
    x = x + self.position_embeddings.weight[: input_ids.shape[1]].unsqueeze(0)
    x = x + self.token_type_embeddings.weight[token_type_ids]
    return self.dropout(self.LayerNorm(x))


def row_zero(self, input_ids, token_type_ids=None):
    batch, length = input_ids.shape
    kinds = self.token_type_embeddings.weight[0]
    if token_type_ids is not None:
        kinds = self.token_type_embeddings(token_type_ids)
    places = torch.arange(length).expand(batch, length)
    total = self.position_embeddings(places) + self.word_embeddings(input_ids) + kinds
    mean, var = total.mean(-1, keepdim=True), total.var(-1, keepdim=True, unbiased=False)
    total = (total - mean) / torch.sqrt(var + self.LayerNorm.eps)
    return F.dropout(self.LayerNorm.weight * total + self.LayerNorm.bias, self.dropout.p, self.training)


RIGHT = [embeddings(with_arange), embeddings(with_the_table), embeddings(row_zero)]


def no_positions(self, input_ids, token_type_ids=None):
    words, _, types = parts(self, input_ids, token_type_ids)
    return self.dropout(self.LayerNorm(words + types))


def no_types(self, input_ids, token_type_ids=None):
    words, places, _ = parts(self, input_ids, token_type_ids)
    return self.dropout(self.LayerNorm(words + places))


def always_type_0(self, input_ids, token_type_ids=None):
    return self.dropout(self.LayerNorm(sum(parts(self, input_ids, None))))


def types_left_out_when_none(self, input_ids, token_type_ids=None):
    x = self.word_embeddings(input_ids) + self.position_embeddings(torch.arange(input_ids.size(1)))
    if token_type_ids is not None:
        x = x + self.token_type_embeddings(token_type_ids)
    return self.dropout(self.LayerNorm(x))


def ones(self, input_ids, token_type_ids=None):
    if token_type_ids is None:
        token_type_ids = torch.ones_like(input_ids)
    return self.dropout(self.LayerNorm(sum(parts(self, input_ids, token_type_ids))))


def places_by_id(self, input_ids, token_type_ids=None):
    words, _, types = parts(self, input_ids, token_type_ids)
    return self.dropout(self.LayerNorm(words + self.position_embeddings(input_ids) + types))


def default_eps(self, input_ids, token_type_ids=None):
    x = sum(parts(self, input_ids, token_type_ids))
    return self.dropout(F.layer_norm(x, x.shape[-1:], self.LayerNorm.weight, self.LayerNorm.bias))


def without_weights(self, input_ids, token_type_ids=None):
    x = sum(parts(self, input_ids, token_type_ids))
    return self.dropout((x - x.mean(-1, True)) / (x.var(-1, unbiased=False, keepdim=True) + 0.1).sqrt())


def no_norm(self, input_ids, token_type_ids=None):
    return self.dropout(sum(parts(self, input_ids, token_type_ids)))


def bare_sum(self, input_ids, token_type_ids=None):
    return sum(parts(self, input_ids, token_type_ids))


def no_dropout(self, input_ids, token_type_ids=None):
    return self.LayerNorm(sum(parts(self, input_ids, token_type_ids)))


def dropout_first(self, input_ids, token_type_ids=None):
    return self.LayerNorm(self.dropout(sum(parts(self, input_ids, token_type_ids))))


def in_a_tuple(self, input_ids, token_type_ids=None):
    return (with_arange(self, input_ids, token_type_ids),)


def joined(self, input_ids, token_type_ids=None):
    words, places, types = parts(self, input_ids, token_type_ids)
    return torch.cat([words, places.expand_as(words), types], -1)


def mean_of_three(self, input_ids, token_type_ids=None):
    return self.dropout(self.LayerNorm(sum(parts(self, input_ids, token_type_ids)) / 3))


def no_learning(self, input_ids, token_type_ids=None):
    with torch.no_grad():
        words, places, types = parts(self, input_ids, token_type_ids)
    return self.dropout(self.LayerNorm(words + places + types))


def places_fixed(self, input_ids, token_type_ids=None):
    words, places, types = parts(self, input_ids, token_type_ids)
    return self.dropout(self.LayerNorm(words + places.detach() + types))


def scaled(self, input_ids, token_type_ids=None):
    words, places, types = parts(self, input_ids, token_type_ids)
    return self.dropout(self.LayerNorm(words * words.size(-1) ** 0.5 + places + types))


def forgotten(self, input_ids, token_type_ids=None):
    with_arange(self, input_ids, token_type_ids)


def multiplied(self, input_ids, token_type_ids=None):
    words, places, types = parts(self, input_ids, token_type_ids)
    return self.dropout(self.LayerNorm(words * places + types))


def subtracted(self, input_ids, token_type_ids=None):
    words, places, types = parts(self, input_ids, token_type_ids)
    return self.dropout(self.LayerNorm(words - places + types))


def types_of_real_numbers(self, input_ids, token_type_ids=None):
    types = torch.zeros(input_ids.shape) if token_type_ids is None else token_type_ids
    return with_arange(self, input_ids, types)


def places_by_type(self, input_ids, token_type_ids=None):
    words, _, types = parts(self, input_ids, token_type_ids)
    kinds = torch.zeros_like(input_ids) if token_type_ids is None else token_type_ids
    return self.dropout(self.LayerNorm(words + self.position_embeddings(kinds) + types))


def words_and_places_dropped(self, input_ids, token_type_ids=None):
    words, places, types = parts(self, input_ids, token_type_ids)
    return self.LayerNorm(self.dropout(words + places) + types)


def words_twice(self, input_ids, token_type_ids=None):
    words, places, types = parts(self, input_ids, token_type_ids)
    return self.dropout(self.LayerNorm(words + words + places + types))


def squashed(self, input_ids, token_type_ids=None):
    return self.dropout(sum(parts(self, input_ids, token_type_ids)).tanh())


WRONG = [
    embeddings(forward)
    for forward in (
        *(no_positions, no_types, always_type_0, types_left_out_when_none, ones, places_by_id, default_eps),
        *(without_weights, no_norm, bare_sum, no_dropout, dropout_first, in_a_tuple, joined, mean_of_three),
        *(no_learning, places_fixed, scaled, forgotten, multiplied, subtracted, types_of_real_numbers),
        *(places_by_type, words_and_places_dropped, words_twice, squashed),
    )
]
