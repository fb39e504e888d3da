"""The contest: files are weighed, run in a process of their own, and ranked; hostile ones get a sentence."""

from __future__ import annotations

import csv
import json
import lzma
import pickle
import shutil
import tempfile
from collections.abc import Callable
from functools import partial
from pathlib import Path
from types import SimpleNamespace
from typing import Any
from zipfile import ZIP_DEFLATED, ZIP_LZMA, ZipFile

import pytest
import torch
from safetensors.torch import save

from lib import records
from lib.compression.bags import Bag
from lib.compression.floppy import BAG, MODEL, VOCAB, Floppy, write_floppy
from lib.compression.quantizers.model import halve_rest, quantize_weights
from lib.text.tasks.own import CATEGORIES, headlines, unlabeled
from tools import contest
from tools.commands import lecturer
from tools.contest import CLASSES, Entry, ranked, rows, summary

NAN = save({"table": torch.full((2, 2), torch.nan)}, metadata={"packed": '{"encoded": {}, "tied": {}}'})


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
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(contest, "OWN", folder.parent)
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


def cut_off(path: Path) -> None:
    path.write_bytes(runs(path).read_bytes()[:-200])


def zipped_anew(path: Path) -> None:
    with ZipFile(runs(path)) as archive:
        members = {name: archive.read(name) for name in archive.namelist()}
    with ZipFile(path, "w", ZIP_DEFLATED) as archive:
        for name, content in members.items():
            archive.writestr(name, content)


def zipped_again(path: Path, inside: str) -> None:
    content = runs(path).read_bytes()
    with ZipFile(path, "w") as archive:
        archive.writestr(inside, content)


@pytest.mark.parametrize(
    ("make", "says"),
    [
        (partial(zipped_again, inside="mine.zip"), "was zipped again, around 'mine.zip'"),
        (partial(zipped_again, inside=f"mine/{BAG}"), f"was zipped again, around 'mine/{BAG}'"),
        (no_zip, "no zip file that holds what it says"),
        (with_other_labels, "Its 2 labels are not the categories of the headlines."),
        (with_code, "a floppy brings no code"),
        (with_texts, "no place for texts"),
        (
            partial(runs_with, member=BAG, content=pickle.dumps({"table": 1})),
            "^bag.safetensors is no whole",
        ),
        (partial(runs_with, member=MODEL, content=b"garbage!" * 20), "^model.safetensors is no whole file"),
        (partial(runs_with, member=VOCAB, content=b"caf\xe9"), "^vocab.txt is not text in UTF-8"),
        (
            partial(runs_with, member=BAG, content=NAN),
            "^table in bag.safetensors holds numbers",
        ),
        (cut_off, "no zip file that holds what it says"),
        (zipped_anew, "compressed otherwise than by LZMA: write it with write_floppy"),
    ],
)
def test_what_cannot_be_judged_is_said(make: Callable[[Path], object], says: str, tmp_path: Path) -> None:
    make(tmp_path / "a.zip")
    with pytest.raises(ValueError, match=says):
        contest.judge(tmp_path / "a.zip")
    assert tempfile.gettempdir() not in contest.answer(tmp_path / "a.zip")["message"]


def test_a_file_that_computes_for_long_is_ended(tmp_path: Path) -> None:
    path = runs(tmp_path / "slow.zip")
    entry = contest.weighed(path, Path("slow.zip"), seconds=1)  # which torch alone takes to be imported
    assert entry.accuracy is None and "was ended" in entry.message


def test_held_out_headlines_of_ones_own(tmp_path: Path) -> None:
    held_out = tmp_path / "mine.tsv"
    held_out.write_text(f"text\tcategory\nA goal in the last minute\t{CATEGORIES[7]}\n", "utf-8")
    path = runs(tmp_path / "a.zip")
    assert contest.judge(path, held_out) in ([False], [True])


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
        (".", "A goal\tsports\n", "lacks headlines, .*: its columns are 'a goal, sports'"),
        (".", "text,category\nA goal, he said,sports\n", "has the category ' he said'"),
        (".", "PK\3\4", "is an archive or a workbook"),
        (".", "text\tcategory\nA goal\tsports\n\nA goal\n", "lacks headlines, .* see line 4"),
        (".", "text\tcategory\nA goal\tmen\n", r"Line 2 of .*\.tsv has the category 'men': there are relat"),
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


