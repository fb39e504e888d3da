"""What notebook 24, how to teach, alone needs."""

NOTEBOOK = "24_how_to_teach"
EXERCISES = ("sure_of_nothing", "hardest_rows", "annealed_target")
