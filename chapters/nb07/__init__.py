"""What notebook 07, layer norm, alone needs."""

NOTEBOOK = "07_layer_norm"
EXERCISES = ("tokens_that_come_out_equal", "layer_norm", "dims_of_norms")
