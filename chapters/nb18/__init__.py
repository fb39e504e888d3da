"""What notebook 18, loss landscapes, alone needs."""

NOTEBOOK = "18_loss_landscapes"
EXERCISES = ("barrier_by_hand", "filter_normalize", "place_on_plane")
