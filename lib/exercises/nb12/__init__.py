"""The exercises of notebook 12, pretraining."""

NOTEBOOK = "12_pretraining"
EXERCISES = ("learning_rate", "trigram_apart", "noisy_arms", "global_mean")
