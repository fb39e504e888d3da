"""What notebook 17, fewer trainable weights, alone needs."""

NOTEBOOK = "17_fewer_trainable_weights"
EXERCISES = ("Adapter", "LoRA", "share_of_zeros")
