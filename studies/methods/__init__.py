"""Methods that a single study runs."""
