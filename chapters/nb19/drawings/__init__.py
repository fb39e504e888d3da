"""The drawings of notebook 19: the map of methods, packed bits, and the roofline."""

from chapters.nb19.drawings.method_map import MethodRow, draw_method_map
from chapters.nb19.drawings.packed_bits import draw_packed_bits
from chapters.nb19.drawings.roofline import Operation, describe_roofline, draw_roofline

__all__ = [
    "MethodRow",
    "Operation",
    "describe_roofline",
    "draw_method_map",
    "draw_packed_bits",
    "draw_roofline",
]
