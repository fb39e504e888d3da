"""What notebook 12, pretraining, alone needs."""

NOTEBOOK = "12_pretraining"
EXERCISES = ("train_step", "trigram_apart", "paired_difference")
