"""The exercises of notebook 01, pieces."""

NOTEBOOK = "01_pieces"
EXERCISES = ("wordpiece", "first_merges", "merge_pair")
