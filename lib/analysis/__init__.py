"""Looking at a model: what it costs, and what it does."""
