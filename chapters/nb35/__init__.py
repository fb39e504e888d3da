"""What notebook 35, memory and hashing, alone needs."""

NOTEBOOK = "35_memory_and_hashing"
EXERCISES = ("remember", "hash_buckets", "reversible_inverse", "relative_shift")
