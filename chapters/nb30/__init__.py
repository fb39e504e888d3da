"""What notebook 30, two values a weight, alone needs."""

NOTEBOOK = "30_binary"
EXERCISES = ("binarize", "split_ternary", "xnor_dot")
