"""What a masked language model says: blanks filled, verbs that agree, held-out text scored."""
