"""The drawings of notebook 06: features cut into heads, where one points, and a row through all of them."""

from chapters.nb06.drawings.links import describe_links, draw_links, draw_split
from chapters.nb06.drawings.multi_head import describe_multi_head, draw_multi_head

__all__ = [
    "describe_links",
    "describe_multi_head",
    "draw_links",
    "draw_multi_head",
    "draw_split",
]
