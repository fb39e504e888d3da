"""The exercises of notebook 22, distilling the inside."""

NOTEBOOK = "22_distilling_the_inside"
EXERCISES = ("places_in_outputs", "smallest_error", "relation_loss")
