"""The lab book says what the records say."""

from lib import root
from lib.records import record
from studies.claims import CLAIMS, beside
from tools import lab_book


def test_the_page_is_what_the_records_make_of_it() -> None:
    written = (root / "docs" / "lab_book.md").read_text(encoding="utf-8")
    assert written == lab_book.page(), "run `python course.py records book`"


def test_every_record_and_every_arm_stands_in_it() -> None:
    page = lab_book.page()
    for name in record.names():
        runs = record.table(name)
        assert f"## {name}\n" in page
        assert all(f"| {arm} |" in page for task in runs.tasks() for arm in runs.arms(task))


def test_a_run_that_collapsed_tests_nothing() -> None:
    verdicts = {claim.says: beside(claim)[2] for claim in CLAIMS if not claim.learned}
    assert verdicts and set(verdicts.values()) == {"not tested: a run collapsed"}


def test_every_claim_names_arms_that_are_recorded() -> None:
    for claim in CLAIMS:
        published, here, verdict = beside(claim)
        assert (published == "") == (claim.published is None)
        assert abs(float(here)) < 100 and verdict
