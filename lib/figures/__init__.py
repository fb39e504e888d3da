"""Every drawing of the course: pure functions from data to a figure, and the ways to show one."""

from .attention import (
    describe_attention,
    describe_heads,
    draw_attention,
    draw_heads,
    draw_masks,
)
from .charts import draw_bars, draw_lines
from .display import png, show
from .live import attention_html, show_attention
from .map_of_bert import BOXES, describe_map, draw_map
from .pieces import describe_pieces, draw_pieces
from .score import describe_score, draw_score
from .style import canvas, style
from .widgets import Explorer, explore

__all__ = [
    "BOXES",
    "Explorer",
    "attention_html",
    "canvas",
    "describe_attention",
    "describe_heads",
    "describe_map",
    "describe_pieces",
    "describe_score",
    "draw_attention",
    "draw_bars",
    "draw_heads",
    "draw_lines",
    "draw_map",
    "draw_masks",
    "draw_pieces",
    "draw_score",
    "explore",
    "png",
    "show",
    "show_attention",
    "style",
]
