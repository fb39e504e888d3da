"""The exercises of notebook 02, text to tensors."""

NOTEBOOK = "02_text_to_tensors"
EXERCISES = ("build_inputs", "shape_of_the_batch", "pad_batch")
