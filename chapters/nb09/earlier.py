"""What notebook 09 needs of earlier notebooks, as it was built there."""

import string
import unicodedata


def prepare(line: str) -> list[str]:
    """The words and punctuation marks of a line, small and without accents: notebook 01."""
    line = line.lower()
    line = unicodedata.normalize("NFD", line)  # é becomes e and an accent
    line = "".join(sign for sign in line if unicodedata.category(sign) != "Mn")
    for mark in string.punctuation:
        line = line.replace(mark, f" {mark} ")
    return line.split()
