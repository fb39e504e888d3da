"""The drawings of notebooks 14 to 33."""

from __future__ import annotations

from functools import partial
from typing import Any

import numpy as np
import pytest
import torch
from matplotlib.contour import ContourSet
from matplotlib.patches import Rectangle
from pictures import Example, Refusal, check_example, check_refusal, written

from chapters.nb14 import drawings as nb14
from chapters.nb15 import drawings as nb15
from chapters.nb16 import drawings as nb16
from chapters.nb17 import drawings as nb17
from chapters.nb18 import drawings as nb18
from chapters.nb19 import drawings as nb19
from chapters.nb20 import drawings as nb20
from chapters.nb21 import drawings as nb21
from chapters.nb22 import drawings as nb22
from chapters.nb23 import drawings as nb23
from chapters.nb24 import drawings as nb24
from chapters.nb25 import drawings as nb25
from chapters.nb26 import drawings as nb26
from chapters.nb27 import drawings as nb27
from chapters.nb28 import drawings as nb28
from chapters.nb29 import drawings as nb29
from chapters.nb30 import drawings as nb30
from chapters.nb31 import drawings as nb31
from chapters.nb32 import drawings as nb32
from chapters.nb33 import drawings as nb33
from lib.compression.quantizers.packing import pack_bits

LOSS = ("a text", ("bad", "good"), [0.1, -0.2], [0.57, 0.43])
HEADS = [
    nb15.HeadShape("class", "[CLS]", (3, 8), (2, 3), "cross-entropy, 3 classes", 1.098),
    nb15.HeadShape("span", "every token", (2, 8), (2, 5, 2), "cross-entropy, 5 tokens", 1.609),
]
TOKENS = ["[CLS]", "who", "[SEP]", "a", "seal", "[SEP]"]
START, END = np.array([0.5, -1, -2, 3.25, 1, 0]), np.array([0, -1, -2, 0.5, 2.5, 4])
MARGINS, ANSWERED = [-13.1, -1.2, 3.0], [True, True, False]
PARTS = ["words", "layer 0", "layer 1", "head"]
STACKS = [
    nb16.FrozenStack("All learns", PARTS, 0, 9, 10, 20, 30),
    nb16.FrozenStack("The top learns", PARTS, 2, 9, 1, 2, 3),
]
GENTLE = {"one rate": [80.0, 81.0], "layer rates": [82.0, 83.5], "gradual": [83.0, 84.0]}
SIZES = {"adapters": 16, "low rank": 8, "prefix": 4, "prompt": 2}
SCORES = {"reviews": {"head": [0.70, 0.72], "all": [0.81, 0.83]}}
WEIGHTS = {"reviews": {"head": 150_000, "all": 22_000_000}}
TFIDF = {"reviews": 0.66}

X, Y = np.linspace(-1, 2, 7), np.linspace(-1, 1, 5)
BOWL = 0.5 + (X[:, None] - 1) ** 2 + 2 * Y[None, :] ** 2  # [7, 5], lowest at (1, 0)
PATH = [(0.0, 0.0), (0.5, 0.2), (1.0, 0.0)]
HEIGHTS = {"pretrained": BOWL[:, 2], "from scratch": BOWL[:, 0]}
MARKS = {"before": 0.0, "after": 1.0}
draw_bowl = partial(nb18.draw_plane, X, Y, BOWL, "one", "other")

OPERATIONS = [nb19.Operation("9 rows", 4.4, 22e9), nb19.Operation("1,024 rows", 118.0, 78e9)]
CODES = [5, 0, 3, 6, 1, 4, 2, 3]
METHODS = [
    nb19.MethodRow("bits", "bytes", ["8 bits (20)", ""]),
    nb19.MethodRow("layers", "all four", ["layers\ndropped (27)", "DistilBERT (21)"]),
]
COLUMNS = ["after training", "while pretraining"]
ROW = [0.31, -0.14, 0.04, 0.70]
SCALES = {"one scale": 1.0, "its own": 0.1}
PRODUCT = nb20.IntegerProduct([1.4, -0.5], [0.7, -0.1], [7, -3], [7, -1], 0.2, 0.1)
ROUNDED = {"by row": [[0.8, 0.82], [0.6, 0.64]], "by matrix": [[0.3, 0.3], [0.1, 0.1]]}
TRAINED = nb20.Trained(ROUNDED, {"by row": {3: [0.78, 0.8]}}, [0.8, 0.82], 1 / 9)
FIVE = [
    nb21.Transfer(1, "fine-tuning"),
    nb21.Transfer(2, "distilling on plain text", "DistilBERT"),
    nb21.Transfer(3, "fine-tuning"),
    nb21.Transfer(4, "copying layers"),
    nb21.Transfer(5, "distilling on the task", "PKD"),
]
LESSONS = [
    nb22.Lesson("states", 0, 0, "squared error", projected=True),
    nb22.Lesson("scores", 6, 2, "squared error"),
    nb22.Lesson("answers", 0, 0, "cross-entropy"),
]
BLOCK = {"hidden": 512, "narrow": 128, "intermediate": 512, "heads": 4, "feed-forwards": 4}
IN_BLOCK = {"bottlenecks": 131_072, "attention": 114_688, "feed-forward": 524_288, "way back": 65_536}
MAPS = {(0, 0): [50.0, 52.0], (0, 2): [60.0, 61.0], (1, 2): [58.0, 70.0], (2, 0): [40.0, 41.0]}
SETS = {"regular": ((1, 2, 3), (4, 5, 6)), "cross": ((1, 3), (4, 6))}
LEADS = [3.0, 5.0, 40.0], [0.0, 1.0, -1.0]
RUNGS = [nb24.Rung("real texts", "found"), nb24.Rung("neighbors", "the hardest", by_errors=True)]
VALUES = [-0.2, -0.1, 0.0, 0.05, 0.1, 0.9]
BOOKS = {"linear": [-0.2, 0.9], "GOBO": [-0.1, 0.05]}
INSIDE = {"GOBO": (-0.3, 0.5)}
STORED = nb25.StoredWeights([0.3, -0.1, 9.0], [-0.1, 0.3], [1, 0, 1], {2: 9.0})
CHOICES = {"seed 0": [0.5, 0.7, 0.9], "seed 1": [0.4, 0.6]}
MARKED = {"by curvature": {"seed 0": 0.9, "seed 1": 0.4}, "equal": {"seed 0": 0.7}}
CURVES = {"by size": ([0.1, 0.5, 0.9], [[0.9, 0.8], [0.7, 0.7], [0.5, 0.6]]), "one": ([0.9], [[0.8, 0.9]])}
FLOW = ([0.3, -0.1], [1, 0], [0.5, -0.5], [-1.0, 1.0])
WORTH, CHANGE = [[0.4, 0.1], [0.2, 0.05]], [[0.3, -0.01], [0.1, 0.0]]
PRUNED = {"heads": 0.5, "neurons": 0.25}
KEPT = {"top": [0, 1], "bottom": [2, 3]}
BEFORE, AFTER = {"top": [60.0, 64.0], "bottom": 50.0}, {"top": [80.0, 82.0], "bottom": 70.0}
WIDTHS, DEPTHS = (1.0, 0.25), ("6 layers", "3 layers")
GRID = {"accuracy": [[0.9, 0.8], [0.85, 0.7]], "ms": [[100.0, 40.0], [52.0, 21.0]]}
FORMATS = {"accuracy": ".1%", "ms": ".0f"}
NOW = [nb28.SizeNow(1.0, [0, 1], "the whole", 0.31), nb28.SizeNow(0.25, [1], "a quarter", 0.69)]
EIGHT = torch.tensor([0.31, -0.14, 0.04, 0.70, -0.42, 0.12, -0.03, 0.26])
SHARED = {"apart": [0, 1, 2], "shared": [0, 0, 0], "one": [0]}
CORNERS = {"whole heads": [0, 1, 2, 3], "rows of each": [0, 1, 4, 5]}
KERNELS = {"dynamic": {"a": [0.2, 0.5, 0.3]}, "span-based": {"a": [1.0, 0.0, 0.0]}}
FILES = {"with a BERT": {1_400_000: [79.0, 81.0]}, "no attention": {90_000: [76.0], 270_000: [77.0]}}
BLANK = nb20.BlankNow("paris is the [MASK] of france", "capital", 0.4, 0.1, "son")
SENTENCE = ["the", "dog", "is", "wonderful"]
REWRITTEN = [(SENTENCE, 0.9), (["the", "dog", "is", "dead"], 0.2), (["the", "cat", "is", "wonderful"], 0.8)]
PLACES = {"wonderful": ["dead", "gone"], "dog": ["cat"]}
BITS = {"all": {"row": [[0.98, 1.0], [0.8, 0.9]], "matrix": [[0.9, 0.9], [0.5, 0.5]]}}

