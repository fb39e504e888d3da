"""The exercises of notebook 27, pruning structure."""

NOTEBOOK = "27_pruning_structure"
EXERCISES = ("head_importance", "prune_heads", "share_removed")
