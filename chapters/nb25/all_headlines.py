"""All 720 test headlines: which answers each way of notebook 25 keeps, by the functions of its own cells.

`recorded.KEPT` holds what this prints, in some four minutes on a quiet core:

    python -m chapters.nb25.all_headlines
"""

from __future__ import annotations

import copy
import math
from typing import Any

import torch
from torch.nn.utils import parametrize

from chapters.nb25 import NOTEBOOK, recorded
from lib.bert import WordPieceTokenizer
from lib.compression.quantizers import codebooks, gptq
from lib.compression.quantizers import model as quantizers
from lib.records import pages, teachers
from lib.training import known_tasks

BEFORE = ("n25-puzzle-ways-code", "n25-rounds-code", "n25-real-code", "n25-reach-how")
CELLS = (*BEFORE, "n25-fair-ways", "n25-read-texts", "n25-model-ways")


def names_of_the_page() -> dict[str, Any]:
    """What the page has defined once these cells have run, with the course's answers to its exercises."""
    names: dict[str, Any] = {
        "math": math,
        "torch": torch,
        "parametrize": parametrize,
        "codebooks": codebooks,
        "quantizers": quantizers,
        "teachers": teachers,
        "known_tasks": known_tasks,
        "WordPieceTokenizer": WordPieceTokenizer,
        "equal_population_centroids": codebooks.equal_population_centroids,
        "working": lambda answer: answer,
        "all_shares": gptq.all_shares,
        "by_columns": gptq.gptq,
    }
    pages.run_cells(NOTEBOOK, ["n25-puzzle-code"], names)
    names["few"] = names["by_length"]  # all of them
    names["before"] = names["ask"](names["model"])
    pages.run_cells(NOTEBOOK, CELLS, names)
    return names


def main() -> None:
    """Print for each way what it keeps, and GPTQ by the headlines that it reads, as `recorded` holds it."""
    torch.set_num_threads(1)
    names = names_of_the_page()
    rounded = {
        "a scale a matrix": names["one_scale"],
        "a scale a row": names["scale_a_row"],
        "a scale a row, best reach": names["best_rows"],
        "eight values, no outliers": names["bare_book"],
        "best reach, same outliers": names["fair_rows"],
    }
    for way, rounding in rounded.items():
        show(way, names["answers_kept"](rounding))
    booked = copy.deepcopy(names["model"])
    quantizers.compute_weights(booked, "CodebookQuantization", bits=3)
    show("eight values a matrix", names["ask"](booked) == names["before"])
    for reach, scale_of in {"full reach": names["row_scale"], "best reach": names["best_scale"]}.items():
        for way, uses_gptq in {"nearest": False, "GPTQ": True}.items():
            show(f"{reach}, {way}", names["kept_with"](scale_of, uses_gptq))
    for count in recorded.READ:
        seen = names["products"](names["task"].train[:count])
        names["shares_of"] = {layer: gptq.all_shares(names["damped"](H)) for layer, H in seen.items()}
        kept = names["kept_with"](names["row_scale"], True)
        print(f"    {count}: {kept.float().mean():.4f},", flush=True)


def show(way: str, kept: torch.Tensor) -> None:
    """Print a line of `recorded.KEPT`."""
    print(f'    "{way}": "{recorded.written(kept.tolist())}",', flush=True)


if __name__ == "__main__":
    main()
