"""What notebook 00, which shows how exercises work, alone needs."""

NOTEBOOK = "00_start_here"
EXERCISES = ("closest_pair", "mean_pool", "order_of_stations")
