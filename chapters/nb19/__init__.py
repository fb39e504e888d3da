"""What notebook 19, the ledger, alone needs."""

NOTEBOOK = "19_the_ledger"
EXERCISES = (
    "pack_bits",
    "least_milliseconds",
    "supported_claims",
    "unpack_bits",
)
