"""What notebook 26, pruning weights, alone needs."""

NOTEBOOK = "26_pruning_weights"
EXERCISES = ("magnitude_mask", "movement_update", "model_ratio", "cubic_sparsity")
