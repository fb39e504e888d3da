"""What notebook 25, choosing bits, alone needs."""

NOTEBOOK = "25_choosing_bits"
EXERCISES = ("equal_population_centroids", "gptq", "layer_sensitivity", "least_mebibytes")
