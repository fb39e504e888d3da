"""What notebook 05, attention, alone needs."""

NOTEBOOK = "05_attention"
EXERCISES = ("rows_that_can_be_attention", "scaled_dot_product_attention", "causal_mask")