@pytest.fixture(scope="module")
def sealed(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Ninety headlines as xz compresses them."""
    lines = [f"{row.first}\t{CATEGORIES[int(row.label or 0)]}" for row in headlines("test")[::8]]
    path = tmp_path_factory.mktemp("sealed") / "headlines.tsv.xz"
    path.write_bytes(lzma.compress("\n".join(["text\tcategory", *lines, ""]).encode()))
    return path


def test_sealed_headlines_are_read_as_plain_ones(sealed: Path, tmp_path: Path) -> None:
    content, other = lzma.decompress(sealed.read_bytes()), tmp_path / "other.tsv"
    for plain in (content, b"\xef\xbb\xbf" + content.replace(b"\n", b"\r\n")):
        other.write_bytes(plain)
        assert contest.read_held_out(other) == contest.read_held_out(sealed)
    other.write_bytes(b'category\tno\ttext\n\nsports\t1\t"A goal, he said\nphones\t2\tHis phone\n')
    assert contest.read_held_out(other) == (['"A goal, he said', "His phone"], ["sports", "phones"])
    for table in (
        'Text \tCategory\n"He said ""no"""\tsports \n"A phone, cheap"\tOdd\xa0news\n',
        '"text"\t"category"\n"He said ""no"""\t"sports"\n"A phone, cheap"\t"odd news"\n',
        'text;category\nHe said "no";sports\nA phone, cheap;odd news\n',
        'text,category\n"He said ""no""",sports\n"A phone, cheap",odd news\n',
    ):
        other.write_text(table, "utf-8")
        due = (['He said "no"', "A phone, cheap"], ["sports", "odd news"])
        assert contest.read_held_out(other) == due
    other.write_text('text\tcategory\n"Never"\tsports\n"No, never" he said\tphones\n', "utf-8")
    assert contest.read_held_out(other)[0] == ['"Never"', '"No, never" he said']
    for damaged in (sealed.read_bytes()[:-40], content.decode().encode("utf-16")):
        other.write_bytes(damaged)
        with pytest.raises(ValueError, match=r"other\.tsv is damaged, or no text in UTF-8"):
            contest.read_held_out(other)


