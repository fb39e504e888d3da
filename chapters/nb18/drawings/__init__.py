"""The drawings of notebook 18: a landscape of the loss, one of its points, and soups.

Each gives the figure and its text alternative: `figures.show(*drawings.draw_plane(...))`.
"""

from chapters.nb18.drawings.landscape import draw_curvatures, draw_loss_lines, draw_plane
from chapters.nb18.drawings.mean import draw_mean
from chapters.nb18.drawings.soups import draw_gains, draw_lines_from_a, soup_table

__all__ = [
    "draw_curvatures",
    "draw_gains",
    "draw_lines_from_a",
    "draw_loss_lines",
    "draw_mean",
    "draw_plane",
    "soup_table",
]
