"""The exercises of notebook 12, pretraining."""

NOTEBOOK = "12_pretraining"
EXERCISES = ("train_step", "trigram_apart", "noisy_arms", "learning_rate")
