"""What others print of the subject of notebook 38, and what comes out when it is computed again."""

from chapters.nb38.published import ROWS
from chapters.nb38.uses import USES
from lib.errata import Erratum


def _lead() -> str:
    leads = [row.lead for row in ROWS]
    below = sum(row.large_21k < row.bit for row in ROWS)
    return (
        f"the best ViT is ahead by {min(leads):.2f} to {max(leads):.2f} points in the table below the claim;"
        f" the ViT of public pictures lies below BiT-L in {below} of its {len(ROWS)} rows"
    )


def _no_vision() -> str:
    others = [use.name for use in USES if not use.is_vision]
    return f"{len(others)} of the {len(USES)} uses are none of vision: {', '.join(others)}"


ERRATA = [
    Erratum(
        "How far the vision transformer is ahead",
        "Xu, Penn State, 2021, slide 31",
        "Vision Transformer >> SOTA convolutional networks",
        _lead,
        "base",
    ),
    Erratum(
        "What ten uses have in common",
        "Xu, Penn State, 2021, slide 28",
        "Novel CV Applications using Transformers",
        _no_vision,
    ),
]
