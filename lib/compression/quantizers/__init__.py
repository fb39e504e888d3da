"""Numbers in a few bits: rounded, packed, trained through the rounding, multiplied as whole numbers."""
