"""The reader's text keeps its format, and its marks point where they say."""

import gzip
import re
from collections import Counter, defaultdict

import pytest

from lib.text import documents, reader, senses
from lib.text.reader import FOLDER
from lib.text.wikitext import wikitext


def test_about_thirty_thousand_words_in_titled_documents() -> None:
    texts = reader()
    count = sum(len(paragraph.split()) for text in texts for paragraph in text)
    assert 30_000 < count < 35_000
    assert f"{count:,} words in {len(texts)} documents" in (FOLDER / "README.md").read_text(encoding="utf-8")
    titles = [text[0] for text in texts]
    assert len(set(titles)) == len(titles)
    assert all(len(title.split()) <= 14 and not title.endswith(".") for title in titles)
    assert all(len(text) > 3 for text in texts)


@pytest.mark.parametrize("path", sorted(FOLDER.glob("*.txt")), ids=lambda path: path.name)
def test_plain_text(path) -> None:
    text = path.read_text(encoding="utf-8")
    assert text.isascii() and text.endswith("\n") and "\n\n\n" not in text and "\t" not in text


def test_every_mark_points_at_its_sentence() -> None:
    lines = {path.name: path.read_text(encoding="utf-8").split("\n") for path in FOLDER.glob("*.txt")}
    for mark in senses():
        assert mark.sentence in lines[mark.file][mark.line - 1], mark
        here = [word.lower() for word in re.findall(r"[A-Za-z]+", mark.sentence)]
        assert here.count(mark.word) == 1, mark


def test_twenty_words_in_two_senses_at_least() -> None:
    counts = Counter((mark.word, mark.sense) for mark in senses())
    by_word = defaultdict(list)
    for (word, _), count in counts.items():
        by_word[word].append(count)
    assert len(by_word) >= 20
    assert all(len(found) >= 2 and min(found) >= 5 for found in by_word.values())
    card = (FOLDER / "README.md").read_text(encoding="utf-8")
    stated = " ".join(card.split())
    for (word, sense), count in counts.items():
        listed = re.search(rf"\b{word} \(([^)]*)\)", stated)
        assert listed and f"{sense} {count}" in listed[1].split(", "), (word, sense, count)


def test_no_sentence_is_marked_twice() -> None:
    assert max(Counter((mark.word, mark.sentence) for mark in senses()).values()) == 1


def test_the_cast_has_its_words_here() -> None:
    text = " ".join(paragraph.lower() for document in reader() for paragraph in document)
    for phrase in (
        "teddy",
        "president",
        "kids",
        "presents",
        "paris is the capital of france",
        "i love this class",
    ):
        assert phrase in text


def test_documents_of_files_and_folders(tmp_path) -> None:
    (tmp_path / "b.txt").write_text("one\ntwo\n\n\nthree\n", encoding="utf-8")
    with gzip.open(tmp_path / "a.txt.gz", "wt", encoding="utf-8") as file:
        file.write("\n\nzero\n")
    (tmp_path / "notes.md").write_text("not this\n", encoding="utf-8")
    assert list(documents(tmp_path)) == [["zero"], ["one", "two"], ["three"]]
    assert list(documents(tmp_path / "b.txt")) == [["one", "two"], ["three"]]


def test_no_text_is_said_in_one_sentence(tmp_path) -> None:
    with pytest.raises(ValueError, match=r"There is no text at .*: name a"):
        list(documents(tmp_path))


@pytest.mark.parametrize(
    ("name", "content"),
    [
        ("torn.txt.gz", gzip.compress(b"one\ntwo\n" * 999)[:-9]),
        ("plain.txt.gz", b"one\ntwo\n"),
        ("latin.txt", "caf\u00e9\n".encode("latin-1")),
    ],
    ids=["torn", "not packed", "not UTF-8"],  # what gzip writes holds the time of day
)
def test_a_file_that_cannot_be_read_is_named(tmp_path, name, content) -> None:
    (tmp_path / name).write_bytes(content)
    with pytest.raises(ValueError, match=rf"{name} cannot be read \(.*\): give a whole file of UTF-8"):
        list(documents(tmp_path))


def test_a_data_set_of_the_hub_is_streamed_by_name(tmp_path) -> None:
    """The library takes a folder for a name, and streams it as it would the hub."""
    rows = ['{"text": "one\\n\\ntwo "}', '{"text": "\\n"}', '{"text": null}', '{"text": "three"}']
    (tmp_path / "train.jsonl").write_text("\n".join(rows) + "\n", encoding="utf-8")
    assert list(documents(f"hub:{tmp_path}")) == [["one", "two"], ["three"]]
    (tmp_path / "train.jsonl").write_text('{"body": "one"}\n', encoding="utf-8")
    with pytest.raises(ValueError, match=r"no column 'text', only body: use one"):
        list(documents(f"hub:{tmp_path}"))


def test_a_data_set_that_cannot_be_opened_is_said_in_one_sentence(monkeypatch: pytest.MonkeyPatch) -> None:
    import datasets

    monkeypatch.setattr(datasets.config, "HF_HUB_OFFLINE", True)
    with pytest.raises(ValueError, match=r"'no-such/set' could not be opened \(.*\): check its name"):
        list(documents("hub:no-such/set:plain"))


def test_wikitext_becomes_text_again(tmp_path) -> None:
    lines = ["", " = First = ", "", " It 's 0 @.@ 7 – 2 @,@ 500 well @-@ kept <unk> . ", " = = Then = = ", ""]
    lines += [" They did n't . ", "", " = Second one = ", " Here . ", ""]
    (tmp_path / "valid.txt").write_text("\n".join(lines), encoding="utf-8")
    assert list(wikitext(tmp_path / "valid.txt")) == [
        ["It's 0.7 – 2,500 well-kept [UNK] .", "They didn't ."],
        ["Here ."],
    ]
