"""The drawings of notebook 18: a landscape of the loss, and one of its points.

Each gives the figure and its text alternative: `figures.show(*drawings.draw_plane(...))`.
"""

from chapters.nb18.drawings.landscape import draw_curvatures, draw_loss_lines, draw_plane, draw_soups
from chapters.nb18.drawings.mean import draw_mean

__all__ = [
    "draw_curvatures",
    "draw_loss_lines",
    "draw_mean",
    "draw_plane",
    "draw_soups",
]
