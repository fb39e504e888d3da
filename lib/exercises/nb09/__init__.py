"""The exercises of notebook 09, the encoder."""

NOTEBOOK = "09_the_encoder"
EXERCISES = ("EncoderLayer", "count_parameters", "large_over_base")
