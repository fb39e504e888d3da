"""What notebook 03, word vectors, alone needs."""

NOTEBOOK = "03_word_vectors"
EXERCISES = ("rows_with_gradient", "word2vec_step", "nearest_rows", "negative_sampling_loss")
