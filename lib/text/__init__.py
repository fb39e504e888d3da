"""Text to read, to search and to learn from."""

from lib.text.sentences import Query, bank, cast, library, queries

__all__ = ["Query", "bank", "cast", "library", "queries"]
