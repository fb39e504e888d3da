"""Text to read, to search and to learn from."""

from lib.text.corpus import documents
from lib.text.japanese import japanese_words
from lib.text.reader import Sense, reader, senses
from lib.text.sentences import Query, bank, cast, library, queries

__all__ = [
    "Query",
    "Sense",
    "bank",
    "cast",
    "documents",
    "japanese_words",
    "library",
    "queries",
    "reader",
    "senses",
]