EXAMPLES: dict[str, Example] = {
    "14, from a text to its loss": (
        lambda: nb14.draw_fine_tuning(nb14.ForwardToLoss(*LOSS, 1, 0.84, 1000, 10)),
        ["good: logit −0.20, probability 0.43", "True is good", "0.84 nats"],
        ["10 new weights and 1,000 pretrained ones", "0.84 nats"],
    ),
    "15, heads and their shapes": (
        lambda: nb15.draw_head_shapes(HEADS, "Two heads"),
        ["span: reads every token, a matrix of [2, 8] gives logits of [2, 5, 2]", "5 tokens: 1.61."],
        ["Two heads", "class", "[3, 8]", "[2, 3]", "1.10", "span", "[2, 5, 2]", "1.61"],
    ),
    "15, scores of a span": (
        lambda: nb15.draw_span_scores(TOKENS, START, END, (3, 4)),
        ["The best span, a seal, has the sum 5.8.", "end logit 4.0 at [SEP]"],
        ["3.2", "4.0", *TOKENS],
    ),
    "15, margins": (
        lambda: (
            nb15.draw_margins(MARGINS, ANSWERED, -2, (-20, 8), "Three questions"),
            nb15.describe_margins(MARGINS, ANSWERED, -2),
        ),
        ["2 with an answer, from -13.1 to -1.2: 1 silent; 1 without, from 3.0 to 3.0: 1 silent."],
        ["2 with an answer", "1 without"],
    ),
    "16, what a frozen part holds": (
        lambda: nb16.draw_freezing(STACKS, "A title"),
        ["frozen are none", "frozen are words, layer 0; learning are layer 1, head",
         "60.0 MB together, beside 9.0 MB of weights", "6.0 MB together"],
        ["A title", "together 60.0 MB", "together 6.0 MB", "cut", "learns", "frozen"],
    ),
    "16, two gentle ways": (
        lambda: nb16.draw_gentle(PARTS, [0.1, 0.2, 0.4, 0.4], [30, 20, 10, 0], 40, GENTLE, "A title"),
        ["words: rate 0.10000, or frozen until step 30", "gradual 83.5 (83.0 to 84.0)"],
        ["0.10000", "0.40000", "frozen", "80.5", "82.8", "83.5"],
    ),
    "17, where weights are added": (
        lambda: nb17.draw_added_weights(SIZES, 384, ["adapters"]),
        ["of rank 8", "learn: adapters. Both norms"],
        ["adapter", "384 to 16 to 384", "+ BA", "rank 8", "4 × 384", "2 × 384", "light blue: other ways"],
    ),
    "17, scores over weights": (
        lambda: nb17.draw_against_weights(SCORES, WEIGHTS, TFIDF, "A title", "TF-IDF"),
        ["head 0.710 (0.700 to 0.720) with 150,000 weights", "TF-IDF 0.660"],
        ["weights trained"],
    ),
    "17, scores without the pooler": (
        lambda: nb17.draw_against_weights(SCORES, WEIGHTS, TFIDF, "A title", "TF-IDF", 147_840),
        ["with 2,160 weights"],
        ["weights trained, without the pooler"],
    ),
    "18, a point of a landscape": (
        lambda: nb18.draw_slice(nb18.SliceNumbers(1234567, 0.5, -0.25, 32, 1.25, 0.06, 49)),
        ["1,234,567", "0.5", "−0.25", "32 texts", "1.25", "0.06", "49 points"],
        ["1,234,567", "0.5", "−0.25", "32 texts", "1.25", "0.06", "49 points"],
    ),
    "18, a plane": (
        lambda: draw_bowl(checkpoints={"after": (1, 0)}, paths={"run": PATH}),
        ["lowest loss is 0.50 at (1, 0), the highest 6.50 at (−1, −1)",
         "after stands at (1.00, 0.00), where the loss is about 0.50",
         "run goes in 3 points from (0.00, 0.00) to (1.00, 0.00)",
         "begins at 1.50, is 0.50 at its lowest and 1.50 at its highest, and ends at 0.50",
         "On 3% of the points"],  # one of 35
        ["after", "run", "one", "other"],
    ),
    "18, a hyphen in a name is no minus": (
        lambda: draw_bowl(checkpoints={"fine-tuned": (-1, 0)}, paths={"MiniLM-L6": PATH}),
        ["fine-tuned stands at (−1.00, 0.00)", "path MiniLM-L6 goes"],
        ["fine-tuned", "MiniLM-L6"],
    ),
    "18, lines and their checkpoints": (
        lambda: (
            nb18.draw_loss_lines(X, HEIGHTS, "t", "A title", MARKS),
            nb18.describe_loss_lines(X, HEIGHTS, MARKS),
        ),
        ["pretrained: 1.50 at before (0), 0.50 at after (1); lowest 0.50 at 1, highest 4.50 at −1"],
        [*HEIGHTS, *MARKS],
    ),
    "19, a roofline": (
        lambda: (
            nb19.draw_roofline(OPERATIONS, 80e9, 10e9, "A title"),
            nb19.describe_roofline(OPERATIONS, 80e9, 10e9),
        ),
        ["80 GFLOP/s", "10 GB/s", "8.0 FLOPs a byte",
         "9 rows: 4.4 FLOPs a byte, 22 of at most 44 GFLOP/s, limited by memory",
         "1,024 rows: 118.0 FLOPs a byte, 78 of at most 80 GFLOP/s, limited by the multiplications"],
        ["9 rows", "1,024 rows"],
    ),
    "19, bits in bytes": (
        lambda: nb19.draw_packed_bits(CODES, 3, "A title"),
        ["1 0 1 0 0 0 1 1 | 0 0 1 1 1 0 0 0 | 0 1 0 1 0 1 1 0"],
        ["1 + 4 + 64 + 128"],
    ),
    "19, the map of methods": (
        lambda: nb19.draw_method_map(METHODS, COLUMNS, "A title"),
        ["bits (bytes): after training: 8 bits (20).",
         "after training: layers dropped (27); while pretraining: DistilBERT (21)."],
        ["A title", "bits", "all four", "8 bits (20)", "DistilBERT (21)", "–", *COLUMNS],
    ),
    "20, what each scale leaves of a row": (
        lambda: nb20.draw_row_ranges([0.7, 7.0, 0.5], ROW, SCALES, 7, "A title"),
        ["7.00 in row 1, at the median 0.70", "its own (0.1 a code): 25%"],
        ["row 1: 7.00", "one scale: 75% become 0", "its own: 25% become 0"],
    ),
    "20, a staircase": (
        lambda: nb20.draw_staircase(0.5, 3, [0.4]),
        ["7 steps, 0.5 high", "Beyond 1.5", "latent 0.40, rounded 0.50"],
        [],
    ),
    "20, a product in whole numbers": (
        lambda: nb20.draw_integer_product(PRODUCT),
        ["int32 to 52", "Without rounding it would be 1.03."],
        ["1.04", "int32: 52", "× 0.2 × 0.1", "not rounded: 1.03"],
    ),
    "20, rounded and trained": (
        lambda: nb20.draw_trained([4, 3], TRAINED, "A title"),
        ["by row, trained with rounding: 3 bits 79.0%", "a guess 11.1%"],
        [],
    ),
    "20, a blank before and now": (
        lambda: (nb20.draw_blanks([BLANK]), nb20.describe_blanks([BLANK])),
        ["first guess now son, “capital” 0.40 before and 0.10 now."],
        ["paris is the [son] of france", "“capital” 0.40 → 0.10"],
    ),
    "21, five transfers": (
        lambda: nb21.draw_transfers(FIVE, 5, "A title"),
        ["1, large to large, from English to the task: fine-tuning;",
         "2, large to small, from English to English: distilling on plain text (DistilBERT)",
         "5, large to small, from the task to the task: distilling on the task (PKD)."],
        ["A title", "large model", "knows the task", "1  fine-tuning", "5  distilling on the task\nPKD"],
    ),
    "22, lessons of layers": (
        lambda: nb22.draw_layer_teaching(LESSONS, (6, 2), (384, 192), "A title"),
        ["the scores in layer 2 of the student learns from the scores in layer 6", "learned map W"],
        ["W", "embeddings", "scores 6 and 2", "answers"],
    ),
    "22, a block of MobileBERT": (
        lambda: nb22.draw_mobilebert_block(BLOCK, IN_BLOCK, "A title"),
        ["4 feed-forward networks, 128 to 512 to 128", "way back 65,536"],
        ["512 to 128", "524,288 weights", "2 × 65,536 weights"],
    ),
    "22, sentences made anew": (
        lambda: nb22.draw_augmentation(SENTENCE, PLACES, REWRITTEN, ("complains", "praises"), "A title"),
        ["Of 2 new sentences 1 get the opposite answer", "“the dog is dead” 0.20"],
        ["dead", "0.20", "0.80"],
    ),
    "23, seeds of maps": (
        lambda: nb23.draw_map_seeds(MAPS, "A title", "% right", winners=[(1, 2)]),
        ["the lowest 2,0 40.5 (40.0 to 41.0), the highest 1,2 64.0", "up to 12.0 apart", "In boxes: 1,2."],
        ["2,0\n0,0\n0,2\n1,2"],
    ),
    "23, sets of layers": (
        lambda: nb23.draw_layer_sets(SETS, 6, "A title"),
        ["regular: 1, 2, 3 teach layer 1; 4, 5, 6 teach layer 2.",
         "cross: 1, 3 teach layer 1; 4, 6 teach layer 2 (2, 5 teach nobody)"],
        ["teacher", "regular", "cross"],
    ),
    "23, nobody teaches": (
        lambda: nb23.draw_layer_sets({"last": ((), (6,)), "first": ((1,), ())}, 6, "A title"),
        ["none teach layer 1; 6 teach layer 2"],
        [],
    ),
    "23, leads": (
        lambda: nb23.draw_leads(*LEADS, "A title"),
        ["3 searches", "reported: mean +16.0"],
        ["trained again: mean +0.0", "reported: mean +16.0"],
    ),
    "24, a ladder of texts": (
        lambda: nb24.draw_ladder(RUNGS, "A title"),
        ["2 kinds of text", "the hardest (chosen by the KL)"],
        ["A title", "real texts", "found", "neighbors", "teacher", "student", "KL"],
    ),
    "25, books of values": (
        lambda: (
            nb25.draw_books(VALUES, BOOKS, INSIDE, "A title", beyond="orange: cut off"),
            nb25.describe_books(VALUES, BOOKS, INSIDE),
        ),
        ["GOBO keeps the 1 outside of -0.300 to 0.500", "GOBO: -0.100, 0.050"],
        ["linear", "GOBO", "; orange: cut off"],
    ),
    "25, stored weights": (
        lambda: nb25.draw_stored_weights(STORED, 1, "A title"),
        ["Back come 0.3, -0.1, 9."],
        ["place 2: 9", "0: -0.1, 1: 0.3"],
    ),
    "25, every choice as a dot": (
        lambda: nb25.draw_strips(CHOICES, MARKED, "agreement", "A title"),
        ["seed 1: 2 choices from 0.400 to 0.600, mean 0.500; by curvature 0.400."],
        ["seed 0", "seed 1"],
    ),
    "25, curves over bits": (
        lambda: nb25.draw_bit_curves([8, 4], BITS, "agreement", "A title", ("chance", 0.5)),
        ["all, row: 8 bits 0.990, 4 bits 0.850;", " chance 0.500."],
        ["agreement"],
    ),
    "26, curves over sparsity": (
        lambda: (
            nb26.draw_sparsity_curves(CURVES, "accuracy, %", "A title", {"commonest": 0.5}),
            nb26.describe_sparsity_curves(CURVES, {"commonest": 0.5}),
        ),
        ["by size: 10% 85.0%, 50% 70.0%, 90% 55.0%; one: 90% 85.0%. commonest 50.0%."],
        ["accuracy, %"],
    ),
    "26, the smallest weights": (
        lambda: nb26.draw_weight_histogram(torch.tensor([[1.0, -1.0], [3.0, -5.0]]), 0.5, "A title"),
        ["4 weights", "between -1.000 and 1.000 and carry 5.6% of the sum of squares"],
        [],
    ),
    "26, a gradient stops at the mask": (
        lambda: nb26.draw_mask_flow(*FLOW, title="A title"),
        ["m · w: 0.5, 0 (", "g · m: -1, 0 (", "g · w: -0.5, -0.5 ("],
        ["A title"],
    ),
    "27, the worth of heads": (
        lambda: nb27.draw_head_worth(WORTH, CHANGE, "A title"),
        ["largest estimate is of layer 0, head 0", "smallest of layer 1, head 1",
         "Of the 1 heads that change the loss most, 1 are among"],
        ["100\n25\n50\n12"],
    ),
    "27, matrices lose rows and columns": (
        lambda: nb27.draw_pruned_layer(PRUNED, 4, "A title"),
        ["query: 50% of its rows with heads", "attention output: 50% of its columns with heads",
         "feed-forward in: 25% of its rows with neurons"],
        ["A title"],
    ),
    "27, matrices lose features": (
        lambda: nb27.draw_pruned_layer({"features": 0.5}, 4, "A title"),
        ["query: 50% of its columns with features", "feed-forward out: 50% of its rows with features"],
        [],
    ),
    "27, rules for layers": (
        lambda: nb27.draw_layer_rules(KEPT, 4, BEFORE, AFTER, "accuracy, %", "A title", 85.0),
        ["top keeps 0, 1: 62.0 before, 81.0 after"],
        ["accuracy, %"],
    ),
    "28, a number for every size": (
        lambda: nb28.draw_size_grid(WIDTHS, DEPTHS, GRID, FORMATS, "Sizes"),
        ["accuracy, depth 3 layers: width 1 85.0%, width 0.25 70.0%", "21."],
        ["90.0%\n80.0%\n85.0%\n70.0%", "100\n40\n52\n21"],
    ),
    "28, a step at several sizes": (
        lambda: nb28.draw_elastic_step(NOW, 2, "One step"),
        ["at 2 sizes", "the whole: 0.31"],
        ["a quarter", "loss 0.69", "one update"],
    ),
    "29, three values of a row": (
        lambda: nb29.draw_three_values(EIGHT, {"one": (0.35, 0.7), "two": (0.177, 0.4225)}, "A row"),
        ["one: beyond 0.350 a weight becomes ±0.700, 75% become 0",
         "two: beyond 0.177 a weight becomes ±0.422, 50% become 0"],
        [],
    ),
    "29, a product of sums": (
        lambda: nb29.draw_sums([2, -1, 4], [1, 0, -1], 0.5, "An output"),
        ["Codes +1 for 2, +0 for -1, -1 for 4.", "sum -2, times the scale 0.5: -1."],
        [],
    ),
    "30, a weight as two": (
        lambda: nb30.draw_rows({"weight": ["0.3", "-0.1"], "sum": ["0.2", "0"]}, {"sum": "lit"}, "A split"),
        ["weight: 0.3, -0.1; sum: 0.2, 0."],
        ["0.3", "-0.1", "0.2"],
    ),
    "31, what runs and what is shared": (
        lambda: nb31.draw_stacks(SHARED, "Layers"),
        ["apart: layers 0, 1, 2 run, 3 with weights of their own; shared"],
        ["shared\n1 set of weights, 3 runs", "one\n1 set of weights, 1 run"],
    ),
    "32, corners": (
        lambda: nb32.draw_corners(CORNERS, 2, (3, 5), "Corners"),
        ["rows of each: rows 0, 1, 4, 5", "the first 3 of 5 features."],
        [],
    ),
    "32, designs and their front": (
        lambda: nb32.draw_designs([3.0, 1.0, 2.0], [0.7, 0.6, 0.5], [1, 0], 2.5, "Designs"),
        ["2 are on the front, from 60.0% in 1.0 ms to 70.0% in 3.0 ms. The limit is 2.5 ms."],
        ["your limit"],
    ),
    "32, kernels": (
        lambda: nb32.draw_kernels(KERNELS, "Kernels"),
        ["dynamic, a: 0.20, 0.50, 0.30; span-based, a: 1.00, 0.00, 0.00."],
        [],
    ),
    "33, all readers": (
        lambda: nb33.draw_readers("One file"), ["log-probabilities"], [name for name, _ in nb33.READERS],
    ),
    "33, files over their bytes": (
        lambda: nb33.draw_files({"headlines": FILES}, {"headlines": 80.7}, "Files"),
        ["headlines, with a BERT: 80.0% in 1,400,000 bytes; headlines, no attention: 76.0% in 90,000"],
        [*nb33.DISKS.values()],
    ),
}  # fmt: skip


