"""What notebook 10 alone needs."""
