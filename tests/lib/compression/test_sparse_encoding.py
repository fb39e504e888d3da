"""Zeros that take no room in a file: the cheaper of a bitmap and an index."""

from __future__ import annotations

import json
import math
from pathlib import Path

import pytest
import tiny_berts
import torch
from safetensors import safe_open
from torch import Tensor

from lib.compression.encodings import Encoded, decode
from lib.compression.packed import load_packed, save_packed
from lib.compression.pruning.magnitude import AtRandom
from lib.compression.pruning.masks import add_masks, prune, set_masks
from lib.compression.pruning.movement import add_scores
from lib.compression.pruning.sparse_encoding import (
    BITMAP,
    INDEX,
    cheapest_index,
    encode_sparse,
    entropy_bits,
    gap_codes,
    kept_places,
)


def sparse(share: float, rows: int = 64, columns: int = 96, seed: int = 0) -> Tensor:
    """A matrix of which this share is 0, anywhere."""
    generator = torch.Generator().manual_seed(seed)
    weight = torch.randn(rows, columns, generator=generator)
    return weight * (torch.rand(rows, columns, generator=generator) >= share)


def size(encoded: Encoded) -> int:
    return sum(part.nbytes for part in encoded.parts.values())


@pytest.mark.parametrize("share", [0.0, 0.02, 0.1, 0.5, 0.8, 0.9, 0.95, 0.999, 1.0])
def test_what_comes_back_is_what_went_in(share: float) -> None:
    weight = sparse(share)
    assert torch.equal(decode(encode_sparse(weight)), weight)


@pytest.mark.parametrize(
    ("share", "way"), [(0.0, "float32"), (0.02, "float32"), (0.5, BITMAP), (0.95, INDEX), (1.0, BITMAP)]
)
def test_the_cheapest_way_is_taken(share: float, way: str) -> None:
    assert encode_sparse(sparse(share)).encoding == way


@pytest.mark.parametrize("share", [0.5, 0.7, 0.8, 0.9, 0.95, 0.99])
def test_no_other_way_takes_fewer_bytes(share: float) -> None:
    weight = sparse(share)
    kept = (weight != 0).flatten()
    values = 4 * int(kept.sum())
    bitmap = math.ceil(len(kept) / 8)
    indices = [math.ceil(bits * len(gap_codes(kept, bits)) / 8) for bits in range(1, 9)]
    assert size(encode_sparse(weight)) == values + min(bitmap, *indices)


def test_a_gap_by_hand() -> None:
    kept = torch.zeros(14, dtype=torch.bool)
    kept[[0, 2, 6, 13]] = True  # gaps 0, 1, 3, 6
    assert gap_codes(kept, 2).tolist() == [0, 1, 3, 0, 3, 3, 0]  # a 3 skips three and names no weight
    assert gap_codes(kept, 3).tolist() == [0, 1, 3, 6]
    assert gap_codes(kept, 1).tolist() == [0, 1, 0, 1, 1, 1, 0, 1, 1, 1, 1, 1, 1, 0]  # a bitmap, inverted
    assert cheapest_index(kept) == (3, 12)
    for bits in range(1, 9):
        assert kept_places(gap_codes(kept, bits), bits).tolist() == [0, 2, 6, 13]


def test_the_entropy_of_what_is_sure_is_nothing() -> None:
    assert entropy_bits(0.5) == 1.0 and entropy_bits(0.0) == entropy_bits(1.0) == 0.0
    assert entropy_bits(0.05) == pytest.approx(0.2864, abs=1e-4)


@pytest.mark.parametrize("kind", ["magnitude", "movement"])
def test_a_pruned_model_takes_few_bytes_and_answers_as_before(kind: str, tmp_path: Path) -> None:
    model = tiny_berts.ours(hidden_size=32, intermediate_size=64)
    save_packed(model, tmp_path / "dense")
    if kind == "magnitude":
        add_masks(model)
        prune(model, 0.95)
    else:
        add_scores(model)
        set_masks(model, AtRandom(0)(_weights(model), 0.95))
    save_packed(model, tmp_path / "sparse")
    loaded = load_packed(tmp_path / "sparse")
    assert torch.equal(tiny_berts.answers(loaded), tiny_berts.answers(model))
    with safe_open(tmp_path / "sparse", framework="pt") as file:
        noted = json.loads(file.metadata()["packed"])["encoded"]
        parts = {name: file.get_tensor(name).nbytes for name in file.keys()}  # noqa: SIM118
    assert {encoding for encoding, _, _ in noted.values()} == {INDEX} and len(noted) == 12
    weights = _weights(loaded)
    for path, weight in weights.items():
        name = f"{path}.weight"
        assert parts[f"{name}.values"] + parts[f"{name}.index"] == size(encode_sparse(weight))
    saved = sum(4 * weight.numel() - size(encode_sparse(weight)) for weight in weights.values())
    shrunk = (tmp_path / "dense").stat().st_size - (tmp_path / "sparse").stat().st_size
    assert abs(saved - shrunk) < 6000  # the names of twelve indices


def _weights(model: torch.nn.Module) -> dict[str, Tensor]:
    found: dict[str, Tensor] = {}
    for path, module in model.named_modules():
        if isinstance(module, torch.nn.Linear) and ".layer." in path:
            found[path] = module.weight.detach()
    return found


@pytest.mark.parametrize(
    "parts", [{"values": torch.ones(3)}, {"values": torch.ones(3), "index": torch.ones(2)}]
)
def test_parts_that_do_not_fit_are_refused(parts: dict[str, Tensor]) -> None:
    with pytest.raises(ValueError, match=r"decoded|codes"):
        decode(Encoded(INDEX, parts, {"shape": [2, 4], "bits": 4, "codes": 3}))
