"""What others print of the subject of notebook 07, and what comes out when it is computed again."""

import torch

from lib.errata import Erratum


def _means_of_layer_norm() -> str:
    torch.manual_seed(0)
    hidden = 1 + torch.randn(1, 7, 384)  # a sentence of 7 pieces
    bert = torch.nn.functional.layer_norm(hidden, (384,), eps=1e-12)
    image = torch.nn.functional.group_norm(hidden.transpose(1, 2), 1).transpose(1, 2)
    each = (hidden - hidden.mean(-1, keepdim=True)) / hidden.std(-1, unbiased=False, keepdim=True)
    gaps = [float((other - bert).abs().max()) for other in (each, image)]
    return (
        f"one mean for each token (on random numbers off by {gaps[0]:.0e} from PyTorch's layer norm; with one"
        f" for a whole text off by {gaps[1]:.1f})"
    )


ERRATA = [
    Erratum(
        "What layer norm averages over, in the figure of four norms shown for BERT",
        "Xu, Penn State, 2021, slide 17, after Wu and He, 2018, who draw it for images",
        "all features of all places of an example",
        _means_of_layer_norm,
        "rows",
    ),
]
