"""What the notebooks of "BERT, inside out" import; also the answer to every exercise.

The packages, each importing only from those before it: `bert` (the model), `text`, `training`, then
`compression` and `analysis`, then `figures` and `exercises`. The command line is `tools`.
"""

from pathlib import Path

__version__ = "0.1.0"

root = Path(__file__).resolve().parent.parent
"""The repository's root: where `notebooks/`, `data/` and `my/` are."""
