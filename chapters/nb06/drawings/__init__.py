"""The drawings of notebook 06: features cut into heads, where one points, and a row through all of them."""

from chapters.nb06.drawings.links import describe_links, draw_links, draw_split
from chapters.nb06.drawings.multi_head import describe_multi_head, draw_multi_head
from chapters.nb06.drawings.results import (
    draw_favorites,
    draw_linked_by_distance,
    draw_pointers,
    draw_two_cuts,
)

__all__ = [
    "describe_links",
    "describe_multi_head",
    "draw_favorites",
    "draw_linked_by_distance",
    "draw_links",
    "draw_multi_head",
    "draw_pointers",
    "draw_split",
    "draw_two_cuts",
]
