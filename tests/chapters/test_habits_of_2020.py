"""The script with the habits of 2020: each of them does what is said of it, and each fix ends it."""

from dataclasses import fields, replace
from pathlib import Path
from typing import Any

import pytest
import torch

from chapters.nb16 import habits_of_2020 as habits
from chapters.nb16.habits_of_2020 import FIXES, Labeled, Script, TextClassifier, versions
from lib.bert import BertConfig, BertModel, WordPieceTokenizer
from lib.records.subject import Subject
from lib.training.freezing import parameter_part
from studies import habits_of_2020 as study

CONFIG = BertConfig(
    vocab_size=60, hidden_size=16, num_hidden_layers=3, num_attention_heads=2, intermediate_size=32
)  # fmt: skip
DATA = Labeled([[2, 5 + n % 2, *range(7, 8 + n % 4), 3] for n in range(25)], [n % 2 for n in range(25)])


def model() -> TextClassifier:
    torch.manual_seed(0)
    return TextClassifier(BertModel(CONFIG), 2).eval()


def test_each_version_keeps_the_fixes_before_it() -> None:
    before = Script()
    assert versions()["as it was"] == before
    for name, script in versions().items():
        changed = {
            field.name
            for field in fields(Script)
            if getattr(script, field.name) != getattr(before, field.name)
        }
        assert changed == set(FIXES[name])
        before = script
    kept = {
        field.name for field in fields(Script) if getattr(before, field.name) == getattr(Script(), field.name)
    }
    assert not kept  # in the end no habit is left


@torch.no_grad()
def test_without_a_mask_an_answer_depends_on_the_padding() -> None:
    fixed, plain = versions()["padding to the longest"], model()
    alone = fixed.logits(plain, DATA.rows[:1])
    with_padding = {name: script.logits(plain, DATA.rows[:1]) for name, script in versions().items()}
    assert not torch.allclose(with_padding["as it was"], alone, atol=1e-3)
    masked = [name for name, script in versions().items() if script.mask is habits.real_pieces]
    assert masked == [*versions()][2:]
    for name in masked:
        assert torch.allclose(with_padding[name], alone, atol=1e-5)


def test_tables_have_the_width_that_is_said() -> None:
    assert habits.fifty_places(DATA.rows[:4]).shape == (4, 50)
    assert habits.longest_row(DATA.rows[:4]).shape == (4, 7)
    mask = habits.real_pieces(habits.longest_row(DATA.rows[:4]))
    assert mask is not None and mask.sum(1).tolist() == [len(row) for row in DATA.rows[:4]]


def test_a_loop_finds_the_vectors_of_a_slice() -> None:
    hidden = torch.randn(3, 5, 4)
    assert torch.equal(habits.cls_one_by_one(hidden), habits.cls_at_once(hidden))


@pytest.mark.parametrize(
    ("name", "learning"),
    [
        ("as it was", {"layer 1", "layer 2", "head"}),
        ("AdamW", {"layer 1", "layer 2", "head"}),
        ("every layer learns", {"embeddings", "layer 0", "layer 1", "layer 2", "head"}),
    ],
)
def test_what_learns(name: str, learning: set[str]) -> None:
    plain = model()
    plain.bert.pooler = None  # its weights are in no answer, so none would move
    before = {key: value.clone() for key, value in plain.named_parameters()}
    habits.train(versions()[name], plain, DATA, epochs=1, seed=0)
    assert {
        parameter_part(key) for key, value in plain.named_parameters() if not torch.equal(value, before[key])
    } == (learning)


def test_dropout_goes_on_in_the_test_until_eval() -> None:
    for name, repeats in [("an attention mask", False), ("eval() before the test", True)]:
        plain, script = model().train(), versions()[name]
        script.before_test(plain)
        with torch.no_grad():
            first, second = (script.logits(plain, DATA.rows) for _ in range(2))
        assert torch.equal(first, second) == repeats


def test_rows_one_by_one_answer_as_batches_do() -> None:
    one, all_at_once = versions()["eval() before the test"], versions()["padding to the longest"]
    plain = model()
    with torch.no_grad():  # a bias halfway between two leads, so that no row's answer hangs on a rounding
        scores = one.logits(plain, DATA.rows)
        leads = (scores[:, 0] - scores[:, 1]).sort().values
        widest = leads.diff().argmax()
        plain.classifier.bias[0] -= (leads[widest] + leads[widest + 1]) / 2
    expected = habits.predict(one, plain, DATA.rows)
    assert len(set(expected.tolist())) == 2
    assert torch.equal(habits.predict(all_at_once, plain, DATA.rows), expected)


def test_a_run_repeats_itself_and_its_last_version_learns(tmp_path: Path) -> None:
    BertModel(replace(CONFIG, initializer_range=0.2)).save_pretrained(tmp_path)
    script = versions()["every layer learns"]
    first, second = (
        habits.run(script, DATA, DATA, epochs=25, seed=1, start=str(tmp_path)).accuracy for _ in range(2)
    )
    assert first == second == 1.0
    assert habits.run(versions()["as it was"], DATA, DATA, epochs=1, start=str(tmp_path)).accuracy <= 1.0


def test_long_texts_are_cut_to_the_table() -> None:
    tokenizer = WordPieceTokenizer(["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]", "a"])
    data = habits.encode(["a " * 80, "a"], [0, 1], tokenizer)
    assert [len(row) for row in data.rows] == [50, 3]


def test_headlines_are_some_of_each_category() -> None:
    for data in habits.some_headlines():
        assert [data.labels.count(place) for place in range(9)] == [habits.ROWS_A_CLASS] * 9
        assert all(3 <= len(row) <= habits.LENGTH for row in data.rows)
    learned, _ = habits.some_headlines()
    assert learned.labels == [one.label for one in habits.examples("train")]


def test_each_fix_is_recorded_in_its_turn(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(study, "run", lambda *_given: habits.Outcome(0.5, 3.0, 1.0))
    arms: Any = study.STUDY.arms["headlines"]
    assert list(arms) == list(FIXES)
    for arm in arms.values():
        found = arm(Subject("headlines", 0))
        assert found.scores == {"accuracy": 0.5}
        assert found.costs == {"processor_seconds": 4.0, "testing_seconds": 1.0}
