"""What notebook 23, which layer teaches which, alone needs."""

NOTEBOOK = "23_which_layer_teaches_which"
EXERCISES = ("maps_for_three", "child_of", "combine_layers")
