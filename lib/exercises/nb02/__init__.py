"""The exercises of notebook 02, text to tensors."""

NOTEBOOK = "02_text_to_tensors"
EXERCISES = ("shape_of_the_batch", "build_inputs", "pad_batch")
