"""The command line has moved to `tools`; what was typed before says so."""

raise SystemExit(
    "`python -m lib.exercises` is no more: type `python course.py WORD`, such as `python course.py grade`."
)
