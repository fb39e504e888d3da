"""Making BERT small: its weights in a few bits, what one model learns from another, and what that costs."""
