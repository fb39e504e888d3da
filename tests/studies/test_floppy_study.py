"""The floppy disk: every kind of arm on a task of two words and models of a few weights."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from lib.records.subject import Subject
from studies import floppy
from studies.floppy import Rival, Stack

TINY = Rival(2, 3, 4, buckets=16)
Make = Callable[..., Subject]


@pytest.fixture
def subject(tiny: Make, monkeypatch: pytest.MonkeyPatch) -> Subject:
    monkeypatch.setitem(floppy.PLACES, "SST-2", 32)  # as many as the model of a few weights has
    return tiny("SST-2", most_steps=2)


@pytest.mark.parametrize("stack", [Stack(3, 3, 3, 3), Stack(4, 6, 2, 3, 6, 4), Stack(1, 1, 2, 2, 4, 4, 1)])
def test_a_stack_is_written_read_and_judged(stack: Stack, subject: Subject) -> None:
    found = floppy.measure_stack("tiny", stack, TINY, "all", subject)
    assert found.keys() == {"tiny", "tiny, bags beside"}
    alone, beside = found["tiny"], found["tiny, bags beside"]
    assert alone.scores.keys() == {"accuracy", "agreement"}
    assert alone.costs["bytes"] < beside.costs["bytes"]
    parts: dict[str, Any] = {name: size for name, size in beside.costs.items() if name.startswith("bytes of")}
    assert len(parts) == 6 and sum(parts.values()) == beside.costs["bytes"]
    assert floppy.measure_stack("tiny", stack, None, "labels", subject).keys() == {"tiny"}


@pytest.mark.parametrize("lessons", ["all", "labeled", "labels"])
@pytest.mark.parametrize("rival", [TINY, Rival(4), Rival(buckets=16)])
def test_a_rival_is_written_read_and_judged(rival: Rival, lessons: floppy.Lessons, subject: Subject) -> None:
    found = floppy.measure_rival(rival, lessons, subject)
    assert ("bytes of vocab.txt" in found.costs) == bool(rival.size)
    assert ("bytes of runs.safetensors" in found.costs) == bool(rival.buckets)


def test_targets_are_probabilities(subject: Subject) -> None:
    texts = floppy.training_texts(subject, "all")
    labels = floppy.targets_of(texts, "labels", subject)
    assert labels.sum(dim=1).tolist() == [1.0] * len(texts)
    assert labels.argmax(dim=1).tolist() == [text.label for text in texts]
    taught = floppy.targets_of(texts, "all", subject)
    assert taught.sum(dim=1).tolist() == pytest.approx([1.0] * len(texts))


def test_test_texts_leave_no_piece_in_the_vocabulary(subject: Subject) -> None:
    texts = floppy.training_texts(subject, "all")
    own = floppy.own_tokenizer(texts, subject.tokenizer, 1)
    assert own.tokenize("red dog") == ["red", "dog"]
    assert own.tokenize("goalkeeper")[0] == "g"  # letter by letter
    assert len(floppy.own_tokenizer(texts, subject.tokenizer, 5)) == len(own) - 2
