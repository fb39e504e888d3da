"""What notebook 04, BERT's input, alone needs."""

NOTEBOOK = "04_the_input"
EXERCISES = (
    "vector_of_this",
    "BertEmbeddings",
    "rows_that_stay",
    "sinusoidal_positions",
    "order_of_likeness",
)
