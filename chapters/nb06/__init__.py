"""What notebook 06, multi-head attention, alone needs."""

NOTEBOOK = "06_multi_head_attention"
EXERCISES = ("second_row_of_head_0", "split_heads", "silence_head", "word_attention")
