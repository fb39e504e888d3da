"""What notebook 23, which layer teaches which, alone needs."""

NOTEBOOK = "23_which_layer_teaches_which"
EXERCISES = ("winner", "combine_layers", "maps_for_three", "child_of")
