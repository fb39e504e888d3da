"""The exercises of notebook 04, BERT's input."""

NOTEBOOK = "04_the_input"
EXERCISES = ("BertEmbeddings", "sinusoidal_positions", "order_of_likeness")
