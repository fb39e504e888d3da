"""Where studies and records were before; a copy of a notebook that still asks for them is told what to do."""

raise ImportError(
    "This copy of a notebook is from an older edition of the course: `python course.py reset NN`, with its "
    "number, makes a new copy and keeps this one beside it."
)
