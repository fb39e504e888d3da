"""Records: how each was made, and whether it still fits what it was made from."""

from pathlib import Path

import pytest
from programs import python

from lib import records, root
from lib.records import inputs, record
from studies import registry


def toy_row(made_from: dict[str, str]) -> records.Run:
    made = {"how": "x", "version": 1, "inputs": made_from, "date": "2026-11-27", "machine": "one"}
    return records.Run("colors", "short", 0, {"loss": 0.5}, {}, made)


def test_a_record_that_is_not_there_is_named(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match="no record 'toy'; there are none"):
        records.table("toy", tmp_path)
    with pytest.raises(ValueError, match="no study 'toy'"):
        registry.run("toy", tmp_path)


@pytest.mark.parametrize(
    "content", ["", "{", "[]", '{"rows": 1}', '{"made_with": [], "rows": [{"task": "x", "made_with": 3}]}']
)
def test_a_damaged_record_is_named(tmp_path: Path, content: str) -> None:
    (tmp_path / "toy.json").write_text(content)
    with pytest.raises(ValueError, match=r"toy\.json is no record"):
        records.table("toy", tmp_path)


def test_a_record_says_when_and_where_it_was_made(tmp_path: Path) -> None:
    records.write_table("toy", "a loss", [toy_row({})], tmp_path)
    assert records.names(tmp_path) == ["toy"]
    assert record.about("toy", tmp_path) == "a loss (2026-11-27; one)"
    assert record.lines("toy", tmp_path) == ["colors, short, seed 0: {'loss': 0.5}"]


# ---------------------------------------------------------------------------------------------
# Whether a record fits


@pytest.mark.parametrize("name", records.names())
def test_every_record_fits_its_inputs(name: str) -> None:
    """Weights, data files, seeds and settings; public data sets where BERT_COURSE_DATA names them."""
    assert registry.misfits(name) == []


def inputs_of(name: str) -> set[str]:
    return {one for row in records.table(name).rows for one in row.made_with["inputs"]}


def test_what_was_measured_on_the_pocket_bert_names_it() -> None:
    assert {name for name in records.names() if "pocket" in inputs_of(name)} == {
        "distilled_answers", "distilled_inside", "heads_in_ewt", "heads_off",
        "held_out_pairs", "how_to_teach", "pocket", "pruned_weights",
    }  # fmt: skip


def test_a_record_no_longer_fits_when_its_inputs_change(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Public data sets count where they are at hand."""

    def misfits(made_from: dict[str, str]) -> list[str]:
        records.write_table("toy", "a loss", [toy_row(made_from)], tmp_path)
        return registry.misfits("toy", tmp_path)

    assert misfits(inputs.digests(["data/reader/town.txt"])) == []
    assert misfits({"data/reader/town.txt": "0" * 64}) == ["data/reader/town.txt is not what it was"]
    monkeypatch.delenv("BERT_COURSE_DATA", raising=False)
    assert misfits({"public/trees/dev.conllu": "0" * 64}) == []
    monkeypatch.setenv("BERT_COURSE_DATA", str(tmp_path))
    assert misfits({"public/trees/dev.conllu": "0" * 64}) == []
    (tmp_path / "trees").mkdir()
    (tmp_path / "trees" / "dev.conllu").write_text("1\tThe\n")
    assert misfits({"public/trees/dev.conllu": "0" * 64}) == ["public/trees/dev.conllu is not what it was"]


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
        "import sys; from lib import records; from studies import registry; records.table('pocket');"
        "records.table('ablations');"
        "print([name for name in ('torch', 'numpy', 'scipy', 'sklearn') if name in sys.modules])"
    )
    answer = python("-P", "-c", code, PYTHONPATH=str(root))
    assert answer.stdout.strip() == "[]", answer.stderr
