"""The contest: files are weighed, run in a process of their own, and ranked; hostile ones get a sentence."""

from __future__ import annotations

import csv
from collections.abc import Callable
from pathlib import Path
from zipfile import ZIP_LZMA, ZipFile

import pytest
import torch

from lib.compression.bags import Bag
from lib.compression.floppy import VOCAB, Floppy, write_floppy
from lib.compression.quantizers.model import halve_rest, quantize_weights
from lib.text.tasks.own import CATEGORIES, headlines
from tools import contest
from tools.contest import CLASSES, Entry, ranked, rows, summary


def runs(path: Path, buckets: int = 64, labels: tuple[str, ...] = CATEGORIES, seed: int = 0) -> Path:
    torch.manual_seed(seed)
    bag = Bag(buckets, 9, 16, len(labels))
    quantize_weights(bag, 4, ["table"], groups=1, scheme="spread")
    halve_rest(bag)
    path.parent.mkdir(parents=True, exist_ok=True)
    write_floppy(Floppy(labels, runs=bag.eval()), path)
    return path


def runs_with(path: Path, member: str, content: bytes) -> Path:
    """An honest file to which something was added."""
    with ZipFile(runs(path), "a", ZIP_LZMA) as archive:
        archive.writestr(member, content)
    return path


@pytest.fixture(scope="module")
def ranks(tmp_path_factory: pytest.TempPathFactory) -> dict[str, list[str]]:
    """The table of a class in which few are honest, by the hand-in."""
    folder = tmp_path_factory.mktemp("contest") / "hand-ins"
    runs(folder / "ada" / "mine.zip")
    runs(folder / "bob.zip", buckets=40_000)
    (folder / "link.zip").symlink_to(folder / "bob.zip")
    (folder / "large.zip").write_bytes(b"\x00" * 1_474_561)
    runs_with(folder / "=cmd.zip", "model.safetensors", b"\x00" * 70_000_000)
    (folder / ".hidden").write_bytes(b"")
    output = folder.parent / "ranks.csv"
    contest.contest(folder, output)
    with output.open(encoding="utf-8", newline="") as file:
        found = list(csv.reader(file))
    assert tuple(found[0]) == contest.COLUMNS
    return {line[2]: line for line in found[1:]}


def test_honest_files_are_weighed_run_and_ranked(ranks: dict[str, list[str]]) -> None:
    assert ranks["ada/mine"][:2] == ["100 kB", "1"] and ranks["bob"][:2] == ["360 kB", "1"]
    for name in ("ada/mine", "bob"):
        assert 0 <= float(ranks[name][4]) <= 0.5 and ranks[name][5] == ""
    assert list(ranks)[:2] == ["ada/mine", "bob"] and len(ranks) == 5


@pytest.mark.parametrize(
    ("name", "says"),
    [
        ("link", "It is a link"),
        ("large", "It weighs 1,474,561 bytes, and a floppy disk holds 1,474,560."),
        ("'=cmd", "The file unpacks to"),
    ],
)
def test_others_are_refused_in_a_sentence(name: str, says: str, ranks: dict[str, list[str]]) -> None:
    line = ranks[name]
    assert line[0] == "refused" and says in line[5] and line[4] == "" and "Traceback" not in line[5]


def no_zip(path: Path) -> None:
    path.write_bytes(b"no zip")


def with_other_labels(path: Path) -> None:
    runs(path, labels=("yes", "no"))


def with_code(path: Path) -> None:
    runs_with(path, "model.py", b"import os")


def with_texts(path: Path) -> None:
    runs_with(path, VOCAB, "\n".join(row.first for row in headlines("test")).encode())


@pytest.mark.parametrize(
    ("make", "says"),
    [
        (no_zip, "no zip file that holds what it says"),
        (with_other_labels, "Its 2 labels are not the categories of the headlines."),
        (with_code, "a floppy brings no code"),
        (with_texts, "no place for texts"),
    ],
)
def test_what_cannot_be_judged_is_said(make: Callable[[Path], None], says: str, tmp_path: Path) -> None:
    make(tmp_path / "a.zip")
    with pytest.raises(ValueError, match=says):
        contest.judge(tmp_path / "a.zip")


def test_a_file_that_computes_for_long_is_ended(tmp_path: Path) -> None:
    path = runs(tmp_path / "slow.zip")
    entry = contest.weighed(path, Path("slow.zip"), seconds=1)  # which torch alone takes to be imported
    assert entry.accuracy is None and "was ended" in entry.message


def test_held_out_headlines_of_ones_own(tmp_path: Path) -> None:
    held_out = tmp_path / "mine.tsv"
    held_out.write_text(f"text\tcategory\nA goal in the last minute\t{CATEGORIES[7]}\n", "utf-8")
    path = runs(tmp_path / "a.zip")
    assert contest.judge(path, held_out) in (0.0, 1.0)


def test_a_folder_of_disks_is_told_from_one_of_notebooks(tmp_path: Path) -> None:
    runs(tmp_path / "ada" / "mine.zip")
    (tmp_path / "bob.zip").write_bytes(b"no zip")
    whole = (tmp_path / "ada" / "mine.zip").read_bytes()
    directory = whole.rindex(b"PK\x01\x02")  # the last entry of the archive's own list
    (tmp_path / "cut.zip").write_bytes(whole[:directory] + b"XX" + whole[directory + 2 :])
    assert contest.holds_disks(tmp_path)
    (tmp_path / "05_attention.ipynb").write_text("{}")
    assert not contest.holds_disks(tmp_path)


@pytest.mark.parametrize(
    ("hand_ins", "held_out", "says"),
    [
        ("none", "", "no folder"),
        ("empty", "", "There is no file"),
        (".", "text\tcategory\nA goal\tsoccer\n", "the category 'soccer'"),
        (".", "headline\tcategory\nA goal\tsports\n", "lacks headlines"),
    ],
)
def test_what_cannot_be_a_contest_is_said(hand_ins: str, held_out: str, says: str, tmp_path: Path) -> None:
    (tmp_path / "empty").mkdir()
    (tmp_path / "mine.tsv").write_text(held_out, "utf-8")
    with pytest.raises(ValueError, match=says):
        contest.contest(tmp_path / hand_ins, tmp_path / "ranks.csv", tmp_path / "mine.tsv")
    assert not (tmp_path / "ranks.csv").exists()


def test_ranks_are_by_class_then_accuracy_then_bytes() -> None:
    entries = [
        Entry("d", 5, message="It is a link."),
        Entry("a", 1_000_000, 0.8),
        Entry("b", 90_000, 0.7),
        Entry("c", 80_000, 0.7),
        Entry("e", 102_401, 0.9),
    ]
    assert [entry.hand_in for entry in ranked(entries)] == ["c", "b", "e", "a", "d"]
    assert [line[1] for line in rows(ranked(entries))] == ["1", "2", "1", "1", ""]
    assert "80.0%" in summary(ranked(entries)) and "It is a link." in summary(ranked(entries))
    assert list(CLASSES.values()) == sorted(CLASSES.values())
