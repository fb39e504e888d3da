"""Every drawing of the course: pure functions from data to a figure, and the ways to show one."""

from .added_weights import (
    describe_added_weights,
    describe_against_weights,
    draw_added_weights,
    draw_against_weights,
)
from .attention import (
    describe_attention,
    describe_heads,
    describe_maps,
    draw_attention,
    draw_heads,
    draw_maps,
    draw_masks,
)
from .augmentation import describe_augmentation, draw_augmentation
from .batch import describe_batch, draw_batch
from .bit_curves import describe_bit_curves, draw_bit_curves
from .blanks import BlankNow, describe_blanks, draw_blanks
from .charts import draw_bars, draw_lines, draw_stacked_bars
from .codebook import (
    StoredWeights,
    describe_books,
    describe_stored_weights,
    draw_books,
    draw_stored_weights,
)
from .cuts import describe_cuts, draw_cuts
from .display import png, show
from .distillation import Taught, describe_distillation, draw_distillation
from .elastic_step import SizeNow, describe_elastic_step, draw_elastic_step
from .feed_forward import describe_feed_forward, draw_feed_forward
from .film import Film, describe_film, draw_film
from .fine_tuning import ForwardToLoss, describe_fine_tuning, draw_fine_tuning
from .freezing import FrozenStack, describe_freezing, draw_freezing
from .frontier import Candidate, describe_frontier, draw_frontier, pareto_front
from .head_shapes import HeadShape, describe_head_shapes, draw_head_shapes
from .head_worth import describe_head_worth, draw_head_worth
from .histogram import describe_histogram, draw_histogram
from .input_sum import describe_input_sum, draw_input_sum
from .inputs import describe_inputs, draw_inputs
from .integer_product import IntegerProduct, describe_integer_product, draw_integer_product
from .landscape import (
    describe_loss_lines,
    describe_plane,
    describe_surface,
    draw_loss_lines,
    draw_plane,
    draw_surface,
)
from .layer_norm import describe_layer_norm, draw_layer_norm
from .layer_rules import describe_layer_rules, draw_layer_rules
from .layer_sets import describe_layer_sets, draw_layer_sets
from .layer_teaching import Lesson, describe_layer_teaching, draw_layer_teaching
from .links import describe_links, draw_links, draw_split
from .live import attention_html, show_attention
from .longest_match import describe_longest_match, draw_longest_match
from .map_of_bert import BOXES, describe_map, draw_map
from .map_table import describe_map_seeds, describe_map_table, draw_map_seeds, draw_map_table
from .margins import describe_margins, draw_margins
from .mask_flow import describe_mask_flow, draw_mask_flow
from .masked_lm_head import MaskedLMHead, describe_masked_lm_head, draw_masked_lm_head
from .method_map import MethodRow, describe_method_map, draw_method_map
from .mobilebert_block import describe_mobilebert_block, draw_mobilebert_block
from .moved_weights import describe_moved_weights, draw_moved_weights
from .multi_head import describe_multi_head, draw_multi_head
from .next_sentence import describe_next_sentence, draw_next_sentence
from .norms import draw_reach
from .packed_bits import describe_packed_bits, draw_packed_bits
from .pair import describe_pair, draw_pair
from .panels import describe_panels, draw_panels
from .parsing import describe_link_test, draw_link_test
from .pieces import describe_pieces, draw_pieces
from .points import draw_points, principal_plane
from .pretraining_step import StepNumbers, describe_pretraining_step, draw_pretraining_step
from .pruned_layer import describe_pruned_layer, draw_pruned_layer
from .query_key_value import describe_query_key_value, draw_query_key_value
from .ranges import (
    describe_ranges,
    describe_seeds,
    describe_sorted_heads,
    draw_ranges,
    draw_seeds,
    draw_sorted_heads,
)
from .rendered import show_table
from .roofline import Operation, describe_roofline, draw_roofline
from .row_ranges import describe_row_ranges, draw_row_ranges
from .schematic import Schematic
from .score import describe_score, draw_score
from .size_grid import describe_size_grid, draw_size_grid
from .slice import SliceNumbers, describe_slice, draw_slice
from .span_scores import describe_span_scores, draw_span_scores
from .sparsity_curves import describe_sparsity_curves, draw_sparsity_curves
from .stacks import Stack, describe_stacks, draw_stacks
from .staircase import describe_staircase, draw_staircase
from .strips import describe_strips, draw_strips
from .style import canvas, style
from .sub_network import describe_sub_network, draw_sub_network
from .tables import draw_sum, draw_tables
from .teaching_step import TeachingRow, describe_teaching_step, draw_teaching_step
from .timeline import describe_timeline, draw_timeline
from .training_step import PairStep, describe_training_step, draw_training_step
from .transfer import Task, describe_transfer, draw_transfer
from .widgets import Explorer, explore

