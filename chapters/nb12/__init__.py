"""What notebook 12 alone needs."""
