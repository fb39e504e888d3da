"""Text to read, to search and to learn from."""

from lib.text import grammar
from lib.text.corpus import documents
from lib.text.japanese import japanese_words
from lib.text.reader import Sense, reader, senses
from lib.text.sentences import Query, bank, cast, library, queries
from lib.text.treebank import Link, Parse, read_conllu
from lib.text.vectors import (
    Analogy,
    WordVectors,
    analogies,
    answer_analogies,
    nearest_to_third,
    score_analogies,
    vectors,
)

__all__ = [
    "Analogy",
    "Link",
    "Parse",
    "Query",
    "Sense",
    "WordVectors",
    "analogies",
    "answer_analogies",
    "bank",
    "cast",
    "documents",
    "grammar",
    "japanese_words",
    "library",
    "nearest_to_third",
    "queries",
    "read_conllu",
    "reader",
    "score_analogies",
    "senses",
    "vectors",
]
