"""What notebook 18 alone needs."""
