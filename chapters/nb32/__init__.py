"""What notebook 32, designing small, alone needs."""

NOTEBOOK = "32_designing_small"
EXERCISES = ("ghost", "layer_at_design", "pareto_front")
