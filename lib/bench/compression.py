"""Measures small models on this machine: parts of `python course.py bench`, each a Markdown table."""

from __future__ import annotations

import tempfile
from functools import partial

from lib.analysis.cost.timing import spread
from lib.bench.tables import milliseconds, table
from lib.bert import BertForSequenceClassification
from lib.compression.ledger.onnx import onnx_routes
from lib.compression.ledger.rows import SHAPES
from lib.compression.ledger.timing import example_batch, in_turns, torch_routes

AIMS = {"32 x 32": 2, "1 x 9": 4}  # times as fast as our float32
INT8 = "onnxruntime int8"


def onnx() -> str:
    """MiniLM with a classifier by every route, in turns, and how many times as fast onnxruntime's int8 is."""
    model = BertForSequenceClassification.from_pretrained("minilm", num_labels=2)
    with tempfile.TemporaryDirectory() as folder:
        routes = torch_routes(model) | onnx_routes(model, folder)
    rows = []
    for shape, sizes in SHAPES.items():
        batch = example_batch(model.config.vocab_size, sizes)
        seconds = in_turns({route: partial(call, **batch) for route, call in routes.items()})
        for route, of_route in seconds.items():
            ratio = spread([ours / int8 for ours, int8 in zip(of_route, seconds[INT8], strict=True)])
            aim = f" (aim {AIMS[shape]})" if route == "float32" else ""
            rows.append([f"{shape}, {route}", milliseconds(spread(of_route)), f"{ratio.median:.2f}{aim}"])
    return table(["texts x pieces, route", "ms", "times int8's"], rows)
