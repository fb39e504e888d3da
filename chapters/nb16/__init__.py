"""What notebook 16, freezing, alone needs."""

NOTEBOOK = "16_freezing"
EXERCISES = ("train_top", "layer_groups")
