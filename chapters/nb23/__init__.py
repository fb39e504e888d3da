"""What notebook 23 alone needs."""
