"""What notebook 11 alone needs."""
