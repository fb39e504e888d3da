"""What notebook 26, pruning weights, alone needs."""

NOTEBOOK = "26_pruning_weights"
EXERCISES = ("magnitude_mask", "choose_sparsities", "model_ratio", "movement_update", "cubic_sparsity")
