"""What notebook 01, pieces, alone needs."""

NOTEBOOK = "01_pieces"
EXERCISES = ("wordpiece", "first_merges", "merge_pair")
