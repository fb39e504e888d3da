"""What notebook 14 alone needs."""
