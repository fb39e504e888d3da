"""What notebook 32, designing small, alone needs."""

NOTEBOOK = "32_designing_small"
EXERCISES = ("ghost", "head_rows", "pareto_front")
