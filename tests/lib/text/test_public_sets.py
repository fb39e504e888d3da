"""Public sets as they are published: from folders, from the hub, and with broken parts."""

import gzip
import io
import tarfile
import warnings
from pathlib import Path
from typing import Any

import datasets
import pytest
from datasets import ClassLabel, Dataset, Features, List, Value

from lib.text import tasks
from lib.text.tasks import GLUE, LIVEDOOR, PUBLIC, TaggedSentence, TextExample, read_public
from lib.text.tasks.hub import CONVERTED

SENTENCE = "1\tCats\tcat\tNOUN\t_\t_\t2\tnsubj\t_\t_\n2\tsleep\tsleep\tVERB\t_\t_\t0\troot\t_\t_\n"


def written(path: Path, text: str) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(text.encode())
    return path


# --- broken parts ---------------------------------------------------------------------------------


def test_broken_rows_are_left_out_counted_and_named(tmp_path) -> None:
    path = written(tmp_path / "train.tsv", "sentence\tlabel\ngood\t1\nno label\nbad\t0\nodd\t7\nfine\t1\n")
    with pytest.warns(UserWarning, match=r"2 of 5 examples of .*train.tsv are broken.* line 3: it has 1 col"):
        found = tasks.read_glue(path, "SST-2")
    assert [example.first for example in found] == ["good", "bad", "fine"]
    assert [one.where for one in found.broken] == ["line 3", "line 5"]
    assert found.broken[1].why == "'7' is none of the labels 0, 1"


def test_nothing_is_said_of_a_whole_file(tmp_path) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        found = tasks.read_glue(written(tmp_path / "dev.tsv", "sentence\tlabel\ngood\t1\n"), "SST-2")
    assert found.broken == () and found == [TextExample("good", None, 1)]


def test_conllu_gives_parts_of_speech(tmp_path) -> None:
    packed = tmp_path / "en.conllu.gz"
    text = f"# a comment\n{SENTENCE}\n{SENTENCE}\n1\tbroken\n\n"
    packed.write_bytes(gzip.compress(text.encode()))
    with pytest.warns(UserWarning, match="1 of 3 .* sentence of line 8: This is no line of CoNLL-U"):
        found = tasks.read_conllu_tags(packed)
    assert found == [TaggedSentence(["Cats", "sleep"], ["NOUN", "VERB"])] * 2
    with pytest.raises(ValueError, match="is not a CoNLL-U file"):
        tasks.read_conllu_tags(written(tmp_path / "b", "the\tO\n"))


@pytest.mark.parametrize("counter", ["１", "1_0", "0x1", "one", "", "1-", "1."])
def test_a_counter_of_conllu_that_is_none_is_named(counter, tmp_path) -> None:
    broken = SENTENCE.replace("2\tsleep", f"{counter}\tsleep")
    path = written(tmp_path / "a", f"{SENTENCE} \t\n{broken}\n{SENTENCE}")
    with pytest.warns(UserWarning, match=f"1 of 3 .* sentence of line 4: '{counter}' is no number of a word"):
        assert tasks.read_conllu_tags(path) == [TaggedSentence(["Cats", "sleep"], ["NOUN", "VERB"])] * 2


# --- livedoor -------------------------------------------------------------------------------------

ARTICLE = "http://news.livedoor.com/1/\n2012-09-01T10:00:00+0900\n題名\n本文一。\n本文二。\n"


def archive(path: Path, **files: str | bytes) -> Path:
    with tarfile.open(path, "w:gz") as packed:
        for name, content in files.items():
            content = content.encode() if isinstance(content, str) else content
            member = tarfile.TarInfo(name.replace("__", "/") + ".txt")
            member.size = len(content)
            packed.addfile(member, io.BytesIO(content))
        link = tarfile.TarInfo("text/peachy/peachy-9.txt")
        link.type, link.linkname = tarfile.SYMTYPE, "/etc/passwd"
        packed.addfile(link)
    return path


def test_livedoor_is_read_in_place(tmp_path) -> None:
    files = {
        "text__peachy__LICENSE": "no article",
        "text__README": "no article",
        "text__peachy__peachy-1": ARTICLE,
        "..__..__smax__smax-2": ARTICLE,
        "text__topic-news__topic-news-3": "http://x/\n2012\n題名",
    }
    path = archive(tmp_path / "ldcc-20140209.tar.gz", **files)
    with pytest.warns(UserWarning, match=r"1 of 3 .* text/topic-news/topic-news-3.txt: it lacks"):
        found = tasks.read_livedoor(path)
    assert found == [
        TextExample("題名", "本文一。\n本文二。", LIVEDOOR.index(name)) for name in ("peachy", "smax")
    ]
    assert [path.name for path in tmp_path.iterdir()] == ["ldcc-20140209.tar.gz"]


