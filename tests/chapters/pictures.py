"""What holds for every drawing of a chapter: it is drawn on its page, and it says what it shows.

A table of examples names for each a call that gives the figure and its alternative text (or the figure
alone), phrases that the text has to hold, and texts that have to stand in the picture. A table of refusals
names for each a call and what its error has to say. A chapter's file of tests makes a test of each table.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import Any

import pytest

from lib import figures

Example = tuple[Callable[[], Any], Sequence[str], Sequence[str]]
Refusal = tuple[Callable[[], Any], str]
MOST_BYTES = 200_000  # of a picture; a notebook's stay near 40,000
EXPLORED: dict[str, Any] = {
    "question": "What happens to it?",
    "options": ["it grows", "it shrinks"],
    "answer": "it grows",
    "why": "Because 2 > 1.",
    "alt": "{size} large".format,
    "controls": {"size": [1, 2, 3]},
    "presets": {"small": {"size": 1}, "large": {"size": 3}},
}


def written(figure: Any) -> list[str]:
    """Every text of a figure: in its axes, over them, on their ticks and in its legends."""
    found = [text.get_text() for text in figure.texts]
    for axes in figure.axes:
        labels = [*axes.get_xticklabels(), *axes.get_yticklabels(), axes.xaxis.label, axes.yaxis.label]
        found += [text.get_text() for text in [*axes.texts, *labels]]
        found += [axes.get_title(loc=place) for place in ("left", "center", "right")]
        if (legend := axes.get_legend()) is not None:
            found += [text.get_text() for text in legend.get_texts()]
    return found + [text.get_text() for legend in figure.legends for text in legend.get_texts()]


def check_example(example: Example) -> None:
    """It is drawn, nothing leaves the page, and the numbers stand in the picture and in its words."""
    draw, says, shows = example
    drawn = draw()
    figure, alt = drawn if isinstance(drawn, tuple) else (drawn, None)
    figure.draw_without_rendering()
    page = figure.bbox
    for text in (text for axes in figure.axes for text in axes.texts if text.get_text()):
        box = text.get_window_extent()
        assert page.x0 - 1 <= box.x0 and box.x1 <= page.x1 + 1, f"{text.get_text()!r} leaves the page"
        assert page.y0 - 1 <= box.y0 and box.y1 <= page.y1 + 1, f"{text.get_text()!r} leaves the page"
    assert 0 < len(figures.png(figure)) < MOST_BYTES
    lines = "\n".join(written(figure))
    for phrase in shows:
        assert phrase in lines, f"{phrase!r} is not in the picture: {lines}"
    if alt is not None:
        assert alt.strip() and "\n" not in alt
    for phrase in says:
        assert phrase in alt, f"{phrase!r} is not in the words: {alt}"


def check_refusal(refusal: Refusal) -> None:
    """What cannot be drawn is refused in one sentence."""
    call, sentence = refusal
    with pytest.raises(ValueError, match=sentence) as error:
        call()
    assert "\n" not in str(error.value)


def check_one_frame(draw: Callable[..., Any]) -> None:
    """Texts of any size fit an explorer if their drawing keeps room for a number of lines."""
    with pytest.raises(ValueError, match=r"inches .* lines="):
        figures.Explorer(**EXPLORED, draw=draw)
    figures.Explorer(**EXPLORED, draw=partial(draw, lines=6))


def for_each_example(examples: Mapping[str, Example]) -> Callable[[Example], None]:
    """The test of a table of examples."""

    @pytest.mark.parametrize("example", examples.values(), ids=examples)
    def test(example: Example) -> None:
        check_example(example)

    return test


def for_each_refusal(refusals: Mapping[str, Refusal]) -> Callable[[Refusal], None]:
    """The test of a table of refusals."""

    @pytest.mark.parametrize("refusal", refusals.values(), ids=refusals)
    def test(refusal: Refusal) -> None:
        check_refusal(refusal)

    return test
