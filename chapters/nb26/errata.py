"""What others print of the subject of notebook 26, and what comes out when it is computed again."""

from lib.analysis.cost.formulas import count_parameters
from lib.bert import BertConfig
from lib.errata import Erratum


def _of_the_model() -> str:
    base = BertConfig()
    size, wide = base.hidden_size, base.intermediate_size
    matrices = base.num_hidden_layers * (4 * size * size + 2 * size * wide)
    model = sum(count_parameters(base).values())
    left = model - 0.95 * matrices
    return (
        f"{matrices / 1e6:.2f} M weights of the encoder become {0.05 * matrices / 1e6:.2f} M, and the model's"
        f" {model / 1e6:.1f} M parameters {left / 1e6:.1f} M: {model / left:.1f} times fewer"
    )


ERRATA = [
    Erratum(
        "How many times smaller SparseBERT makes BERT",
        "Xu, Penn State, 2021, slide 23",
        "compression ratio = x20",
        _of_the_model,
        "base",
    ),
]
