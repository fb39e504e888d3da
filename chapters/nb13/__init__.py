"""What notebook 13, reading attention, alone needs."""

NOTEBOOK = "13_reading_attention"
EXERCISES = ("diagonal_share", "score_best_map")
