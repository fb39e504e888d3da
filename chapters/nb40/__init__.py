"""What notebook 40, errata, alone needs."""

NOTEBOOK = "40_errata"
EXERCISES = ("verdicts", "retention", "points_and_percent")