@pytest.mark.parametrize("example", EXAMPLES.values(), ids=EXAMPLES)
def test_a_drawing_says_what_it_shows(example: Example) -> None:
    check_example(example)


OTHER_TASK = {**SCORES, "pairs": {"head": [0.5]}}
REFUSED: dict[str, Refusal] = {
    "14, no such label": (lambda: nb14.ForwardToLoss(*LOSS, 2, 0.84, 1000, 10), "place of one"),
    "15, no head": (lambda: nb15.draw_head_shapes([], "Heads"), "room for 1 to 6"),
    "15, seven heads": (lambda: nb15.draw_head_shapes(HEADS[:1] * 7, "Heads"), "room for 1 to 6"),
    "15, a span upside down": (lambda: nb15.draw_span_scores(TOKENS, START, END, (4, 3)), "is no span of"),
    "15, a span beyond": (lambda: nb15.draw_span_scores(TOKENS, START, END, (0, 6)), "no span of 6 tokens"),
    "15, a span before": (lambda: nb15.draw_span_scores(TOKENS, START, END, (-1, 2)), "no span of 6 tokens"),
    "15, ends": (lambda: nb15.draw_span_scores(TOKENS, START, END[:-1], (3, 4)), "as many end as"),
    "15, off the scale": (
        lambda: nb15.draw_margins([-21, 0], [True, False], 0, (-20, 8)), "outside of the scale",
    ),
    "15, one kind": (lambda: nb15.draw_margins([-1, 0], [True, True], 0, (-20, 8)), "both kinds"),
    "16, a cut below": (lambda: nb16.FrozenStack("None", PARTS, -1, 1, 1, 1, 1), "from 0 to 3"),
    "16, nothing learns": (lambda: nb16.FrozenStack("None", PARTS, 4, 1, 1, 1, 1), "from 0 to 3"),
    "17, no size": (lambda: nb17.draw_added_weights({"adapters": 16}, 384), "The ways are adapters"),
    "17, no such way": (lambda: nb17.draw_added_weights(SIZES, 384, ["magic"]), "The ways are adapters"),
    "17, weights": (
        lambda: nb17.draw_against_weights(SCORES, {"reviews": {"head": 1}}, TFIDF, "", ""), "How many",
    ),
    "17, other ways": (
        lambda: nb17.draw_against_weights(OTHER_TASK, WEIGHTS, TFIDF | {"pairs": 0}, "", ""), "same ways",
    ),
    "17, no task": (lambda: nb17.draw_against_weights({}, {}, {}, "A title", "TF-IDF"), "one to four"),
    "18, axes exchanged": (lambda: nb18.draw_plane(Y, X, BOWL, "one", "other"), "one row for each"),
    "18, flat": (lambda: nb18.draw_plane(X, Y, np.ones((7, 5)), "one", "other"), "everywhere"),
    "18, falling levels": (lambda: draw_bowl(levels=[2.0, 1.0]), "have to rise"),
    "18, no losses": (lambda: nb18.draw_plane(X, Y, BOWL * np.inf, "one", "other"), "not finite"),
    "18, seven paths": (lambda: draw_bowl(paths={str(n): PATH for n in range(7)}), "7 paths"),
    "19, no bytes": (lambda: nb19.draw_roofline([nb19.Operation("x", 0, 1e9)], 80e9, 10e9, ""), "above 0"),
    "19, no speed": (lambda: nb19.draw_roofline([nb19.Operation("x", 1, -1e9)], 80e9, 10e9, ""), "above 0"),
    "19, no codes": (lambda: nb19.draw_packed_bits([], 3, ""), "give one or more below"),
    "19, a large code": (lambda: nb19.draw_packed_bits([8], 3, ""), "give one or more below"),
    "19, a negative code": (lambda: nb19.draw_packed_bits([-1], 3, ""), "give one or more below"),
    "19, many codes": (lambda: nb19.draw_packed_bits([0] * 9, 4, ""), "give one or more below"),
    "19, a short row": (
        lambda: nb19.draw_method_map([nb19.MethodRow("bits", "bytes", ["x"])], COLUMNS, ""),
        "1 cells and the table 2 columns",
    ),
    "19, no rows": (lambda: nb19.draw_method_map([], COLUMNS, ""), "no rows"),
    "20, one scale": (lambda: nb20.draw_row_ranges([1.0], ROW, {"one": 1.0}, 3), "give two positive ones"),
    "20, a scale of 0": (
        lambda: nb20.draw_row_ranges([1.0], ROW, {"one": 1.0, "none": 0.0}, 3), "give two positive ones",
    ),
    "20, flat steps": (lambda: nb20.draw_staircase(0.0, 3, [0.4]), "positive"),
    "20, no blanks": (lambda: nb20.draw_blanks([]), "no blanks"),
    "21, four": (lambda: nb21.draw_transfers(FIVE[:4], 1, ""), "each of 1 to 5 once"),
    "21, one twice": (lambda: nb21.draw_transfers([*FIVE[:4], FIVE[0]], 1, ""), "each of 1 to 5 once"),
    "21, no sixth": (lambda: nb21.draw_transfers(FIVE, 6, ""), "each of 1 to 5 once"),
    "22, a teacher's layer": (
        lambda: nb22.draw_layer_teaching([nb22.Lesson("states", 7, 2, "")], (6, 2), (384, 192), ""),
        "a layer that is not there",
    ),
    "22, layers from 1": (
        lambda: nb22.draw_layer_teaching([nb22.Lesson("scores", 0, 1, "")], (6, 2), (384, 192), ""),
        "a layer that is not there",
    ),
    "22, no such lesson": (lambda: nb22.Lesson("mood", 1, 1, ""), "no lesson in 'mood'"),
    "22, no weights": (lambda: nb22.draw_mobilebert_block(BLOCK, {}, ""), "Give the weights of bottlenecks"),
    "22, words": (
        lambda: nb22.draw_augmentation(SENTENCE, PLACES, [(SENTENCE[:2], 0.5)], ("no", "yes"), ""),
        "as many words as the original, 4",
    ),
    "22, a long word": (
        lambda: nb22.draw_augmentation(["a" * 90], {}, [(["a" * 90], 0.5)], ("no", "yes"), ""),
        "too long for its line",
    ),
    "23, one map": (lambda: nb23.draw_map_seeds({(0, 0): [1.0]}, "", ""), "2 to 40 maps"),
    "23, seeds": (lambda: nb23.draw_map_seeds({(0, 0): [1.0], (0, 1): [1.0, 2.0]}, "", ""), "equally many"),
    "23, no such layer": (lambda: nb23.draw_layer_sets({"one": ((7,),)}, 6, ""), "from 1 to 6"),
    "24, one rung": (lambda: nb24.draw_ladder(RUNGS[:1], ""), "2 to 8 fit"),
    "25, no books": (lambda: nb25.draw_books(VALUES, {}), "one to three"),
    "25, bits": (lambda: nb25.draw_stored_weights(STORED, 2, ""), "a code for each"),
    "25, codes": (lambda: nb25.draw_stored_weights(STORED._replace(codes=[1]), 1, ""), "a code for each"),
    "25, no such row": (lambda: nb25.draw_strips(CHOICES, {"equal": {"seed 9": 0.1}}, ""), "no row"),
    "25, no choices": (lambda: nb25.draw_strips({}, {}, ""), "four marks"),
    "25, bits without curves": (lambda: nb25.draw_bit_curves([8, 4, 2], BITS, ""), "shape"),
    "25, lines": (lambda: nb25.draw_bit_curves([8, 4], {**BITS, "part": {"row": [0.9]}}, ""), "same lines"),
    "25, no panels": (lambda: nb25.draw_bit_curves([8, 4], {}, ""), "one to 4"),
    "26, falling levels": (lambda: nb26.draw_sparsity_curves({"a": ([0.5, 0.1], [0.1, 0.2])}, ""), "give"),
    "26, beyond all": (lambda: nb26.draw_sparsity_curves({"a": ([0.1, 1.1], [0.1, 0.2])}, ""), "give"),
    "26, values": (lambda: nb26.draw_sparsity_curves({"a": ([0.1], [0.1, 0.2])}, ""), "give"),
    "26, no curves": (lambda: nb26.draw_sparsity_curves({}, ""), "one to 6"),
    "26, all weights": (lambda: nb26.draw_weight_histogram(torch.ones(2, 2), 1.0), "between 0 and 1"),
    "26, no mask": (lambda: nb26.draw_mask_flow([0.1], [2], [0.1], [0.1]), "0 or 1"),
    "27, a layer of changes": (lambda: nb27.draw_head_worth(WORTH, CHANGE[:1]), "give one for each head"),
    "27, a worth of 0": (lambda: nb27.draw_head_worth([[0.0, 1.0]], [[1.0, 1.0]]), "not above 0"),
    "27, no shares": (lambda: nb27.draw_pruned_layer({}, 4, ""), "Give the share"),
    "27, all heads": (lambda: nb27.draw_pruned_layer({"heads": 1.0}, 4, ""), "Give the share"),
    "27, no part": (lambda: nb27.draw_pruned_layer({"layers": 0.5}, 4, ""), "no part of a layer"),
    "27, other rules": (lambda: nb27.draw_layer_rules(KEPT, 4, {"top": 1.0}, AFTER, "x"), "same rules"),
    "27, no such layer": (
        lambda: nb27.draw_layer_rules({"top": [4]}, 4, {"top": 1.0}, {"top": 1.0}, "x"), "not there",
    ),
    "28, rows": (lambda: nb28.draw_size_grid(WIDTHS, DEPTHS, {"ms": [[1.0, 2.0]]}, FORMATS, ""), "2 depths"),
    "28, no panels": (lambda: nb28.draw_size_grid(WIDTHS, DEPTHS, {}, FORMATS, ""), "panels"),
    "28, no sizes": (lambda: nb28.draw_elastic_step([], 2, ""), "one to 4"),
    "28, layers": (lambda: nb28.draw_elastic_step(NOW, 1, ""), "0 to 0"),
}  # fmt: skip


