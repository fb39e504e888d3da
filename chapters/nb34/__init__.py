"""What notebook 34, fewer pairs, alone needs."""

NOTEBOOK = "34_fewer_pairs"
EXERCISES = ("sparse_mask", "reach", "causal_convolution", "local_attention")
