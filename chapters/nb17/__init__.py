"""What notebook 17, fewer trainable weights, alone needs."""

NOTEBOOK = "17_fewer_trainable_weights"
EXERCISES = ("Adapter", "merge_low_rank", "share_of_zeros")
