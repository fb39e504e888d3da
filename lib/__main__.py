"""The command line has moved to `tools`; what was typed before says so."""

raise SystemExit("This command line has moved: type `python course.py WORD`, such as `python course.py lab`.")
