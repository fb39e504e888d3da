"""What transformers had been used for beside text by April 2021: ten uses that a lecture lists, as cards.

A token is what attention compares. The papers are found by the names, years and topics on the slide; what is
said of each is what its abstract says.
"""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Use:
    """One use: what it is, the paper and its arXiv number, a token, what comes out, whether it is vision."""

    name: str
    paper: str
    arxiv: str
    token: str
    predicted: str
    is_vision: bool = True


USES = [
    Use(
        "pictures are made",
        "Esser et al., 2020",
        "2012.09841",
        "a code word for a piece of a picture",
        "the next one",
    ),
    Use(
        "objects are tracked",
        "Sun et al., 2020",
        "2012.15460",
        "a place of a frame; an object",
        "where each object is now",
    ),
    Use(
        "music is written",
        "Hsiao et al., 2021",
        "2101.02402",
        "pitch, length, loudness of a note",
        "the next note",
        False,
    ),
    Use(
        "dances are written",
        "Huang et al., 2021",
        "2006.06119",
        "a moment of music",
        "how the dancer moves",
        False,
    ),
    Use(
        "objects found in 3D",
        "Bhattacharyya et al., 2021",
        "2101.02672",
        "a part of a point cloud",
        "boxes in space",
    ),
    Use(
        "clouds of points",
        "Guo et al., 2020",
        "2012.09688",
        "a point, with its neighbors",
        "what it is, part by part",
    ),
    Use(
        "series are forecast",
        "Lim et al., 2020",
        "1912.09363",
        "a moment of a series",
        "ranges for what comes",
        False,
    ),
    Use(
        "pictures and words",
        "Zhang et al., 2021",
        "2101.00529",
        "a word, or an object in a picture",
        "answers, captions",
    ),
    Use(
        "lanes are found",
        "Liu et al., 2020",
        "2011.04233",
        "a place of a camera's picture",
        "the curve of each lane",
    ),
    Use(
        "objects are found", "Zhu et al., 2021", "2010.04159", "a place of a picture", "boxes and their names"
    ),
]


def columns() -> dict[str, list[str]]:
    """The cards as a table."""
    return {
        "use": [use.name for use in USES],
        "paper": [use.paper for use in USES],
        "arXiv": [use.arxiv for use in USES],
        "a token is": [use.token for use in USES],
        "it predicts": [use.predicted for use in USES],
    }
