"""The exercises of notebook 24, how to teach."""

NOTEBOOK = "24_how_to_teach"
EXERCISES = ("annealed_target", "last_scale", "hardest_rows")
