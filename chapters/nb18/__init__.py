"""What notebook 18, loss landscapes, alone needs."""

NOTEBOOK = "18_loss_landscapes"
EXERCISES = ("filter_normalize", "place_on_plane", "soup", "top_by_hand")
