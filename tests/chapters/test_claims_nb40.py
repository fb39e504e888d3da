"""The eight claims of notebook 40, the docket, and what a reader may leave out."""

import re

import pytest

from chapters.nb40 import claims, docket, tables
from chapters.nb40.sums import points_and_percent, retention
from lib import root
from lib.errata import DOUBTS


def test_half_of_the_claims_hold() -> None:
    assert [claim.holds for claim in claims.CLAIMS.values()].count(True) == 4


def test_what_holds_comes_out_as_printed() -> None:
    printed = {"B": ["76.6", "85.2"], "D": [], "E": ["99.6%"], "G": ["60"]}
    for letter, figures in printed.items():
        claim = claims.CLAIMS[letter]
        assert all(figure in claim.says and figure in claim.compute() for figure in figures)


def test_what_does_not_hold_comes_out_otherwise() -> None:
    computed = {"A": "24.5 M other weights all stay", "C": "82.1", "F": "3.53 times", "H": "9 tasks"}
    for letter, figure in computed.items():
        assert figure in claims.CLAIMS[letter].compute() and figure not in claims.CLAIMS[letter].says


def test_a_shared_layer_is_counted_once() -> None:
    claim = claims.CLAIMS["D"]
    assert "12 M" in claim.says and claim.compute().endswith("11.68 M")


def test_what_sections_ask_is_not_told_before() -> None:
    told = " ".join(claims.told(letter, 0) for letter in claims.CLAIMS)
    assert not any(answer in told for answer in ("3.8 times", "4.6", "WNLI"))


def test_a_claim_is_told_with_its_vote_and_its_sum() -> None:
    said, computed = claims.told("E", 7).splitlines()
    assert said.startswith("E: GhostBERT") and said.endswith("(said to hold by 7)")
    assert computed == f"    computed: {claims.CLAIMS['E'].compute()}"


@pytest.mark.parametrize(
    ("hands", "word"), [({"A": 1}, "A, B, C"), (dict.fromkeys("ABCDEFGH", 4), "4 hands")]
)
def test_hands_that_cannot_be_get_a_sentence(hands: dict[str, int], word: str) -> None:
    with pytest.raises(ValueError, match=word):
        claims.validate_hands(hands, 3)


def test_the_rows_of_the_keynote_have_its_averages() -> None:
    means = [sum(row.values()) / len(row) for row in (tables.BERT, tables.DISTILBERT)]
    assert [round(mean, 1) for mean in means] == [78.0, 75.2]  # as printed


def test_the_tasks_decide_what_is_kept() -> None:
    kept = {task: retention(tables.DISTILBERT, tables.BERT, [task]) for task in tables.BERT}
    assert min(kept, key=lambda task: kept[task]) == "WNLI" and round(kept["WNLI"], 1) == 94.4
    assert max(kept, key=lambda task: kept[task]) == "CoLA"
    assert round(retention(tables.DISTILBERT, tables.BERT, ["CoLA", "RTE"]), 1) == 99.5


@pytest.mark.parametrize(("left_out", "word"), [(["cola"], "'cola'"), (list(tables.BERT), "at least")])
def test_what_cannot_be_left_out_gets_a_sentence(left_out: list[str], word: str) -> None:
    with pytest.raises(ValueError, match=word):
        tables.validate_left_out(left_out)


def test_one_is_percent_and_called_absolute_the_other_points_and_called_percent() -> None:
    assert [round(one, 1) for one in points_and_percent(82.1, 86.7)] == [4.6, 5.6]
    assert [round(one, 1) for one in points_and_percent(79.5, 77.0)] == [-2.5, -3.1]


def test_the_docket_has_every_erratum_once() -> None:
    files = list((root / "chapters").glob("nb[0-9][0-9]/errata.py"))
    written = sum(len(re.findall(r"^    Erratum\(", file.read_text("utf-8"), re.MULTILINE)) for file in files)
    assert len(docket.entries()) == written == sum(docket.counts().values())
    assert sum(len(docket.found_by(doubt)) for doubt in DOUBTS) == written
    ranges = [range(10), range(10, 25), range(25, 34), range(34, 41)]  # the four stretches
    assert sum(len(docket.of_notebooks(numbers)) for numbers in ranges) == written


def test_an_entry_says_who_printed_what_and_what_comes_out() -> None:
    (entry,) = docket.of_notebooks([2])
    lines = docket.text_of(entry).splitlines()
    assert lines[0].startswith("02  What the limit of 512") and "ROCLING 2020" in lines[0]
    assert lines[1] == "    printed: the number of words in a sentence"
    assert lines[2].startswith("    computed: 16 of the 62") and max(map(len, lines)) <= docket.WIDTH


def test_an_unknown_question_gets_a_sentence() -> None:
    with pytest.raises(ValueError, match="rows, base, unit, run, source"):
        docket.found_by("points")
