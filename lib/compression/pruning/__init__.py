"""What is taken out of a model: weights, heads, neurons, width, layers."""
