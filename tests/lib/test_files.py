"""Files that are written beside and moved into place: who may read them."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from tiny_berts import ours

from lib.compression.packed import save_packed
from lib.files import replacing

pytestmark = pytest.mark.skipif(os.name == "nt", reason="Windows has no such rights")


@pytest.mark.parametrize("umask", [0o022, 0o077], ids=oct)
def test_whoever_may_read_a_new_file_may_read_what_is_written(umask: int, tmp_path: Path) -> None:
    before = os.umask(umask)
    try:
        ours().save_pretrained(tmp_path)
        save_packed(ours(), tmp_path / "packed.safetensors")
    finally:
        os.umask(before)
    rights = {path.name: path.stat().st_mode & 0o777 for path in tmp_path.iterdir()}
    assert rights == dict.fromkeys(["config.json", "model.safetensors", "packed.safetensors"], 0o666 & ~umask)


def test_further_rights_stay_and_what_a_link_leads_to_is_left_alone(tmp_path: Path) -> None:
    (secret := tmp_path / "secret").touch(0o600)
    with replacing(tmp_path / "folder") as beside:
        beside.mkdir()
        (beside / "run.sh").touch(0o700)
        (beside / "link").symlink_to(secret)
    assert (tmp_path / "folder" / "run.sh").stat().st_mode & 0o700 == 0o700
    assert secret.stat().st_mode & 0o777 == 0o600
