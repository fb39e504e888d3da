"""Heads read as probes: what they look at, what they find, and what goes missing without them."""
