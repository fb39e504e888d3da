"""What notebook 39, applications, alone needs."""

NOTEBOOK = "39_applications"
EXERCISES = ("recall_at", "answer_with_source", "central_sentences")
