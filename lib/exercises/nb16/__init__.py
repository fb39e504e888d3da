"""The exercises of notebook 16, freezing."""

NOTEBOOK = "16_freezing"
EXERCISES = ("training_megabytes", "train_top", "layer_rates")
