"""The drawings of notebook 18: a landscape of the loss, and one of its points."""

from chapters.nb18.drawings.landscape import describe_loss_lines, draw_loss_lines, draw_plane
from chapters.nb18.drawings.slice import SliceNumbers, draw_slice

__all__ = [
    "SliceNumbers",
    "describe_loss_lines",
    "draw_loss_lines",
    "draw_plane",
    "draw_slice",
]
