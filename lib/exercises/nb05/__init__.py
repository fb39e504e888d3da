"""The exercises of notebook 05, attention."""

NOTEBOOK = "05_attention"
EXERCISES = ("rows_that_can_be_attention", "scaled_dot_product_attention", "causal_mask")
