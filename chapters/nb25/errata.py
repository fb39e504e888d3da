"""What others print of the subject of notebook 25, and what comes out when it is computed again."""

from lib.analysis.cost.formulas import count_parameters
from lib.bert import BertConfig
from lib.errata import Erratum


def _least_of_q_bert() -> str:
    base = BertConfig()
    rows = base.vocab_size + base.max_position_embeddings + base.type_vocab_size
    tables = rows * base.hidden_size
    layer = 4 * base.hidden_size**2 + 2 * base.hidden_size * base.intermediate_size
    matrices = base.num_hidden_layers * layer
    least, smaller = ((tables * bits + matrices * 2) / 8 / 2**20 for bits in (8, 2))
    return (
        f"at least {least:.1f} MiB, {tables / 2**20:.1f} of them tables, without a scale, norm or bias; with"
        f" the tables in 2 bits, too, {smaller:.1f}"
    )


def _ratio_of_quant_noise() -> str:
    roberta = BertConfig(vocab_size=50_265, max_position_embeddings=514, type_vocab_size=1)
    size = 4 * sum(count_parameters(roberta).values()) / 2**20
    return f"RoBERTa-base, which those 38 MB come from, has {size:.0f} MiB: a ratio of {size / 38:.1f}"


ERRATA = [
    Erratum(
        "Size of Q-BERT with matrices in 2 bits and tables in 8 (BERT-base)",
        "Liu, Huawei, 2021, in two of three tables; the third has 43 MB",
        "28 MB, a ratio of 15.0",
        _least_of_q_bert,
    ),
    Erratum(
        "How much smaller Quant-Noise makes its model, in a table of BERT-base",
        "Liu, Huawei, 2021",
        "38 MB, a ratio of 11.0",
        _ratio_of_quant_noise,
    ),
]
