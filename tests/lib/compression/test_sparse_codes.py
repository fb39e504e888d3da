"""Zeros and few bits at once."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
import torch
from tiny_berts import batch_of, ours

from lib.bert.alterations import parametrize
from lib.compression.packed import load_packed, save_packed
from lib.compression.pruning.masks import add_masks, masks_of, prune
from lib.compression.quantizers.sparse_codes import SparseCodes
from lib.stats import resampled_interval, share_interval

PATH = "bert.encoder.layer.0.intermediate.dense"


@pytest.mark.parametrize("quantizer", ["CodebookQuantization", "LinearQuantization"])
@pytest.mark.parametrize("bits", [3, 8])
def test_zeros_stay_and_take_no_code(quantizer: str, bits: int, tmp_path: Path) -> None:
    model = ours(hidden_size=48, intermediate_size=64)
    add_masks(model, [PATH])
    prune(model, 0.75)
    save_packed(model, tmp_path / "sparse.safetensors")
    kept = masks_of(model)[PATH]
    module: Any = model.get_submodule(PATH)
    before = module.weight.detach().clone()
    parametrize(model, PATH, SparseCodes.__name__, quantizer=quantizer, bits=bits)
    assert (module.weight[~kept] == 0).all()
    assert (module.weight - before).abs().mean() < 0.7 * before.abs().mean() / 2 ** (bits - 2)
    if quantizer == "CodebookQuantization":
        assert len(module.weight[kept].unique()) > 2 ** min(bits, 6) - 2
    save_packed(model, tmp_path / "small.safetensors")
    loaded = load_packed(tmp_path / "small.safetensors")
    assert torch.equal(loaded.get_parameter(f"{PATH}.weight"), module.weight)
    batch = batch_of()
    torch.testing.assert_close(loaded(**batch).logits, model(**batch).logits)
    saved = [(tmp_path / f"{name}.safetensors").stat().st_size for name in ("sparse", "small")]
    assert saved[0] - saved[1] > 0.25 * kept.numel() * (32 - bits) / 8 - 2000


def test_an_interval_by_drawing_rows_anew_is_that_of_a_share() -> None:
    right = [place % 5 != 0 for place in range(400)]
    low, high = resampled_interval(lambda places: sum(right[place] for place in places) / len(places), 400)
    assert (low, high) == pytest.approx(share_interval(0.8, 400), abs=0.02)
