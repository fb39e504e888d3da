"""What notebook 27 alone needs."""
