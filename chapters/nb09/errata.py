"""What others print of the subject of notebook 09, and what comes out when it is computed again."""

import torch

from lib.analysis.cost.formulas import count_multiplications, count_parameters
from lib.bert import BertConfig, BertModel
from lib.errata import Erratum


def _large_over_base() -> str:
    large = BertConfig(hidden_size=1024, num_hidden_layers=24, num_attention_heads=16, intermediate_size=4096)
    tokens = 128
    work = [sum(count_multiplications(config, tokens).values()) / tokens for config in (BertConfig(), large)]
    return (
        f"{work[0] / 1e6:.0f} M and {work[1] / 1e6:.0f} M multiplications a piece, in texts of {tokens}:"
        f" large needs {work[1] / work[0]:.2f} times those of base"
    )


def _bytes_of_base() -> str:
    size = 4 * sum(count_parameters(BertConfig()).values())
    return f"{size / 1e6:.0f} MB, which are {size / 2**20:.0f} MiB"


def _weights_of_gpt3() -> str:
    published = BertConfig(
        vocab_size=50_257,
        hidden_size=12_288,
        num_hidden_layers=96,
        num_attention_heads=96,
        intermediate_size=4 * 12_288,
        max_position_embeddings=2_048,
        type_vocab_size=1,
    )
    layers_and_tables = sum(count_parameters(published).values()) - count_parameters(published)["pooler"]
    return (
        f"{layers_and_tables / 1e9:.1f} G, from the 96 layers of 12,288 features in Brown and others, 2020,"
        f" table 2.1, who print 175 G: {layers_and_tables / 17.5e9:.1f} times as many"
    )


@torch.inference_mode()
def _last_hidden_state() -> str:
    config = BertConfig(hidden_size=12, num_hidden_layers=2, num_attention_heads=2, intermediate_size=24)
    answer = BertModel(config).eval()(torch.tensor([[2, 5, 3]]), output_hidden_states=True)
    first, last = answer.last_hidden_state, answer.hidden_states[-1]  # a[0] and a[2][-1] of the tuple
    shapes = list(first[0].shape), list(last.shape)
    return f"a[0] == a[2][-1] is {torch.equal(first, last)}; a[0][0] is {shapes[0]}, a[2][-1] is {shapes[1]}"


ERRATA = [
    Erratum(
        "FLOPs of a pass over n pieces, base and large",
        "Xu, Penn State, 2021, slide 21",
        f"123 M x n and 1857 M x n, a ratio of {1857 / 123:.1f}",
        _large_over_base,
        "run",
    ),
    Erratum(
        "Size of BERT-base",
        "Liu, Huawei, 2021, slide 58",
        "418 MB",
        _bytes_of_base,
        "unit",
    ),
    Erratum(
        "Parameters of GPT-3, for comparison with BERT-base and BERT-large",
        "Shinnou, ROCLING 2020, slide 55",
        "GPT-3 17.5 G parameters",
        _weights_of_gpt3,
        "run",
    ),
    Erratum(
        "Where the output is among the hidden states",
        "Shinnou, ROCLING 2020, slide 27",
        "a[0][0] == a[2][-1]",
        _last_hidden_state,
        "run",
    ),
]
