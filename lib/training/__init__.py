"""Training: the loop, its optimizer and schedules, and what is trained on it."""
