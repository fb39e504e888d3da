"""What notebook 22, distilling the inside, alone needs."""

NOTEBOOK = "22_distilling_the_inside"
EXERCISES = ("places_in_outputs", "smallest_error", "relation_loss")
