"""What notebook 29, three values a weight, alone needs."""

NOTEBOOK = "29_ternary"
EXERCISES = ("ternarize", "loss_aware_step", "ternary_product")
