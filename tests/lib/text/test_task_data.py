"""The course's own task data: whole, balanced, without near-duplicates, its spans, tags and grades valid."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator
from typing import Any, Literal

import pytest

from lib.analysis.prediction.spans import entity_spans
from lib.text.tasks import own

SPLITS: tuple[own.Split, ...] = ("train", "test")
SIZES = {
    "reviews": (1200, 400), "plain_reviews": (4260, 400), "headlines": (1080, 720), "pairs": (700, 300),
    "entities": (350, 150), "passages": (280, 120), "stories": (200, 100),
}  # fmt: skip
UNLABELED: tuple[Literal["reviews", "headlines"], ...] = ("reviews", "headlines")
READERS: dict[str, Callable[..., list[Any]]] = {name: getattr(own, name) for name in SIZES}


def words_of(text: str) -> list[str]:
    return re.findall(r"[a-z0-9']+", text.lower())


def items() -> Iterator[tuple[str, str]]:
    """Every text of a task that has to be unlike all others, with the name of its task."""
    for split in SPLITS:
        for name in ("reviews", "headlines"):
            yield from ((name, example.first) for example in READERS[name](split))
        # the shortest say what many others say too: "great movie"
        plain = own.plain_reviews(split)
        yield from (("plain reviews", one.first) for one in plain if len(words_of(one.first)) >= 8)
        # the two texts of a pair are alike on purpose, so that one of them stands for both
        yield from (("pairs", example.first) for example in own.pairs(split))
        yield from (("entities", " ".join(sentence.words)) for sentence in own.entities(split))
        yield from (("stories", example.context) for example in own.stories(split))
        yield from (("passages", context) for context in {q.context for q in own.passages(split)})
        yield from (("questions", example.question) for example in own.passages(split))
    for task in UNLABELED:
        yield from ((task, text) for text in own.unlabeled(task))


def near_duplicates(texts: Iterable[str]) -> list[tuple[str, str]]:
    """Pairs that share more than half of the triples of words of the one that has fewer."""
    having: defaultdict[tuple[str, ...], list[int]] = defaultdict(list)
    kept: list[tuple[str, int]] = []
    found = []
    for text in texts:
        words = words_of(text)
        triples = {tuple(words[place : place + 3]) for place in range(max(1, len(words) - 2))}
        shared = Counter(number for triple in triples for number in having[triple])
        found += [
            (kept[number][0], text)
            for number, count in shared.items()
            if count > 0.5 * min(len(triples), kept[number][1])
        ]
        for triple in triples:
            having[triple].append(len(kept))
        kept.append((text, len(triples)))
    return found


def test_near_duplicates_are_seen() -> None:
    one = "the driver waited at the last stop"
    assert near_duplicates([one, "a cat slept on the warm roof"]) == []
    assert near_duplicates([one, "the driver waited at the corner"]) == [
        (one, "the driver waited at the corner")
    ]
    assert near_duplicates(["too late", "too late"]) == [("too late", "too late")]


def test_nothing_is_written_twice() -> None:
    by_task: defaultdict[str, list[str]] = defaultdict(list)
    for name, text in items():
        by_task[name].append(text)
    found = {name: near_duplicates(texts) for name, texts in by_task.items()}
    assert not any(found.values()), found


@pytest.mark.parametrize("name", SIZES)
def test_every_split_has_its_size(name: str) -> None:
    assert tuple(len(READERS[name](split)) for split in SPLITS) == SIZES[name]


def test_no_plain_review_is_there_twice() -> None:
    texts = [" ".join(words_of(one.first)) for split in SPLITS for one in own.plain_reviews(split)]
    assert len({*texts}) == len(texts)


def test_unlabeled_texts_are_there() -> None:
    assert len(own.unlabeled("reviews")) >= 5000
    assert len(own.unlabeled("headlines")) >= 2000


@pytest.mark.parametrize("split", SPLITS)
def test_classes_are_balanced(split: own.Split) -> None:
    for name in ("reviews", "plain_reviews", "headlines", "pairs"):
        counts = Counter(example.label for example in READERS[name](split))
        assert len(set(counts.values())) == 1, (name, counts)
    for stories in (own.stories(split, "honest"), own.stories(split, "cue")):
        counts = Counter(example.label for example in stories)
        assert max(counts.values()) - min(counts.values()) <= 1, counts


@pytest.mark.parametrize("split", SPLITS)
def test_grades_agree_with_the_classes(split: own.Split) -> None:
    for graded, paired in zip(own.graded_pairs(split), own.pairs(split), strict=True):
        assert graded[:2] == paired[:2]
        assert isinstance(graded.label, float)
        assert 3.5 <= graded.label <= 5 if paired.label else 0 <= graded.label <= 2.5


@pytest.mark.parametrize("split", SPLITS)
def test_tags_are_valid(split: own.Split) -> None:
    sentences = own.entities(split)
    kinds = Counter(kind for sentence in sentences for kind, _, _ in entity_spans(sentence.tags))
    assert sorted(kinds) == ["DATE", "LOC", "ORG", "PER"]
    for sentence in sentences:
        assert set(sentence.tags) <= set(own.ENTITY_TAGS)
        for before, tag in zip(["O", *sentence.tags], sentence.tags, strict=False):
            assert not tag.startswith("I-") or before[2:] == tag[2:], sentence
    assert min(kinds.values()) > 0.1 * sum(kinds.values())


@pytest.mark.parametrize("split", SPLITS)
def test_answers_stand_in_their_paragraphs(split: own.Split) -> None:
    questions = own.passages(split)
    for question in questions:
        for answer in question.answers:
            assert question.context[answer.start :].startswith(answer.text)
            assert 1 <= len(answer.text.split()) <= 10
    assert sum(not question.answers for question in questions) == len(questions) // 5
    by_paragraph = Counter(question.context for question in questions)
    assert set(by_paragraph.values()) == {5}


def test_no_paragraph_is_in_both_splits() -> None:
    train, test = ({question.context for question in own.passages(split)} for split in SPLITS)
    assert not train & test


def test_texts_are_clean() -> None:
    for name, text in items():
        assert text == " ".join(text.split()), (name, text)
        assert text.isascii(), (name, text)
        assert 2 <= len(words_of(text)) <= 160, (name, text)


def test_the_planted_cue_is_in_wrong_endings_alone() -> None:
    cues = {"never", "refused", "hated", "nothing"}
    counts = {"right": 0, "wrong": 0}
    for split in SPLITS:
        for story in own.stories(split, "cue"):
            assert story.label is not None
            for place, choice in enumerate(story.choices):
                has_cue = bool(cues & set(words_of(choice)))
                counts["right" if place == story.label else "wrong"] += has_cue
    assert counts["right"] == 0
    assert counts["wrong"] >= 90
