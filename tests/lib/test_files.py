"""Files that are written beside and moved into place: who may read them."""

from __future__ import annotations

import os
import stat
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
import torch
from safetensors.torch import save_file

from lib.bert import BertConfig, BertModel
from lib.compression.packed import save_packed
from lib.files import replacing, write_json
from lib.training.checkpoints import Checkpoints

pytestmark = pytest.mark.skipif(os.name == "nt", reason="Windows has no such rights")
CONFIG = BertConfig(
    vocab_size=6, hidden_size=4, num_hidden_layers=1, num_attention_heads=1, intermediate_size=4
)


def in_a_folder(folder: Path) -> None:
    with replacing(folder / "run") as beside:
        (beside / "deep").mkdir(parents=True)
        save_file({"x": torch.ones(2)}, beside / "deep" / "x.safetensors")


def alone(folder: Path) -> None:
    with replacing(folder / "x.safetensors") as beside:
        save_file({"x": torch.ones(2)}, beside)


@pytest.fixture(params=[0o022, 0o027, 0o077], ids=oct)
def umask(request: pytest.FixtureRequest) -> Iterator[int]:
    before = os.umask(request.param)
    yield request.param
    os.umask(before)


@pytest.mark.parametrize(
    "write",
    [
        lambda folder: BertModel(CONFIG).save_pretrained(folder),
        lambda folder: save_packed(BertModel(CONFIG), folder / "packed.safetensors"),
        lambda folder: Checkpoints(folder).save(1, {"model": {"x": torch.ones(2)}}, {}),
        in_a_folder,
        alone,
        lambda folder: write_json(folder / "x.json", {}),
    ],
    ids=["model", "packed", "checkpoint", "folder", "file", "json"],
)
def test_what_is_written_may_be_read_by_whoever_may_read_a_new_file(
    write: Callable[[Path], None], umask: int, tmp_path: Path
) -> None:
    write(tmp_path)
    files = [path for path in tmp_path.rglob("*") if path.is_file()]
    assert files and {stat.S_IMODE(path.stat().st_mode) for path in files} == {0o666 & ~umask}


def test_further_rights_stay_and_what_a_link_leads_to_is_left_alone(umask: int, tmp_path: Path) -> None:
    with replacing(tmp_path / "run.sh") as beside:
        beside.write_text("true")
        beside.chmod(0o700)
    assert stat.S_IMODE((tmp_path / "run.sh").stat().st_mode) == 0o700 | (0o666 & ~umask)
    (secret := tmp_path / "secret").touch(0o600)
    with replacing(tmp_path / "folder") as beside:
        beside.mkdir()
        (beside / "link").symlink_to(secret)
    assert stat.S_IMODE(secret.stat().st_mode) == 0o600
