"""What the notebooks of "BERT, inside out" import; also the answer to every exercise.

The packages, each importing only from those before it: `bert` (the model), `text`, `analysis`, `training`,
`compression`, `records`, then `figures` and `exercises`. `python course.py --help` shows the command line.
"""

from pathlib import Path

__version__ = "0.1.0"

root = Path(__file__).resolve().parent.parent
"""The repository's root: where `notebooks/`, `data/` and `my/` are."""
