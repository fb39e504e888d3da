"""What others print of the subject of notebook 25, and what comes out when it is computed again."""

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


ERRATA = [
    Erratum(
        "Size of Q-BERT with matrices in 2 bits and tables in 8 (BERT-base)",
        "Liu, Huawei, 2021, slides 51 and 58; slide 50 has 43 MB",
        "28 MB, a ratio of 15.0",
        _least_of_q_bert,
        "rows",
    ),
]
