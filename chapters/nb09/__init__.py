"""What notebook 09, the encoder, alone needs."""

NOTEBOOK = "09_the_encoder"
EXERCISES = ("EncoderLayer", "count_parameters", "large_over_base")
