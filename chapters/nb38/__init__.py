"""What notebook 38, pictures, alone needs."""

NOTEBOOK = "38_pictures"
EXERCISES = ("patches", "resize_positions")
