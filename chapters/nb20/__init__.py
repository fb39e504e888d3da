"""What notebook 20, eight bits, alone needs."""

NOTEBOOK = "20_eight_bits"
EXERCISES = ("quantize_asymmetric", "fake_quantize", "integer_linear")
