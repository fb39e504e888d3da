"""Networks that are small from birth: designs inside a larger one, the search for the best, and ghosts."""
