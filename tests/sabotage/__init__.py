"""Hand-ins that go wrong in every way we could think of, with what the grader has to say to each."""
