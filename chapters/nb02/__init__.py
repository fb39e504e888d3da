"""What notebook 02, text to tensors, alone needs."""

NOTEBOOK = "02_text_to_tensors"
EXERCISES = ("build_inputs", "shape_of_the_batch", "pad_batch")
