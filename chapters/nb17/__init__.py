"""What notebook 17 alone needs."""
