"""What notebook 31, sharing and factorizing, alone needs."""

NOTEBOOK = "31_sharing_and_factorizing"
EXERCISES = ("factorize", "break_even_rank", "halting_weights")
