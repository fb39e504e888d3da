"""What notebook 11, sentence objectives, alone needs."""

NOTEBOOK = "11_sentence_objectives"
EXERCISES = ("order_accuracy", "three_way", "pretraining_loss", "from_another")
