"""What notebook 15, spans, tags and choices, alone needs."""

NOTEBOOK = "15_spans_tags_choices"
EXERCISES = ("best_span", "first_token_labels", "answer_f1", "entity_spans")
