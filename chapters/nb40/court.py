"""Claims for the court, as a class might bring them in a table."""

import csv
from pathlib import Path

COLUMNS = ("claim", "printed", "unit", "old", "new")
#: printed numbers, and the two values that each was made from
EXAMPLE = (
    ("BERT-large on MNLI", "5.6", "points", "82.1", "86.7"),
    ("TinyBERT of four layers, on average", "-2.5", "percent", "79.5", "77.0"),
    ("SparseBERT, millions of weights", "20", "times", "109.5", "28.8"),
    ("DistilBERT, time for a set", "about 60", "kept", "668", "410"),
)


def save_example(path: Path) -> None:
    """Write the example as a spreadsheet would."""
    with path.open("w", encoding="utf-8-sig", newline="") as file:
        writer = csv.writer(file)
        writer.writerow(COLUMNS)
        writer.writerows(EXAMPLE)
