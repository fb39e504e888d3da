"""What notebook 14, fine-tuning, alone needs."""

NOTEBOOK = "14_fine_tuning"
EXERCISES = ("share_right", "error_kinds", "without_wnli", "matthews_by_hand")
