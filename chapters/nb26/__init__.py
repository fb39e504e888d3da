"""What notebook 26, pruning weights, alone needs."""

NOTEBOOK = "26_pruning_weights"
EXERCISES = ("choose_sparsities", "add_to_score", "model_ratio", "cubic_sparsity")
