"""The public sets by their names: from a folder in the published form, or else from the hub.

    read_public("SST-2", "train", "downloads/GLUE")     a folder, its parent, or the file itself
    read_public("SST-2", "dev")                         from the hub, which takes a network

Nobody's data come with the course but its own.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from functools import partial
from pathlib import Path
from typing import Any, NamedTuple

from lib.text.tasks.conll import TaggedSentence, read_conll, read_conllu_tags
from lib.text.tasks.glue import GLUE, TextExample, read_glue
from lib.text.tasks.hub import hub_rows
from lib.text.tasks.livedoor import LIVEDOOR, read_livedoor
from lib.text.tasks.reading import Broken, Examples, decimal, whole_examples
from lib.text.tasks.squad import question_of, read_squad

HubRow = Mapping[str, Any]


class PublicSet(NamedTuple):
    """Where a public set is found, and how it is read."""

    files: Mapping[str, tuple[str, ...]]  # by split: the names that its file is published under
    read: Callable[[Path], Examples[Any]]
    hub: str
    configuration: str | None
    splits: Mapping[str, str]  # ours to the hub's
    example: Callable[[HubRow], Any]  # a row of the hub; KeyError or ValueError where it is broken


def read_public(name: str, split: str = "train", place: str | Path | None = None) -> Examples[Any]:
    """The examples of a public set: `TextExample`, `QuestionExample` or `TaggedSentence`.

    name: one of `PUBLIC`. place: the file, or the folder that it lies in, or that folder's parent; without
    one, the hub is asked. What is broken is left out, which a warning says. ValueError where the set has no
    such split, or is not found: it says where to put it.
    """
    if name not in PUBLIC:
        raise ValueError(f"There is no public set {name!r} here: use {', '.join(PUBLIC)}.")
    known = PUBLIC[name]
    if split not in known.files:
        raise ValueError(f"{name} has no split {split!r}: use {', '.join(known.files)}.")
    if place is not None:
        return known.read(_file_of(name, split, Path(place)))
    otherwise = f"name a folder that holds {known.files[split][0]} of {name}"
    rows = hub_rows(known.hub, known.configuration, known.splits[split], otherwise)
    return whole_examples(f"{known.hub} on the hub", _examples(rows, known.example), f"{name} as it was")


def _file_of(name: str, split: str, place: Path) -> Path:
    names = PUBLIC[name].files[split]
    if place.is_file():
        return place
    for folder in (place, place / name):
        for file in names:
            if (folder / file).exists():
                return folder / file
    raise ValueError(
        f"There is no {' or '.join(names)} in {place} or in {place / name}: put {name} there as it was "
        "published, or give no folder, and the hub is asked."
    )


def _examples(rows: Iterator[HubRow], example: Callable[[HubRow], Any]) -> Iterator[Any]:
    for number, row in enumerate(rows, start=1):
        try:
            yield example(row)
        except (KeyError, ValueError, TypeError) as error:
            yield Broken(f"row {number}", f"it lacks something ({type(error).__name__}: {error})")


# --- rows of the hub ------------------------------------------------------------------------------


def _text(columns: tuple[str, str | None], classes: tuple[str, ...], row: HubRow) -> TextExample:
    """A text or a pair, with the label by its place in `classes`, or as it is where there are none."""
    first, second = columns
    label = row["label"]
    if not classes and label is not None:
        label = None if label < 0 else decimal(label)
    elif label is not None:
        label = classes.index(label)
    return TextExample(row[first], row[second] if second else None, label)


def _tags(column: str, row: HubRow) -> TaggedSentence:
    # "_" is the tag of a contraction as a whole, whose parts follow
    pairs = [(word, tag) for word, tag in zip(row["tokens"], row[column], strict=True) if tag != "_"]
    return TaggedSentence([word for word, _ in pairs], [tag for _, tag in pairs])


def _article(row: HubRow) -> TextExample:
    return TextExample(row["title"], row["content"], LIVEDOOR.index(row["category"]))


# --- the sets -------------------------------------------------------------------------------------

HUB_SPLITS = {"train": "train", "dev": "validation", "test": "test"}
#: of GLUE on the hub: configuration, columns, and the names of the classes in the order of their numbers
GLUE_ON_HUB: dict[str, tuple[str, tuple[str, str | None], tuple[str, ...]]] = {
    "CoLA": ("cola", ("sentence", None), ("unacceptable", "acceptable")),
    "SST-2": ("sst2", ("sentence", None), ("negative", "positive")),
    "MRPC": ("mrpc", ("sentence1", "sentence2"), ("not_equivalent", "equivalent")),
    "STS-B": ("stsb", ("sentence1", "sentence2"), ()),
    "QQP": ("qqp", ("question1", "question2"), ("not_duplicate", "duplicate")),
    "MNLI": ("mnli", ("premise", "hypothesis"), GLUE["MNLI"].classes),
    "QNLI": ("qnli", ("question", "sentence"), GLUE["QNLI"].classes),
    "RTE": ("rte", ("sentence1", "sentence2"), GLUE["RTE"].classes),
    "WNLI": ("wnli", ("sentence1", "sentence2"), ("not_entailment", "entailment")),
}
MATCHED = {
    "train": "train", "dev_matched": "validation_matched", "test_matched": "test_matched",
    "dev_mismatched": "validation_mismatched", "test_mismatched": "test_mismatched",
}  # fmt: skip


def _glue(task: str) -> PublicSet:
    configuration, columns, classes = GLUE_ON_HUB[task]
    splits = MATCHED if task == "MNLI" else HUB_SPLITS
    return PublicSet(
        {split: (f"{split}.tsv",) for split in splits},
        partial(read_glue, task=task),
        "nyu-mll/glue",
        configuration,
        splits,
        partial(_text, columns, classes),
    )


def _squad(version: str, hub: str) -> PublicSet:
    files = {split: (f"{split}-v{version}.json",) for split in ("train", "dev")}
    return PublicSet(files, read_squad, hub, None, HUB_SPLITS, question_of)


PUBLIC: dict[str, PublicSet] = {
    **{task: _glue(task) for task in GLUE},
    "SQuAD 1.1": _squad("1.1", "rajpurkar/squad"),
    "SQuAD 2.0": _squad("2.0", "rajpurkar/squad_v2"),
    "CoNLL-2003": PublicSet(
        {
            "train": ("eng.train", "train.txt"),
            "dev": ("eng.testa", "valid.txt"),
            "test": ("eng.testb", "test.txt"),
        },
        read_conll,
        "eriktks/conll2003",
        None,
        HUB_SPLITS,
        partial(_tags, "ner_tags"),
    ),
    "WNUT17": PublicSet(
        {
            "train": ("wnut17train.conll",),
            "dev": ("emerging.dev.conll",),
            "test": ("emerging.test.annotated",),
        },
        read_conll,
        "leondz/wnut_17",
        None,
        HUB_SPLITS,
        partial(_tags, "ner_tags"),
    ),
    "livedoor": PublicSet(
        {"all": ("ldcc-20140209.tar.gz", "livedoor-text.tar.gz", "text")},
        read_livedoor,
        "llm-book/livedoor-news-corpus",
        None,
        {"all": "all"},
        _article,
    ),
    "EWT": PublicSet(
        {
            split: (f"en_ewt-ud-{split}.conllu", f"en_ewt-ud-{split}.conllu.gz")
            for split in ("train", "dev", "test")
        },
        read_conllu_tags,
        "universal-dependencies/universal_dependencies",
        "en_ewt",
        HUB_SPLITS,
        partial(_tags, "upos"),
    ),
}
