"""The exercises of notebook 13, reading attention."""

NOTEBOOK = "13_reading_attention"
EXERCISES = ("diagonal_share", "score_best_map")
