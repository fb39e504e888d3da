"""The exercises of notebook 10, the masked language model."""

NOTEBOOK = "10_masked_language_model"
EXERCISES = ("who_cheats", "corrupt", "masked_lm_loss", "seen", "why_they_stay")
