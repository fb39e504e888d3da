"""The exercises of notebook 07, layer norm."""

NOTEBOOK = "07_layer_norm"
EXERCISES = ("tokens_that_come_out_equal", "layer_norm", "dims_of_norms")
