"""Training: what a batch is made of, and the loops that learn from it."""
