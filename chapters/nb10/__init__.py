"""What notebook 10, the masked language model, alone needs."""

NOTEBOOK = "10_masked_language_model"
EXERCISES = ("who_cheats", "masked_lm_loss", "Predictions", "corrupt", "seen", "why_they_stay")
