"""One network that runs at many sizes: fewer layers, fewer heads and neurons, and the same weights."""