@pytest.mark.parametrize("refusal", REFUSED.values(), ids=REFUSED)
def test_what_cannot_be_drawn_is_refused_in_one_sentence(refusal: Refusal) -> None:
    check_refusal(refusal)


# --- where the geometry is what is said ------------------------------------------------------------


def marks(figure: Any, marker: str) -> list[list[float]]:
    """The places over x of the dots of a kind, line by line."""
    drawn = [line for axes in figure.axes for line in axes.lines if line.get_marker() == marker]
    return [np.asarray(line.get_xdata()).tolist() for line in drawn if len(line.get_xdata())]


def test_margins_beyond_the_threshold_are_silent() -> None:
    axes: Any = nb15.draw_margins(MARGINS, ANSWERED, -2, (-20, 8), "Three questions").axes[0]
    dots = [line for line in axes.lines if line.get_marker() == "o" and len(line.get_xdata())]
    drawn = [(line.get_xdata()[0], line.get_markerfacecolor() == "white") for line in dots]
    assert drawn == [(-13.1, False), (-1.2, True), (3.0, True)]


def test_a_sum_of_megabytes_is_that_of_the_numbers_as_they_are_written() -> None:
    assert nb16.FrozenStack("All learns", PARTS, 0, 9, 0.14, 0.14, 0.14).total == pytest.approx(0.3)


