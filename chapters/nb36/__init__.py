"""What notebook 36, the other half, alone needs."""

NOTEBOOK = "36_the_other_half"
EXERCISES = ("shifted", "cross_attention", "bleu")
