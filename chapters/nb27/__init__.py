"""What notebook 27, pruning structure, alone needs."""

NOTEBOOK = "27_pruning_structure"
EXERCISES = ("keep_heads", "part_importance")
