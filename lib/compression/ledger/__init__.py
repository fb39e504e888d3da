"""The ledger: every method of compression on the same tasks, with real bytes and real milliseconds."""