def test_livedoor_is_read_from_its_folder(tmp_path) -> None:
    written(tmp_path / "text" / "smax" / "smax-1.txt", ARTICLE)
    written(tmp_path / "text" / "smax" / "LICENSE.txt", "no article")
    assert [one.label for one in tasks.read_livedoor(tmp_path)] == [LIVEDOOR.index("smax")]
    assert read_public("livedoor", "all", tmp_path) == tasks.read_livedoor(tmp_path / "text")


def test_what_is_not_livedoor_is_refused(tmp_path) -> None:
    with pytest.raises(ValueError, match=r"There is nothing at .*ldcc-20140209"):
        tasks.read_livedoor(tmp_path / "none")
    with pytest.raises(ValueError, match="holds no example: give the livedoor corpus"):
        tasks.read_livedoor(archive(tmp_path / "other.tar.gz", text__other=ARTICLE))
    whole = archive(tmp_path / "whole.tar.gz", **{f"text__smax__smax-{n}": ARTICLE * 50 for n in range(9)})
    cut = tmp_path / "cut.tar.gz"
    cut.write_bytes(whole.read_bytes()[:-60])
    for path in (cut, written(tmp_path / "text.tar.gz", "no archive")):
        with pytest.raises(ValueError, match="cannot be unpacked"):
            tasks.read_livedoor(path)


# --- folders --------------------------------------------------------------------------------------


def test_a_set_is_found_in_a_folder_or_its_parent(tmp_path) -> None:
    file = written(tmp_path / "GLUE" / "SST-2" / "dev.tsv", "sentence\tlabel\ngood\t1\n")
    for place in (tmp_path / "GLUE", file.parent, file):
        assert read_public("SST-2", "dev", place) == [TextExample("good", None, 1)]
    with pytest.raises(ValueError, match=r"There is no train.tsv in .* put SST-2 there as it was published"):
        read_public("SST-2", "train", tmp_path / "GLUE")
    with pytest.raises(ValueError, match=r"There is no eng.testa or valid.txt"):
        read_public("CoNLL-2003", "dev", tmp_path)


def test_names_and_splits_that_are_not_there_are_refused() -> None:
    with pytest.raises(ValueError, match="There is no public set 'SST2' here: use CoLA, SST-2"):
        read_public("SST2")
    with pytest.raises(
        ValueError, match="MNLI has no split 'dev': use train, dev_matched, test_matched, dev_m"
    ):
        read_public("MNLI", "dev")


# --- the hub --------------------------------------------------------------------------------------


class Hub:
    """Stands in for `datasets.load_dataset`: its sets by name, configuration and split."""

    def __init__(self) -> None:
        self.sets: dict[tuple[str, str | None, str], Dataset] = {}
        self.scripted: set[str] = set()

    def __call__(
        self, name: str, configuration: str | None, *, split: str, revision: str = "main"
    ) -> Dataset:
        if name in self.scripted and revision != CONVERTED:
            raise RuntimeError(f"Dataset scripts are no longer supported, but found {name}.py")
        if (name, configuration, split) not in self.sets:
            raise ConnectionError(f"Couldn't reach {name!r} on the Hub (offline).\nmore")
        return self.sets[name, configuration, split]


@pytest.fixture
def hub(monkeypatch) -> Hub:
    standing_in = Hub()
    monkeypatch.setattr(datasets, "load_dataset", standing_in)
    return standing_in


def test_without_folder_and_network_one_sentence_says_what_to_do(hub) -> None:
    for name, known in PUBLIC.items():
        split = next(iter(known.files))
        with pytest.raises(
            ValueError, match=r"could not be had from the hub .*offline.*: check the net"
        ) as error:
            read_public(name, split)
        assert f"or name a folder that holds {known.files[split][0]} of {name}." in str(error.value)
        assert "\n" not in str(error.value)


