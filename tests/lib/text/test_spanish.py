"""The closed grammar: agreement, contractions, links, what is held out, and tables that cannot be read."""

from __future__ import annotations

from collections import Counter
from itertools import pairwise
from pathlib import Path

import pytest

from lib.text import spanish
from lib.text.spanish import PEOPLE, adjectives, is_held_out, nouns, pairs, verbs

PAIRS = pairs(3000, 0)
TEXTS = {" ".join(pair.english): " ".join(pair.spanish) for pair in PAIRS}


def test_the_same_seed_gives_the_same_pairs() -> None:
    assert pairs(50, 4) == pairs(50, 4) != pairs(50, 5)
    assert len({tuple(pair.english) for pair in PAIRS}) == len(PAIRS)


def test_every_table_can_be_read_and_names_each_thing_once() -> None:
    assert (len(nouns()), len(adjectives())) == (112, 28)
    assert sum(len(verbs(heading)) for heading in ("with object", "without object", "to a place")) == 25
    words = Counter(word for noun in nouns() for word in noun.english if word != "-")
    assert not [word for word, count in words.items() if count > 1]
    kinds = {noun.kind for noun in nouns()}
    assert {kind for one in adjectives() for kind in one.kinds} <= kinds


def test_contractions_are_made() -> None:
    for text in TEXTS.values():
        assert " a el " not in f" {text} " and " de el " not in f" {text} "
    assert any(" del " in text for text in TEXTS.values()) and any(" al " in text for text in TEXTS.values())


def test_article_adjective_and_noun_agree() -> None:
    feminine = {word for noun in nouns() if noun.feminine for word in noun.spanish}
    masculine = {word for noun in nouns() if not noun.feminine for word in noun.spanish}
    for pair in PAIRS:
        for before, noun in pairwise(pair.spanish):
            if before in ("la", "una", "esta", "las", "estas") and noun in feminine | masculine:
                assert noun in feminine, pair
            if before in ("el", "un", "este", "del", "al", "estos") and noun in feminine | masculine:
                assert noun in masculine, pair


def test_a_great_class_is_a_gran_clase_and_great_classes_are_grandes_clases() -> None:
    great = next(one for one in adjectives() if one.english == "great")
    assert great.before and great.spanish == ("gran", "gran", "grandes", "grandes")
    good = next(one for one in adjectives() if one.english == "good")
    assert good.before and good.spanish[:2] == ("buen", "buena")


def test_persons_that_are_objects_take_a_and_animals_do_not() -> None:
    people = {word for noun in nouns() if noun.kind == "person" for word in noun.spanish}
    animals = {word for noun in nouns() if noun.kind == "animal" for word in noun.spanish}
    sees = [pair.spanish for pair in PAIRS if "ve" in pair.spanish and "lo" not in pair.spanish]
    for words in sees:
        after = words[words.index("ve") + 1 :]
        if len(after) == 2 and after[1] in people | animals:
            assert (after[0] in ("al", "a")) == (after[1] in people), words


def test_some_verbs_take_a_before_animals_too() -> None:
    alive = {word for noun in nouns() if noun.kind in ("animal", *PEOPLE) for word in noun.spanish}
    marking = [one for one in verbs("with object") if one.english[0] in ("love", "follow", "help", "hear")]
    assert len(marking) == 4
    forms = {form for verb in marking for forms in verb.spanish for form in forms}
    for pair in pairs(20_000, 0):
        for before, article, noun in zip(pair.spanish, pair.spanish[1:], pair.spanish[2:], strict=False):
            assert before not in forms or article in ("a", "al") or noun not in alive, pair


def test_what_lasts_is_in_the_imperfect() -> None:
    of = {verb.english[0]: verb for heading in ("with object", "without object") for verb in verbs(heading)}
    assert of["love"].spanish[1] == ("amaba", "amaba", "amaban")
    assert of["live"].spanish[1] == ("vivía", "vivía", "vivían")


def test_no_subject_is_said_to_be_two_of_a_sort() -> None:
    sorts = {one.english: one.sort for one in adjectives()}
    predicates = [pair for pair in PAIRS if pair.english[-1] in sorts]
    assert predicates
    for pair in predicates:
        subject = pair.described[0][0] if len(pair.described) == 1 and "'s" not in pair.english else None
        assert subject is None or sorts[subject] != sorts[pair.english[-1]], pair


def test_plurals_of_mixed_groups_and_ages_of_the_family_are_left_out() -> None:
    text = " ".join(TEXTS.values()).split()
    assert not {"padres", "reyes", "hermanos", "niños", "tíos"} & set(text)
    aged = [kind for one in adjectives() if one.english in ("old", "young") for kind in one.kinds]
    assert not {"child", "family"} & set(aged)


def test_where_it_lies_fits_the_verb_and_the_place() -> None:
    for english, translated in TEXTS.items():
        assert not (" runs in " in english or (" carries " in english and " in " in english)), english
        assert "in the beach" not in english and "my river" not in english, english
        assert "corre en" not in translated and "corrió en" not in translated, translated


def test_pronouns_stand_before_the_verb_and_no_before_them() -> None:
    found = [text for english, text in TEXTS.items() if english.endswith("does not see it")]
    denied = [text for text in TEXTS.values() if " no lo " in f" {text}"]
    assert all(text.endswith("no lo ve") for text in found) and denied
    for text in TEXTS.values():
        assert not text.endswith((" lo", " los", " la no"))


def test_links_lie_within_the_sentence_and_cross_in_most() -> None:
    crossing = 0
    for pair in PAIRS:
        assert len(pair.links) == len(pair.spanish)
        assert all(0 <= place < len(pair.english) for links in pair.links for place in links)
        linked = [links for links in pair.links if links]
        crossing += any(
            min(two) < max(one) for place, one in enumerate(linked) for two in linked[place + 1 :]
        )
    assert 0.6 < crossing / len(PAIRS) < 0.9


def test_a_noun_is_linked_to_its_translation() -> None:
    of = {noun.spanish[number]: noun.english[number] for noun in nouns() for number in (0, 1)}
    for pair in PAIRS[:500]:
        for word, links in zip(pair.spanish, pair.links, strict=True):
            if word in of and len(links) == 1:
                assert pair.english[links[0]] in (of[word], "a", "the") or word in ("cocina",), pair


def test_what_is_held_out_is_in_no_other_pair() -> None:
    assert not any(is_held_out(*one) for pair in PAIRS for one in pair.described)
    unseen = pairs(100, 0, held_out=True)
    assert all(any(is_held_out(*one) for one in pair.described) for pair in unseen)
    every = [(a.english, n.english[0]) for a in adjectives() for n in nouns() if n.kind in a.kinds]
    assert 0.08 < sum(is_held_out(*one) for one in every) / len(every) < 0.12


def test_no_source_equals_its_target() -> None:
    assert not any(pair.english == pair.spanish for pair in PAIRS)


def test_a_line_that_cannot_be_read_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(spanish, "FOLDER", tmp_path)
    with pytest.raises(ValueError, match="restore data/grammar_spanish"):
        spanish._sections("nouns", 5)
    (tmp_path / "nouns.txt").write_text("[animal]\ndog dogs perro\n", encoding="utf-8")
    with pytest.raises(ValueError, match="line 2"):
        spanish._sections("nouns", 5)
