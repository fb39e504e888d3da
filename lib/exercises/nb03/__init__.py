"""The exercises of notebook 03, word vectors."""

NOTEBOOK = "03_word_vectors"
EXERCISES = ("rows_with_gradient", "negative_sampling_loss", "nearest_rows")
