"""Records: how each was made, and whether it still fits what it was made from."""

import os
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import pytest

from lib import records, root
from lib.records import inputs
from studies import registry


@pytest.fixture
def toy(monkeypatch: pytest.MonkeyPatch) -> registry.Experiment:
    """An experiment on one of the reader's files."""
    experiment = registry.Experiment(
        lambda seed: {"loss": [seed, 0.5]},
        (3, 4),
        0.1,
        "a loss",
        inputs=("data/reader/town.txt",),
        config=lambda: {"steps": 7},
    )
    monkeypatch.setitem(registry.EXPERIMENTS, "toy", experiment)
    monkeypatch.setattr("lib.records.record.commit", lambda: "abc")
    return experiment


def test_a_record_says_how_it_was_made(tmp_path: Path, toy: registry.Experiment) -> None:
    registry.run("toy", tmp_path)
    assert records.names(tmp_path) == ["toy"]
    written = records.load("toy", tmp_path)
    assert written.results == ({"loss": [3, 0.5]}, {"loss": [4, 0.5]})
    assert written.seeds == (3, 4) and written.commit == "abc" and "cores" in written.machine
    assert written.inputs == inputs.digests(toy.inputs) and written.config == {"steps": 7}


def test_a_record_that_is_not_there_is_named(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match="no record 'toy'; there are none"):
        records.load("toy", tmp_path)
    with pytest.raises(ValueError, match="no experiment 'toy'"):
        registry.run("toy", tmp_path)


@pytest.mark.parametrize("content", ["", "{", "[]", "{}", '{"name": "toy", "seeds": 1}'])
def test_a_damaged_record_is_named(tmp_path: Path, content: str) -> None:
    (tmp_path / "toy.json").write_text(content)
    with pytest.raises(ValueError, match=r"toy\.json is no record"):
        records.load("toy", tmp_path)


def test_a_result_for_each_seed(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match="1 results of 2 seeds"):
        records.write("toy", "a loss", 1.0, (0, 1), (0.5,), tmp_path, {}, {})
    assert not list(tmp_path.iterdir())


# ---------------------------------------------------------------------------------------------
# Whether a record fits


@pytest.mark.parametrize("name", records.names())
def test_every_record_fits_its_inputs(name: str) -> None:
    """Weights, data files, seeds and settings; public data sets where BERT_COURSE_DATA names them."""
    assert registry.misfits_of(name) == []


def test_every_experiment_with_a_record_names_its_inputs_or_settings() -> None:
    for name in sorted(registry.EXPERIMENTS.keys() & set(records.names())):
        record = records.load(name)
        assert record.inputs or record.config, name


def test_every_function_that_is_named_is_there() -> None:
    functions = [part for one in registry.EXPERIMENTS.values() for part in (one.run, one.config)]
    named = [function for function in functions if isinstance(function, registry.Named)]
    assert named and all(callable(function.resolved) for function in named)


def inputs_of(name: str) -> set[str]:
    if records.is_table(name):
        return {one for row in records.table(name).rows for one in row.made_with["inputs"]}
    return set(records.load(name).inputs)


def test_what_was_measured_on_the_pocket_bert_names_it() -> None:
    assert {name for name in records.names() if "pocket" in inputs_of(name)} == {
        "bits", "distilled_answers", "distilled_inside", "domain_text", "heads_in_ewt", "heads_off",
        "held_out_pairs", "how_to_teach", "ledger", "ledger_mrpc", "ledger_sst2", "pocket", "pruned_weights",
    }  # fmt: skip


def test_a_record_no_longer_fits_when_something_changes(tmp_path: Path, toy: registry.Experiment) -> None:
    registry.run("toy", tmp_path)
    record = records.load("toy", tmp_path)
    assert registry.misfits(record) == []
    other = replace(record, inputs={"data/reader/town.txt": "0" * 64})
    assert registry.misfits(other) == ["data/reader/town.txt is not what it was"]
    for change, said in (
        ({"inputs": {}}, "its inputs are data/reader/town.txt now"),
        ({"seeds": (3,)}, "its seeds are (3, 4) now"),
        ({"config": {"steps": 8}}, "steps is 7 now, and was 8"),
    ):
        assert registry.misfits(replace(record, **change)) == [said]


def test_a_public_data_set_counts_where_it_is_at_hand(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, toy: registry.Experiment
) -> None:
    registry.run("toy", tmp_path)
    record = records.load("toy", tmp_path)
    record = replace(record, name="another", inputs={"public/trees/dev.conllu": "0" * 64})
    monkeypatch.delenv("BERT_COURSE_DATA", raising=False)
    assert registry.misfits(record) == []
    monkeypatch.setenv("BERT_COURSE_DATA", str(tmp_path))
    assert registry.misfits(record) == []
    (tmp_path / "trees").mkdir()
    (tmp_path / "trees" / "dev.conllu").write_text("1\tThe\n")
    assert registry.misfits(record) == ["public/trees/dev.conllu is not what it was"]


def test_an_input_is_what_it_holds(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Neither its card, nor an editor's file, nor how it is compressed."""
    monkeypatch.setenv("BERT_COURSE_DATA", str(tmp_path))
    folder = tmp_path / "texts"
    folder.mkdir()
    (folder / "a.txt").write_text("one")
    (folder / "b.txt").write_text("two")

    def digest(name: str = "public/texts") -> str:
        return inputs.digests([name])[name]

    before, of_file = digest(), digest("public/texts/b.txt")
    (folder / "README.md").write_text("a card")
    (folder / ".a.txt.swp").write_text("an editor's")
    assert digest() == before
    (folder / "b.txt").unlink()
    with inputs.gzip.open(folder / "b.txt.gz", "wt") as file:
        file.write("two")
    assert digest() == before and digest("public/texts/b.txt") == of_file
    (folder / "a.txt").rename(folder / "c.txt")
    assert digest() != before


def test_an_input_that_is_not_there_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(ValueError, match="no input 'data/nothing'"):
        inputs.digests(["data/nothing"])
    monkeypatch.delenv("BERT_COURSE_DATA", raising=False)
    with pytest.raises(ValueError, match="public data set trees: set the environment variable"):
        inputs.digests(["public/trees"])


def test_a_record_is_read_without_what_computes() -> None:
    code = (
        "import sys; from lib import records; from studies import registry; records.load('pocket');"
        "records.table('ablations');"
        "print([name for name in ('torch', 'numpy', 'scipy', 'sklearn') if name in sys.modules])"
    )
    answer = subprocess.run(
        [sys.executable, "-P", "-c", code],
        env={**os.environ, "PYTHONPATH": str(root)},
        capture_output=True,
        text=True,
        check=True,
    )
    assert answer.stdout.strip() == "[]"
