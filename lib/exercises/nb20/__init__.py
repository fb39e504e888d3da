"""The exercises of notebook 20, eight bits."""

NOTEBOOK = "20_eight_bits"
EXERCISES = ("quantize_symmetric", "quantize_asymmetric", "fake_quantize")
