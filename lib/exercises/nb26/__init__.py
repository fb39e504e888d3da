"""The exercises of notebook 26, pruning weights."""

NOTEBOOK = "26_pruning_weights"
EXERCISES = ("magnitude_mask", "movement_update", "model_ratio", "cubic_sparsity")
