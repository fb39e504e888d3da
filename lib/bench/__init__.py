"""Measures the course on this machine: `python course.py bench`. Each part gives a Markdown table."""

from lib.bench.course import check, imports, notebooks, objects, speed, vectors, wordpiece
from lib.bench.tables import heading, table
from lib.bench.training import corpus, first_step, pretraining

__all__ = [
    "check",
    "corpus",
    "first_step",
    "heading",
    "imports",
    "notebooks",
    "objects",
    "pretraining",
    "speed",
    "table",
    "vectors",
    "wordpiece",
]
