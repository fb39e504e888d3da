"""What notebook 19, the ledger, alone needs."""

NOTEBOOK = "19_the_ledger"
EXERCISES = (
    "pack_bits",
    "flops_per_byte",
    "supported_claims",
    "unpack_bits",
)
