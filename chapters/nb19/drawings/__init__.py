"""The drawings of notebook 19: the map of methods, packed bits, the roofline, bars and tables of costs."""

from chapters.nb19.drawings.costs import draw_costs, tabulate_bet, tabulate_rows, tabulate_zeros
from chapters.nb19.drawings.method_map import MethodRow, draw_method_map, draw_methods
from chapters.nb19.drawings.packed_bits import draw_packed_bits
from chapters.nb19.drawings.roofline import Point, draw_roofline

__all__ = [
    "MethodRow",
    "Point",
    "draw_costs",
    "draw_method_map",
    "draw_methods",
    "draw_packed_bits",
    "draw_roofline",
    "tabulate_bet",
    "tabulate_rows",
    "tabulate_zeros",
]