def test_norms_are_marked_where_adapters_train_them() -> None:
    for ways, count in ((["adapters"], 2), (["prefix"], 0)):
        figure, description = nb17.draw_added_weights(SIZES, 384, ways)
        assert sum(patch.get_linewidth() == 3.0 for patch in figure.axes[0].patches) == count
        assert ("norms" in description) == bool(count)


def test_scores_stand_over_their_weights() -> None:
    axes: Any = nb17.draw_against_weights(SCORES, WEIGHTS, TFIDF, "A title", "TF-IDF")[0].axes[0]
    dots = {line.get_label(): line for line in axes.lines if line.get_marker() != "None"}
    assert [dots[way].get_xdata()[0] for way in ("head", "all")] == [150_000, 22_000_000]
    assert [dots[way].get_ydata()[0] for way in ("head", "all")] == pytest.approx([0.71, 0.82])
    assert axes.get_xscale() == "log"


def test_the_first_direction_runs_across() -> None:
    [axes] = draw_bowl("A title", levels=[0.6, 1.0, 2.0, 4.0])[0].axes
    assert (axes.get_xlim(), axes.get_ylim()) == ((-1, 2), (-1, 1))
    lines = [part for part in axes.collections if isinstance(part, ContourSet) and not part.filled]
    assert list(lines[0].levels) == [0.6, 1.0, 2.0, 4.0]
    lowest = lines[0].allsegs[0][0]  # of the contour at 0.6, around the lowest point
    np.testing.assert_allclose(lowest.mean(axis=0), (1, 0), atol=0.15)