__all__ = [
    "BOXES",
    "BlankNow",
    "Candidate",
    "Explorer",
    "Film",
    "ForwardToLoss",
    "FrozenStack",
    "HeadShape",
    "IntegerProduct",
    "Lesson",
    "MaskedLMHead",
    "MethodRow",
    "Operation",
    "PairStep",
    "Schematic",
    "SizeNow",
    "SliceNumbers",
    "Stack",
    "StepNumbers",
    "StoredWeights",
    "Task",
    "Taught",
    "TeachingRow",
    "attention_html",
    "canvas",
    "describe_added_weights",
    "describe_against_weights",
    "describe_attention",
    "describe_augmentation",
    "describe_batch",
    "describe_bit_curves",
    "describe_blanks",
    "describe_books",
    "describe_cuts",
    "describe_distillation",
    "describe_elastic_step",
    "describe_feed_forward",
    "describe_film",
    "describe_fine_tuning",
    "describe_freezing",
    "describe_frontier",
    "describe_head_shapes",
    "describe_head_worth",
    "describe_heads",
    "describe_histogram",
    "describe_input_sum",
    "describe_inputs",
    "describe_integer_product",
    "describe_layer_norm",
    "describe_layer_rules",
    "describe_layer_sets",
    "describe_layer_teaching",
    "describe_link_test",
    "describe_links",
    "describe_longest_match",
    "describe_loss_lines",
    "describe_map",
    "describe_map_seeds",
    "describe_map_table",
    "describe_maps",
    "describe_margins",
    "describe_mask_flow",
    "describe_masked_lm_head",
    "describe_method_map",
    "describe_mobilebert_block",
    "describe_moved_weights",
    "describe_multi_head",
    "describe_next_sentence",
    "describe_packed_bits",
    "describe_pair",
    "describe_panels",
    "describe_pieces",
    "describe_plane",
    "describe_pretraining_step",
    "describe_pruned_layer",
    "describe_query_key_value",
    "describe_ranges",
    "describe_roofline",
    "describe_row_ranges",
    "describe_score",
    "describe_seeds",
    "describe_size_grid",
    "describe_slice",
    "describe_sorted_heads",
    "describe_span_scores",
    "describe_sparsity_curves",
    "describe_stacks",
    "describe_staircase",
    "describe_stored_weights",
    "describe_strips",
    "describe_sub_network",
    "describe_surface",
    "describe_teaching_step",
    "describe_timeline",
    "describe_training_step",
    "describe_transfer",
    "draw_added_weights",
    "draw_against_weights",
    "draw_attention",
    "draw_augmentation",
    "draw_bars",
    "draw_batch",
    "draw_bit_curves",
    "draw_blanks",
    "draw_books",
    "draw_cuts",
    "draw_distillation",
    "draw_elastic_step",
    "draw_feed_forward",
    "draw_film",
    "draw_fine_tuning",
    "draw_freezing",
    "draw_frontier",
    "draw_head_shapes",
    "draw_head_worth",
    "draw_heads",
    "draw_histogram",
    "draw_input_sum",
    "draw_inputs",
    "draw_integer_product",
    "draw_layer_norm",
    "draw_layer_rules",
    "draw_layer_sets",
    "draw_layer_teaching",
    "draw_lines",
    "draw_link_test",
    "draw_links",
    "draw_longest_match",
    "draw_loss_lines",
    "draw_map",
    "draw_map_seeds",
    "draw_map_table",
    "draw_maps",
    "draw_margins",
    "draw_mask_flow",
    "draw_masked_lm_head",
    "draw_masks",
    "draw_method_map",
    "draw_mobilebert_block",
    "draw_moved_weights",
    "draw_multi_head",
    "draw_next_sentence",
    "draw_packed_bits",
    "draw_pair",
    "draw_panels",
    "draw_pieces",
    "draw_plane",
    "draw_points",
    "draw_pretraining_step",
    "draw_pruned_layer",
    "draw_query_key_value",
    "draw_ranges",
    "draw_reach",
    "draw_roofline",
    "draw_row_ranges",
    "draw_score",
    "draw_seeds",
    "draw_size_grid",
    "draw_slice",
    "draw_sorted_heads",
    "draw_span_scores",
    "draw_sparsity_curves",
    "draw_split",
    "draw_stacked_bars",
    "draw_stacks",
    "draw_staircase",
    "draw_stored_weights",
    "draw_strips",
    "draw_sub_network",
    "draw_sum",
    "draw_surface",
    "draw_tables",
    "draw_teaching_step",
    "draw_timeline",
    "draw_training_step",
    "draw_transfer",
    "explore",
    "pareto_front",
    "png",
    "principal_plane",
    "show",
    "show_attention",
    "show_table",
    "style",
]
