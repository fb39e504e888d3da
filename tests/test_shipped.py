"""Models that come with the course: what changed is all that is stored, and the answers stay."""

import re
from pathlib import Path

import pytest
import torch
import transformers
from notebook_dose import TAUGHT
from notebook_file import Notebook
from safetensors.torch import load_file, save_file
from tiny_task import tiny_model

from lib.bert import WordPieceTokenizer
from lib.records import shipped, teachers
from lib.training.known_tasks import load_task
from tools.copies import every_notebook

MODELS = sorted(path.parent.name for path in shipped.FOLDER.glob(f"*/{shipped.UPDATE}"))


@pytest.mark.parametrize("name", MODELS)
def test_a_model_that_comes_along_answers_as_its_result_says(name: str) -> None:
    teacher = teachers.load_teacher(name)
    task = load_task(name)
    assert teacher.origin == teachers.SHIPPED and not teacher.model.training
    assert len(teacher.predictions) == len(task.test)
    assert task.kind.score(teacher.predictions, task.test) == teacher.scores
    some = slice(0, len(task.test), 12)
    tokenizer = WordPieceTokenizer.from_pretrained("minilm")
    assert task.kind.predict(teacher.model, task.test[some], tokenizer, 128) == teacher.predictions[some]


def test_the_lines_of_the_readme_write_one_for_transformers(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    readme = (shipped.FOLDER / "README.md").read_text(encoding="utf-8")
    (lines,) = re.findall(r"```python\n(.*?)```", readme, re.DOTALL)
    monkeypatch.chdir(tmp_path)
    exec(lines, {})
    theirs = transformers.BertForSequenceClassification.from_pretrained("headlines-model").eval()
    tokenizer = transformers.AutoTokenizer.from_pretrained("headlines-model")
    teacher, some = teachers.load_teacher("headlines"), slice(0, 720, 48)
    texts = [example.first for example in load_task("headlines").test[some]]
    with torch.no_grad():
        logits = theirs(**tokenizer(texts, padding=True, return_tensors="pt")).logits
    assert logits.argmax(1).tolist() == teacher.predictions[some]


def test_they_are_small_and_there() -> None:
    assert MODELS == ["headlines", "sentiment"]
    assert all((shipped.FOLDER / name / shipped.UPDATE).stat().st_size < 22e6 for name in MODELS)


def test_a_head_is_stored_whole_since_its_first_numbers_are_drawn() -> None:
    for name in MODELS:
        assert load_file(shipped.FOLDER / name / shipped.UPDATE)["classifier.weight"].size(1) == 384


def test_an_update_makes_the_trained_model_of_the_one_before(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(shipped, "GROUP", 8)
    before, after, again = (tiny_model() for _ in range(3))
    torch.manual_seed(1)
    with torch.no_grad():
        for tensor in after.parameters():
            tensor.add_(0.01 * torch.randn_like(tensor))
        table, rows = after.bert.embeddings.word_embeddings.weight, [3, 7]
        table.copy_(before.bert.embeddings.word_embeddings.weight)
        table[rows] += 0.05
    update = shipped.update_of(after, before)
    assert update["bert.embeddings.word_embeddings.weight.rows"].tolist() == rows
    shipped.add_update(again, update)
    for name, tensor in again.state_dict().items():
        torch.testing.assert_close(tensor, after.state_dict()[name], atol=3e-4, rtol=0)


def test_a_damaged_file_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(shipped, "FOLDER", tmp_path)
    monkeypatch.setattr(shipped, "fresh_model", lambda *_, **__: tiny_model())
    (tmp_path / "headlines").mkdir()
    task = load_task("headlines")
    file = tmp_path / "headlines" / shipped.UPDATE
    file.write_bytes(b"no tensors")
    with pytest.raises(ValueError, match=r"update\.safetensors is damaged .*from git"):
        shipped.load_shipped(task)
    save_file({"bert.other": torch.zeros(2)}, file)
    assert load_file(file).keys() == {"bert.other"}
    with pytest.raises(ValueError, match=r"update\.safetensors is damaged"):
        shipped.load_shipped(task)


@pytest.mark.parametrize(
    "path", [path for path in every_notebook() if path.name[:2] in TAUGHT], ids=lambda path: path.name[:2]
)
def test_no_core_notebook_trains_a_teacher_before_its_reader_may_go_on(path: Path) -> None:
    """With an empty cache as well: what it asks for comes with the course."""
    asked = {
        name for cell in Notebook(path).code for name in re.findall(r'load_teacher\("([^"]+)"', cell.source)
    }
    assert all(shipped.is_shipped(name, seed=0) for name in asked), asked