def test_a_star_has_the_color_of_the_path_that_ends_there() -> None:
    runs = {"run": PATH, "other": [(0.0, 0.0), (2.0, 1.0)]}
    stars: dict[str, tuple[float, float]] = {"of run": (1.0, 0.0), "of other": (2.0, 1.0), "of none": (-1, 1)}
    [axes] = draw_bowl(checkpoints=stars, paths=runs)[0].axes
    colors = [line.get_color() for line in axes.lines if line.get_marker() == "*"]
    tracks = [line.get_color() for line in axes.lines if line.get_label() in runs]
    assert colors[:2] == tracks and len(set(colors)) == 3
    drawn = [np.asarray(line.get_xydata()).tolist() for line in axes.lines]
    assert [list(place) for place in PATH] in drawn and [[1.0, 0.0]] in drawn


def test_names_and_losses_stand_off_the_path() -> None:
    """The first path leaves to the upper right, where a name would otherwise stand."""
    figure = draw_bowl(checkpoints={"name": (0, 0)}, paths={"run": [(0, 0), (1, 0.5)]})[0]
    [name] = [text for text in figure.axes[0].texts if text.get_text() == "name"]
    assert name.get_horizontalalignment() == "right"
    [axes] = draw_bowl(paths={"run": [(1, -1), (1, 1)]}, levels=[1.0, 2.0, 4.0])[0].axes
    losses = [text for text in axes.texts if text.get_text() in ("1", "2", "4")]
    assert len(losses) >= 3 and all(text.get_rotation() == 0 for text in losses)
    places = [(axes.transAxes + axes.transData.inverted()).transform(text.get_position()) for text in losses]
    assert all(abs(x - 1) > 0.3 for x, _ in places)


