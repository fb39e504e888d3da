"""What notebook 33, BERT on a floppy disk, alone needs."""

NOTEBOOK = "33_bert_on_a_floppy_disk"
EXERCISES = ("spread_codes", "stack_bytes", "which_model", "entropy_bits")
