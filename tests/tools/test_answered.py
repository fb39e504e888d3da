"""The notebooks that a file answers: those it is called by, checks or mostly binds, none by accident."""

from __future__ import annotations

import pytest

from lib import root
from lib.exercises import registry
from tools.answered import answered
from tools.grading import code_cells

FIVE = "def scaled_dot_product_attention(q, k, v): ...\ndef causal_mask(length): ..."
SIX = "def split_heads(x): ...\nasync def silence_head(x): ...\nsecond_row_of_head_0: list = [1]"
BOTH = f"{FIVE}\n{SIX}"


@pytest.mark.parametrize("name", sorted(path.stem for path in (root / "notebooks").glob("[0-9]*.ipynb")))
def test_a_notebook_of_the_course_answers_itself_alone(name: str) -> None:
    cells = code_cells((root / "notebooks" / f"{name}.ipynb").read_text("utf-8"))
    code = "\n".join(source for _, source in cells)
    for stem in (name, "homework", "hw_2026-10-05", "Copy of notebook (1)"):
        assert answered(stem, code, registry.course()) == [name]


@pytest.mark.parametrize(
    ("stem", "code", "numbers"),
    [
        ("homework", BOTH, ["05", "06"]),
        ("05_attention", BOTH, ["05", "06"]),
        ("05_attention", FIVE, ["05"]),
        ("homework", "def causal_mask(n): ...\ndef split_heads(x): ...", ["05", "06"]),
        # checked, by whatever binds it
        ("05_attention", f"{FIVE}\ncheck('split_heads', split_heads)", ["05", "06"]),
        # by accident
        ("09_the_encoder", "def gelu(x): ...\nclass EncoderLayer: ...", ["09"]),
        ("05_attention", f"{FIVE}\nseen = set()\nwinner = ghost = learning_rate = 0", ["05"]),
        ("homework", f"{FIVE}\nif split_heads == silence_head: pass", ["05"]),
        ("hw_10_05", f"{FIVE}\nseen = set()", ["05"]),
        # little to go by
        ("05", "", ["05"]),
        ("homework", "seen = set()", ["10"]),
        ("homework", "attention.causal_mask(3)", ["05"]),
        ("homework", "print('hello')", [""]),
    ],
)
def test_the_notebooks_that_a_file_answers(stem: str, code: str, numbers: list[str]) -> None:
    assert [notebook[:2] for notebook in answered(stem, code, registry.course())] == numbers