def test_the_roof_has_its_ridge_and_one_frame_for_a_machine() -> None:
    axes: Any = nb19.draw_roofline(OPERATIONS, 80e9, 10e9, "A title").axes[0]
    assert axes.get_xscale() == axes.get_yscale() == "log"
    roof = next(line for line in axes.lines if line.get_label() == "roof")
    assert (8.0, 80.0) in list(zip(roof.get_xdata(), roof.get_ydata(), strict=True))
    one: Any = nb19.draw_roofline(OPERATIONS[:1], 80e9, 10e9, "A title").axes[0]
    assert (one.get_xlim(), one.get_ylim()) == (axes.get_xlim(), axes.get_ylim())


@pytest.mark.parametrize(("codes", "bits"), [(CODES, 3), ([1, 0, 1], 1), ([200], 8), ([3, 9, 12], 4)])
def test_the_bytes_drawn_are_those_that_are_packed(codes: list[int], bits: int) -> None:
    packed = [str(byte) for byte in pack_bits(torch.tensor(codes, dtype=torch.uint8), bits).tolist()]
    figure, description = nb19.draw_packed_bits(codes, bits, "A title")
    assert {*packed} <= {*written(figure)} and description.endswith(f"The bytes are {', '.join(packed)}.")


def test_a_row_has_a_line_for_each_value_in_reach() -> None:
    _, coarse, fine = nb20.draw_row_ranges([0.7, 7.0, 0.5], ROW, SCALES, 7, "A title")[0].axes
    lines: list[Any] = [axes.collections[-1] for axes in (coarse, fine)]
    assert [len(line.get_segments()) for line in lines] == [1, 15]


def test_a_walk_stands_on_the_staircase() -> None:
    axes: Any = nb20.draw_staircase(0.5, 3, [0.4, 0.8, 9.0])[0].axes[0]
    dots = [(line.get_xdata()[0], line.get_ydata()[0]) for line in axes.lines[2:]]
    assert dots == [(0.4, 0.5), (0.8, 1.0), (9.0, 1.5)]


def test_both_ways_of_an_integer_product_end_in_the_same_number() -> None:
    assert PRODUCT.total == 52 and PRODUCT.output == pytest.approx(1.04)
    assert written(nb20.draw_integer_product(PRODUCT)[0]).count("1.04") == 2


def test_trained_models_stand_above_those_that_were_only_rounded() -> None:
    axes: Any = nb20.draw_trained([4, 3], TRAINED, "A title")[0].axes[0]
    line, dots = axes.lines[:2]
    assert line.get_ydata().tolist() == pytest.approx([81, 62]) and line.get_label() == "by row, rounded"
    assert [dots.get_xdata()[0], dots.get_ydata()[0]] == pytest.approx([3, 79])
    assert axes.texts[0].xy == pytest.approx((3, 79))  # the line from rounded to trained


