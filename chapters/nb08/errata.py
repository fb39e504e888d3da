"""What others print of the subject of notebook 08, and what comes out when it is computed again."""

from lib.bert import BertConfig
from lib.errata import Erratum


def _feed_forward() -> str:
    base = BertConfig()
    sizes = f"{base.hidden_size} features in {base.intermediate_size:,}"
    return f"BERT-base has {base.hidden_act.upper()}, {sizes}; the printed one is the Transformer of 2017"


ERRATA = [
    Erratum(
        "The feed-forward network, in a lecture on BERT",
        "Xu, Penn State, 2021, slide 18",
        "ReLU, 512 features in 2,048",
        _feed_forward,
    ),
]
