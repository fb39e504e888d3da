"""What notebook 27, pruning structure, alone needs."""

NOTEBOOK = "27_pruning_structure"
EXERCISES = ("head_importance", "prune_heads", "share_removed")
