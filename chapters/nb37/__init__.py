"""What notebook 37, relatives, alone needs."""

NOTEBOOK = "37_relatives"
EXERCISES = ("glue_score", "permutation_masks", "replace_tokens", "span_corruption")
