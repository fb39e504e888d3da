"""What one model learns from another: which knowledge, between which layers, by which distance."""
