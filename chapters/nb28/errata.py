"""What others print of the subject of notebook 28, and what comes out when it is computed again."""

from dataclasses import replace

from lib.analysis.cost.formulas import count_parameters
from lib.bert import BertConfig
from lib.errata import Erratum

ROBERTA_BASE = BertConfig(vocab_size=50_265, max_position_embeddings=514, type_vocab_size=1)


def _layers_of_roberta() -> str:
    sizes = {
        layers: 4 * sum(count_parameters(replace(ROBERTA_BASE, num_hidden_layers=layers)).values()) / 1e6
        for layers in (12, 6, 3)
    }
    megabytes = ", ".join(f"{layers} layers {size:.0f} MB" for layers, size in sizes.items())
    return (
        f"of RoBERTa-base, from which they were cut, {megabytes}: {sizes[12] / sizes[6]:.1f} and"
        f" {sizes[12] / sizes[3]:.1f} times smaller"
    )


ERRATA = [
    Erratum(
        "How much smaller LayerDrop's six and three layers are, beside BERT-base",
        "Liu, Huawei, 2021, slide 58",
        "328 and 224 MB against 418 MB, 1.3 and 1.9 times",
        _layers_of_roberta,
        "base",
    ),
]
