"""What is recorded or run live: each experiment trains and measures, and is named in the registry."""
