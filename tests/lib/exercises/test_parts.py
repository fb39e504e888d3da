"""What passed is kept as a file, and notebook 09 joins the reader's own parts to a BERT that works."""

import importlib.util
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import torch

from lib.bert import BertModel, attention
from lib.exercises import get, own_parts, parts

POOL = """
def real(mask):
    # 1 where a token is
    return mask[..., None]


def mean_pool(hidden, attention_mask):
    return (hidden * real(attention_mask)).sum(dim=1) / real(attention_mask).sum(dim=1)
"""
GELU = "import torch.nn.functional as F\n\n\ndef gelu(x):\n    return F.gelu(x)\n"
IN_PLACE = """
def split_heads(vectors, num_heads):
    vectors += 1
    batch, length, size = vectors.shape
    return vectors.view(batch, length, num_heads, size // num_heads).transpose(1, 2)
"""
WRONG_TYPE = "def mean_pool(hidden, attention_mask):\n    return hidden.double() @ attention_mask\n"


@pytest.fixture
def home(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Iterator[Path]:
    monkeypatch.setenv("BERT_COURSE_HOME", str(tmp_path))
    yield tmp_path


def written(folder: Path, name: str, source: str) -> Any:
    """What a learner's file defines under a name."""
    path = folder / f"learner_{name}.py"
    path.write_text(source, encoding="utf-8")
    spec = importlib.util.spec_from_file_location(path.stem, path)
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[path.stem] = module
    spec.loader.exec_module(module)
    return vars(module)[name]


def test_what_passed_is_kept_with_what_it_needs(home: Path, tmp_path: Path) -> None:
    parts.keep(get("mean_pool"), written(tmp_path, "mean_pool", POOL))
    kept = (home / "parts/mean_pool.py").read_text(encoding="utf-8")
    assert kept.startswith("# Your mean_pool, as it passed its check in notebook 00.")
    assert "# 1 where a token is" in kept
    space: dict[str, Any] = {}
    exec(kept, space)
    hidden, mask = torch.randn(2, 3, 4), torch.tensor([[1, 1, 0], [1, 1, 1]])
    assert torch.equal(space["mean_pool"](hidden, mask), get("mean_pool").reference(hidden, mask))


def test_the_courses_own_and_what_is_no_part_are_not_kept(home: Path, tmp_path: Path) -> None:
    parts.keep(get("mean_pool"), get("mean_pool").reference)
    parts.keep(
        get("causal_mask"), written(tmp_path, "causal_mask", "def causal_mask(length):\n    return length\n")
    )
    assert not (home / "parts").exists()


def test_a_tensor_of_the_notebook_cannot_be_kept(home: Path, tmp_path: Path) -> None:
    source = "import torch\n\nscale = torch.ones(1)\n\n\ndef gelu(x):\n    return scale * x\n"
    with pytest.raises(ValueError, match="`scale`"):
        parts.keep(get("gelu"), written(tmp_path, "gelu", source))
    assert not (home / "parts").exists()


def test_own_parts_work_together_and_faults_are_named(home: Path, tmp_path: Path, capsys: Any) -> None:
    parts.keep(get("gelu"), written(tmp_path, "gelu", GELU))
    for name, source in {
        "split_heads": IN_PLACE,
        "mean_pool": WRONG_TYPE,
        "wordpiece": "wordpiece = (",
    }.items():
        (home / "parts" / f"{name}.py").write_text(source, encoding="utf-8")
    joined = own_parts()
    said = capsys.readouterr().out
    assert joined.own == ("gelu",)
    assert "1 of 9 parts are yours: gelu (08)" in said
    assert (
        "Your split_heads (06) passed its check, but not inside MiniLM" in said
        and "changes the vectors" in said
    )
    assert "Your mean_pool (00) passed its check" in said and "Your wordpiece (01)" in said
    assert "Not passed yet, so the course's run: build_inputs (02)" in said  # in the notebooks' order
    assert joined["split_heads"] is attention.split_heads
    model = BertModel.from_pretrained("minilm")
    ids = torch.tensor([[101, 2293, 102]])
    with torch.no_grad():
        expected = model(ids).last_hidden_state
        with joined.inside(model):
            assert torch.allclose(model(ids).last_hidden_state, expected, atol=1e-4)
