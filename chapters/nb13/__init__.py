"""What notebook 13, reading attention, alone needs."""

NOTEBOOK = "13_reading_attention"
EXERCISES = ("fewest_up", "diagonal_share", "score_best_map")
