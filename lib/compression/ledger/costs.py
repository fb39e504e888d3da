"""What one model costs, all columns of the ledger at once.

row = LedgerRow(
    method="8 bits, per row", family="quantization", task="reviews", metric="accuracy", seeds=(0,),
    scores=(0.81,), agreement=(0.995,), processor_seconds=(0.0,), **measure_costs(model, folder),
)
"""

from __future__ import annotations

from functools import partial
from pathlib import Path
from typing import Any

import torch

from lib.bert.model import PreTrainedBert
from lib.bert.validation import validate_ours
from lib.compression.ledger.counting import count_multiply_adds, unique_parameters
from lib.compression.ledger.memory import peak_memory
from lib.compression.ledger.onnx import onnx_routes
from lib.compression.ledger.rows import SHAPES
from lib.compression.ledger.timing import example_batch, milliseconds, torch_routes
from lib.compression.packed import load_packed, save_packed
from lib.compression.quantizers.model import remove_quantization


def measure_costs(model: PreTrainedBert, folder: str | Path, rounds: int = 15) -> dict[str, Any]:
    """The columns of `LedgerRow` that say what a model costs; its files are written into the folder.

    Measured is the model that its packed file gives back, as somebody would run it who was sent the file:
    whatever computed its weights in training costs nothing any more, and rounding of activations that is
    only simulated is left out.
    """
    validate_ours("model", model, "a model with its head")
    path = Path(folder, "model.safetensors")
    save_packed(model, path)
    plain = load_plain(path)
    vocab_size = plain.config.vocab_size
    return {
        "parameters": unique_parameters(plain),
        "file_bytes": path.stat().st_size,
        "multiply_adds": multiply_adds(plain),
        "milliseconds": milliseconds(torch_routes(plain) | onnx_routes(plain, folder), vocab_size, rounds),
        "peak_memory": peak_memory(partial(load_plain, path), vocab_size),
    }


@torch.inference_mode()
def multiply_adds(model: PreTrainedBert) -> dict[str, int]:
    """The products of one call at each of SHAPES."""
    batches = {name: example_batch(model.config.vocab_size, shape) for name, shape in SHAPES.items()}
    return {
        name: count_multiply_adds(model, partial(model, **batch)).total for name, batch in batches.items()
    }


def load_plain(path: str | Path) -> PreTrainedBert:
    """The model in a packed file, without the moving ranges that simulate eight bits of activations."""
    model = load_packed(path)
    remove_quantization(model)
    return model
