"""What one notebook alone needs: a folder nbNN for each notebook, deleted together with it."""
