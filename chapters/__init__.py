"""What one notebook alone needs, a folder for each: it goes when its notebook goes."""
