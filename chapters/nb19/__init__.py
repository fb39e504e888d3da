"""What notebook 19, the ledger, alone needs."""

NOTEBOOK = "19_the_ledger"
EXERCISES = (
    "pack_bits",
    "compute_bound_from",
    "supported_claims",
    "unpack_bits",
)