@pytest.mark.parametrize("task", [task for task, form in GLUE.items() if form.classes])
def test_classes_of_glue_come_as_their_numbers(task, hub) -> None:
    # as https://huggingface.co/datasets/nyu-mll/glue has them
    configuration, first, second, classes = {
        "CoLA": ("cola", "sentence", None, ["unacceptable", "acceptable"]),
        "SST-2": ("sst2", "sentence", None, ["negative", "positive"]),
        "MRPC": ("mrpc", "sentence1", "sentence2", ["not_equivalent", "equivalent"]),
        "QQP": ("qqp", "question1", "question2", ["not_duplicate", "duplicate"]),
        "MNLI": ("mnli", "premise", "hypothesis", ["entailment", "neutral", "contradiction"]),
        "QNLI": ("qnli", "question", "sentence", ["entailment", "not_entailment"]),
        "RTE": ("rte", "sentence1", "sentence2", ["entailment", "not_entailment"]),
        "WNLI": ("wnli", "sentence1", "sentence2", ["not_entailment", "entailment"]),
    }[task]
    rows: dict[str, list[Any]] = {first: ["a", "b", "c"], "label": [1, 0, -1], "idx": [0, 1, 2]}
    features: dict[str, Any] = {
        first: Value("string"),
        "label": ClassLabel(names=classes),
        "idx": Value("int32"),
    }
    if second:
        rows[second], features[second] = ["x", "y", "z"], Value("string")
    split = {"MNLI": ("dev_mismatched", "validation_mismatched")}.get(task, ("dev", "validation"))
    hub.sets["nyu-mll/glue", configuration, split[1]] = Dataset.from_dict(rows, features=Features(features))
    seconds = ["x", "y", "z"] if second else [None] * 3
    assert read_public(task, split[0]) == [
        TextExample(*row) for row in zip(["a", "b", "c"], seconds, [1, 0, None], strict=True)
    ]


def test_grades_of_the_hub_are_numbers(hub) -> None:
    rows = {"sentence1": ["a", "b"], "sentence2": ["c", "d"], "label": [3.25, -1.0]}
    hub.sets["nyu-mll/glue", "stsb", "test"] = Dataset.from_dict(rows)
    assert read_public("STS-B", "test") == [TextExample("a", "c", 3.25), TextExample("b", "d", None)]


def test_questions_of_the_hub_are_those_of_the_file(hub) -> None:
    rows: dict[str, list[Any]] = {
        "id": ["a", "b", "c"],
        "title": [""] * 3,
        "context": ["The cat sat."] * 3,
        "question": ["Who?", "Why?", "Where?"],
        "answers": [{"text": ["cat"], "answer_start": [4]}, {"text": [], "answer_start": []},
                    {"text": ["mat"], "answer_start": [0]}],
    }  # fmt: skip
    hub.sets["rajpurkar/squad_v2", None, "validation"] = Dataset.from_dict(rows)
    with pytest.warns(
        UserWarning, match="1 of 3 examples of rajpurkar/squad_v2 on the hub .* question c: its"
    ):
        found = read_public("SQuAD 2.0", "dev")
    assert found == [
        ("a", "Who?", "The cat sat.", (("cat", 4),), False),
        ("b", "Why?", "The cat sat.", (), False),
    ]


@pytest.mark.parametrize(
    ("name", "hub_name", "configuration", "column", "classes", "tags"),
    [
        ("CoNLL-2003", "eriktks/conll2003", None, "ner_tags", ["O", "B-PER", "I-PER"], ["B-PER", "O"]),
        ("WNUT17", "leondz/wnut_17", None, "ner_tags", ["O", "B-person"], ["B-person", "O"]),
        ("EWT", "universal-dependencies/universal_dependencies", "en_ewt", "upos",
         ["NOUN", "VERB", "_"], ["NOUN", "VERB"]),
    ],
)  # fmt: skip
def test_tags_of_the_hub_come_by_name(name, hub_name, configuration, column, classes, tags, hub) -> None:
    features = Features({"tokens": List(Value("string")), column: List(ClassLabel(names=classes))})
    rows = {"tokens": [["Ann", "ran"]], column: [[classes.index(tag) for tag in tags]]}
    if "_" in classes:
        rows = {"tokens": [["Ann's", "Ann", "'s"]], column: [[2, 0, 1]]}
    hub.sets[hub_name, configuration, "train"] = Dataset.from_dict(rows, features=features)
    hub.scripted.add(hub_name)
    assert read_public(name) == [(rows["tokens"][0][-2:], tags)]


def test_livedoor_of_the_hub(hub) -> None:
    rows = {"title": ["題"], "content": ["本文"], "category": ["smax"]}
    hub.sets["llm-book/livedoor-news-corpus", None, "all"] = Dataset.from_dict(rows)
    assert read_public("livedoor", "all") == [TextExample("題", "本文", LIVEDOOR.index("smax"))]


def test_a_set_of_other_columns_is_refused(hub) -> None:
    hub.sets["nyu-mll/glue", "sst2", "train"] = Dataset.from_dict({"text": ["a"], "label": [0]})
    with pytest.raises(ValueError, match=r"nyu-mll/glue on the hub is not SST-2 .* row 1: it lacks"):
        read_public("SST-2")
