"""The exercises of notebook 17, fewer trainable weights."""

NOTEBOOK = "17_fewer_trainable_weights"
EXERCISES = ("Adapter", "merge_low_rank", "share_of_zeros")
