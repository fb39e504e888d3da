"""The drawings of notebook 03."""

import numpy as np
import pytest

from chapters.nb03 import drawings
from lib import figures

# Points


def test_points_are_named_told_apart_and_linked():
    groups = {"one": (["a", "b"], [[0, 0], [1, 2]]), "two": (["c"], [[3, 1]])}
    figure = drawings.draw_points(groups, "Title", links=[("a", "c")])
    assert [text.get_text() for text in figure.axes[0].texts] == ["a", "b", "c"]
    assert np.asarray(figure.axes[0].lines[0].get_xydata()).tolist() == [[0, 0], [3, 1]]
    markers = {str(drawn.get_paths()[0]) for drawn in figure.axes[0].collections}
    assert len(markers) == 2
    assert [text.get_text() for text in figure.legends[0].get_texts()] == ["one", "two"]
    assert figures.png(figure)
    with pytest.raises(ValueError, match="2 tokens for 1 points"):
        drawings.draw_points({"one": (["a", "b"], [[0, 0]])})


def test_the_principal_plane_keeps_the_largest_differences():
    points = np.random.default_rng(0).normal(size=(30, 5)) * [9, 4, 1, 0.1, 0.1] + 7
    places = drawings.principal_plane(points)
    centered = points - points.mean(axis=0)
    spread = np.linalg.eigvalsh(centered.T @ centered)[::-1][:2]
    assert np.allclose((places**2).sum(axis=0), spread)
    assert np.allclose(places.mean(axis=0), 0) and abs(places[:, 0] @ places[:, 1]) < 1e-8