@pytest.fixture
def quick(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """Files are run without a process of their own, and the course has no disk but what is written here."""
    monkeypatch.setattr(contest, "OWN", tmp_path / "own")
    monkeypatch.setattr(contest.subprocess, "run", in_this_process)


def in_this_process(arguments: list[str], **_: Any) -> Any:
    """What the process of a file would print, without the seconds of its imports."""
    return SimpleNamespace(stdout=json.dumps(contest.answer(*map(Path, arguments[4:]))).encode())


def test_a_contest_is_followed_and_its_ranks_are_explained(
    quick: None, sealed: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = tmp_path / "hand-ins"
    for place, seed in {"own/bags.zip": 0, "hand-ins/ada/1.zip": 1, "hand-ins/ada/2.zip": 2}.items():
        runs(tmp_path / place, seed=seed)
    shutil.copy(tmp_path / "own" / "bags.zip", folder / "copy.zip")
    for learner in ("bob", "carl"):
        runs(folder / f"{learner}.zip", seed=3)
    (folder / "notes.txt").write_text("no zip")
    for name in ("ranks.csv", "ada/Thumbs.db", "submissions.zip"):
        (folder / name).write_text("no disk")
    with ZipFile(folder / "bob.zip") as archive:
        archive.extractall(folder / "dan" / "mine")
    entries = contest.contest(folder, tmp_path / "ranks.csv", sealed)
    said = capsys.readouterr()
    printed = said.out.splitlines()
    assert printed[0].startswith("1 of 8: the course's bags ... ")
    assert printed[7].startswith("8 of 8: notes.txt ... refused, ")
    assert "Passed over, as nobody's disk: ada/Thumbs.db, ranks.csv, submissions.zip." in said.err
    assert "90 are rows of the course, which everybody knows." in said.err
    of = {entry.hand_in: entry for entry in entries}
    places = {line[2]: line[1] for line in rows(entries)}
    counting, other = sorted(("ada/1", "ada/2"), key=lambda name: of[name].merit, reverse=True)
    assert of["dan/mine"].message.startswith("It was unpacked: hand in the zip file")
    assert of[other].message == f"One file a learner: {counting} counts." and places[other] == ""
    assert of["carl"].message == "It is the same file as bob." and places["carl"] == places["bob"]
    assert of["copy"].message == "It is the same file as the course's bags." and places["copy"] == ""
    assert [*of].index("copy") == [*of].index("the course's bags") + 1
    assert {places[counting], places["bob"]} in ({"1", "2"}, {"1", "3"}) and places["the course's bags"] == ""
    assert f"Judged on the 90 headlines of {sealed}. A lead counts from" in contest.judged_on(entries, sealed)
    assert "everybody knows: a rehearsal. A lead counts from" in contest.judged_on(entries)
    assert contest.judged_on(entries[-1:]) == "No file could be judged."


def test_disks_are_ranked_where_grade_was_told_to_write(
    quick: None, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    runs(tmp_path / "hand-ins" / "a.zip")
    for output in (tmp_path / "mine.csv", None):
        lecturer.grade(tmp_path / "hand-ins", output)
    assert {path.name for path in tmp_path.glob("*.csv")} == {"mine.csv", "ranks.csv"}
    with pytest.raises(ValueError, match="is a folder"):
        lecturer.grade(tmp_path / "hand-ins", tmp_path)


def test_equal_merit_shares_a_place() -> None:
    entries = [
        Entry("a", 9, 0.7),
        Entry("b", 9, 0.7),
        Entry("c", 10, 0.7),
        Entry("d", 9, 0.8, has_place=False),
    ]
    assert [line[1:3] for line in rows(ranked(entries))] == [["", "d"], ["1", "a"], ["1", "b"], ["3", "c"]]


@pytest.mark.parametrize(
    ("first", "second", "counts"),
    [
        ("11110000", "11110000", 6),  # nothing tells them apart: 6 to 0 would
        ("1" * 6 + "0" * 94, "0" * 100, 6),
        ("1" * 40 + "0" * 60, "0" * 30 + "1" * 30 + "0" * 40, 16),  # 30 and 20 alone: 33 to 17 would
    ],
)
def test_a_lead_counts_that_luck_rarely_brings(first: str, second: str, counts: int) -> None:
    lead = [Entry(name, 1, 0.5, right=right) for name, right in (("a", first), ("b", second))]
    assert contest.lead_that_counts(*lead) == contest.lead_that_counts(*lead[::-1]) == counts


@pytest.mark.parametrize(
    ("files", "learners"),
    [
        ("ada.zip bob.zip", 2),
        ("class/ada.zip class/bob.zip", 2),
        ("ada/1.zip ada/2.zip bob.zip", 2),
        ("ada/1.zip bob/1.zip bob/2.zip", 2),
    ],
)
def test_a_learner_is_a_folder_unless_all_lie_side_by_side(files: str, learners: int) -> None:
    paths = [Path("hand-ins", file) for file in files.split()]
    assert len({*contest.learners_of(paths, Path("hand-ins")).values()}) == learners


@pytest.mark.parametrize(
    ("disk", "arm"), [("bags_in_100_kB", "rival, 100 kB"), ("bags_in_360_kB", "rival, 360 kB")]
)
def test_the_disks_to_be_beaten_are_those_of_the_record(disk: str, arm: str) -> None:
    path = contest.OWN / f"{disk}.zip"
    run = records.table("floppy").runs("headlines", arm)[0]
    assert path.stat().st_size == run.costs["bytes"]
    assert sum(contest.judge(path)) / 720 == pytest.approx(run.scores["accuracy"], abs=3 / 720)


def test_the_sealed_headlines_of_the_course_are_new() -> None:
    texts, categories = contest.read_held_out(contest.OWN / "headlines.tsv.xz")
    assert {category: categories.count(category) for category in CATEGORIES} == dict.fromkeys(CATEGORIES, 40)
    known = {row.first for split in ("train", "test") for row in headlines(split)} | {*unlabeled("headlines")}
    assert len({*texts}) == 360 and not known & {*texts}
