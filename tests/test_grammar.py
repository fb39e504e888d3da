"""The grammar: every parse is a tree, verbs agree, pronouns mean somebody, and the seed decides."""

from collections import Counter
from pathlib import Path

import pytest

from lib.text import grammar
from lib.text.grammar import Sentence, Story
from lib.text.grammar.lexicon import words
from lib.text.treebank import Parse, read_conllu, write_conllu

TAGS = words("ADJ ADP ADV AUX CCONJ DET INTJ NOUN NUM PART PRON PROPN PUNCT SCONJ SYM VERB X")
# Universal Dependencies 2, with the subtypes of its English treebanks.
RELATIONS = words(
    """nsubj nsubj:pass obj iobj obl obl:agent obl:unmarked aux aux:pass cop det amod nmod nmod:poss nummod
    case acl acl:relcl advmod advcl conj cc mark ccomp xcomp punct root compound compound:prt expl flat"""
)
SEEDS = (0, 1, 2)


@pytest.fixture(scope="module")
def sentences() -> list[Sentence]:
    return [sentence for seed in SEEDS for sentence in grammar.sentences(300, seed)]


@pytest.fixture(scope="module")
def stories() -> list[Story]:
    return [story for seed in SEEDS for story in grammar.stories(80, seed)]


@pytest.fixture(scope="module")
def everything(sentences: list[Sentence], stories: list[Story]) -> list[Sentence]:
    return sentences + [sentence for story in stories for sentence in story.sentences]


# --- trees ----------------------------------------------------------------------------------------


def ancestors(parse: Parse, word: int) -> list[int]:
    """The word, its governor, and so on up to the root; raises where that never ends."""
    found = [word]
    while (governor := parse.governors[found[-1]]) != -1:
        assert governor not in found, "a circle"
        found.append(governor)
    return found


def test_every_parse_is_a_tree(everything: list[Sentence]) -> None:
    for sentence in everything:
        parse = sentence.parse
        assert len({len(column) for column in parse}) == 1
        assert parse.governors.count(-1) == 1 and parse.relations.count("root") == 1
        root = parse.governors.index(-1)
        assert parse.relations[root] == "root"
        for word, governor in enumerate(parse.governors):
            assert -1 <= governor < len(parse.words) and governor != word
            assert ancestors(parse, word)[-1] == root


def test_no_two_links_cross(everything: list[Sentence]) -> None:
    for sentence in everything:
        parse = sentence.parse
        for word, governor in enumerate(parse.governors):
            if governor >= 0:
                low, high = sorted((word, governor))
                assert all(governor in ancestors(parse, between) for between in range(low + 1, high))


def test_labels_are_those_of_universal_dependencies(everything: list[Sentence]) -> None:
    assert {tag for sentence in everything for tag in sentence.parse.tags} <= TAGS
    relations = Counter(name for sentence in everything for name in sentence.parse.relations)
    assert set(relations) <= RELATIONS
    asked = (
        "nsubj nsubj:pass obj iobj obl obl:agent aux aux:pass cop det amod nmod nmod:poss case acl:relcl "
        "advmod conj cc mark ccomp xcomp advcl punct root"
    )
    assert all(relations[name] >= 20 for name in asked.split()), relations


def test_tags_and_relations_go_together(everything: list[Sentence]) -> None:
    allowed = {
        "det": {"DET"},
        "amod": {"ADJ"},
        "case": {"ADP", "PART"},
        "aux": {"AUX"},
        "aux:pass": {"AUX"},
        "cop": {"AUX"},
        "punct": {"PUNCT"},
        "cc": {"CCONJ"},
        "mark": {"SCONJ", "PART"},
        "nummod": {"NUM"},
        "nsubj": {"NOUN", "PROPN", "PRON"},
        "obj": {"NOUN", "PROPN", "PRON"},
        "iobj": {"NOUN", "PROPN", "PRON"},
        "nmod:poss": {"NOUN", "PROPN", "PRON"},
        "obl:agent": {"NOUN", "PROPN", "PRON"},
    }
    for sentence in everything:
        for tag, relation in zip(sentence.parse.tags, sentence.parse.relations, strict=True):
            assert tag in allowed.get(relation, {tag}), (sentence.text, tag, relation)


def test_a_file_gives_the_parses_back(everything: list[Sentence], tmp_path: Path) -> None:
    parses = [sentence.parse for sentence in everything]
    write_conllu(parses, tmp_path / "x.conllu")
    assert read_conllu(tmp_path / "x.conllu") == parses
