"""What others print of the subject of notebook 20, and what comes out when it is computed again."""

import torch

from lib.errata import Erratum


def _code_of_ten(low: float = -10.0, high: float = 30.0, number: float = 10.0) -> str:
    exact = (number - low) / (high - low) * 255
    even = float(torch.round(torch.tensor(exact)))  # a half goes to the even neighbor
    back = [low + code / 255 * (high - low) for code in (exact - 0.5, exact + 0.5)]
    return (
        f"{exact:.1f}, halfway between two codes: torch.round takes {even:.0f}; {exact - 0.5:.0f} would read"
        f" back as {back[0]:.2f} and {exact + 0.5:.0f} as {back[1]:.2f}, so no code stands for {number}"
    )


ERRATA = [
    Erratum(
        "The code of 10.0 in 8 bits, if -10.0 has 0 and 30.0 has 255; the slide doesn't say that it is a tie",
        "Liu, Huawei, 2021, slide 46",
        "128",
        _code_of_ten,
        "run",
    ),
]
