"""What notebook 04, BERT's input, alone needs."""

NOTEBOOK = "04_the_input"
EXERCISES = ("BertEmbeddings", "sinusoidal_positions", "order_of_likeness")