def test_the_transfer_of_the_page_is_bold() -> None:
    texts = nb21.draw_transfers(FIVE, 5, "A title")[0].axes[0].texts
    weights = {text.get_text()[0]: text.get_fontweight() for text in texts if text.get_text()[:1].isdigit()}
    assert weights == {"1": "normal", "2": "normal", "3": "normal", "4": "normal", "5": "bold"}


def test_a_map_is_drawn_once_where_it_is_projected() -> None:
    texts = written(nb22.draw_layer_teaching(LESSONS, (6, 2), (384, 192), "A title")[0])
    assert (texts.count("W"), texts.count("embeddings"), texts.count("answers")) == (1, 3, 3)


def test_seeds_have_a_line_each_and_the_winner_is_bold() -> None:
    axes = nb23.draw_map_seeds(MAPS, "A title", "points", "no lesson", winners=[(1, 2)])[0].axes[0]
    assert len(axes.lines) == 4  # two seeds, the mean, and what it is compared with
    bold = [label.get_text() for label in axes.get_xticklabels() if label.get_fontweight() == "bold"]
    assert bold == ["1,2"]


def test_leads_have_their_means_and_one_frame() -> None:
    axes: Any = nb23.draw_leads(*LEADS, "A title")[0].axes[0]
    assert sorted(line.get_xdata()[0] for line in axes.lines) == [0.0, 16.0]
    for values in ([1.0, 2.0], [-50.0, 50.0]):
        other = nb23.draw_leads(values, values, "A title")[0].axes[0]
        assert (other.get_xlim(), other.get_ylim()) == (axes.get_xlim(), axes.get_ylim())


def test_an_arrow_leads_back_to_what_errors_choose() -> None:
    figure, description = nb24.draw_ladder([nb24.Rung("one", "found"), nb24.Rung("two", "found")], "A title")
    assert len(nb24.draw_ladder(RUNGS, "A title")[0].axes[0].lines) == len(figure.axes[0].lines) + 1
    assert "chosen" not in description


def test_only_sentences_whose_answer_turns_are_bold() -> None:
    figure, _ = nb22.draw_augmentation(SENTENCE, PLACES, REWRITTEN, ("complains", "praises"), "A title")
    bold = {text.get_text() for text in figure.axes[0].texts if text.get_fontweight() == "bold"}
    assert {"dead", "cat", "0.20"} <= bold and "0.80" not in bold


def test_bits_have_the_mean_of_their_seeds_and_the_fewest_on_the_right() -> None:
    axes: Any = nb25.draw_bit_curves([8, 4], BITS, "agreement", "A title", ("chance", 0.5))[0].axes[0]
    assert list(axes.lines[0].get_ydata()) == pytest.approx([0.99, 0.85])
    assert axes.get_xlim() == (8.4, 3.6)


def test_outliers_that_are_kept_have_another_color() -> None:
    figure: Any = nb25.draw_books(VALUES, BOOKS, INSIDE, "A title")
    for axes, colors in zip(figure.axes, (1, 2), strict=True):
        assert len(axes.collections[-1].get_segments()) == 2
        assert len({patch.get_facecolor() for patch in axes.patches}) == colors


def test_choices_are_dots_and_named_ones_are_marked() -> None:
    axes: Any = nb25.draw_strips(CHOICES, MARKED, "agreement", "A title")[0].axes[0]
    assert [len(line.get_xdata()) for line in axes.lines] == [3, 2, 2, 1]
    assert list(axes.lines[2].get_xdata()) == [0.9, 0.4]


def test_curves_have_the_mean_of_their_seeds_at_sparsities_of_their_own() -> None:
    axes: Any = nb26.draw_sparsity_curves(CURVES, "accuracy, %", "A title", {"commonest": 0.5}).axes[0]
    assert list(axes.lines[0].get_xdata()) == pytest.approx([10, 50, 90])
    assert list(axes.lines[0].get_ydata()) == pytest.approx([85, 70, 55])
    assert list(axes.lines[1].get_ydata()) == pytest.approx([85])


def test_the_smallest_weights_end_at_their_lines() -> None:
    figure: Any = nb26.draw_weight_histogram(torch.tensor([[1.0, -1.0], [3.0, -5.0]]), 0.5, "A title")[0]
    assert sorted(float(line.get_xdata()[0]) for line in figure.axes[0].lines) == pytest.approx([-1.0, 1.0])


def test_every_head_is_a_dot() -> None:
    dots: Any = nb27.draw_head_worth(WORTH, CHANGE, "A title")[0].axes[1].lines[0]
    assert list(dots.get_xdata()) == [0.4, 0.1, 0.2, 0.05]
    assert list(dots.get_ydata()) == pytest.approx([0.3, 0.01, 0.1, 1e-7])


def test_rules_show_what_stays_and_what_is_reached() -> None:
    left, right = nb27.draw_layer_rules(KEPT, 4, BEFORE, AFTER, "accuracy, %", "A title", 85.0)[0].axes
    dark = [patch for patch in left.patches if patch.get_facecolor()[0] < 0.5]
    assert len(left.patches) == 8 and len(dark) == 4
    lines: list[Any] = right.lines[:4]
    assert [line.get_xdata()[0] for line in lines] == [62, 81, 50, 70]


def test_a_set_of_weights_looks_the_same_in_every_stack() -> None:
    figure, _ = nb31.draw_stacks({"apart": range(6), "pairs": ["0, 1", "0, 1", 2], "mean": ["m", "m"]})
    boxes = [patch for patch in figure.axes[0].patches if isinstance(patch, Rectangle)][::2]
    looks = [(box.get_facecolor(), box.get_hatch()) for box in boxes]
    assert looks[2] == looks[8] and looks[6] == looks[7] and looks[9] == looks[10]
    assert len(set(looks)) == 8


def test_corners_show_the_rows_that_are_kept() -> None:
    pixels: list[Any] = [
        axes.images[0].get_array() for axes in nb32.draw_corners(CORNERS, 2, (3, 5), "")[0].axes
    ]
    assert [float(table.sum()) for table in pixels] == [12.0, 12.0]


def test_files_of_both_kinds_stand_over_their_bytes() -> None:
    figure, _ = nb33.draw_files({"headlines": FILES}, {"headlines": 80.7}, "Files")
    assert marks(figure, "o") + marks(figure, "s") == [[1_400_000], [90_000, 270_000]]
