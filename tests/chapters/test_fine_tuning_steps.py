"""Fine-tuning in full view, and the ten misread reviews."""

import pytest

from chapters.nb14 import misread
from lib.text.tasks import own


def test_the_misread_reviews_are_test_reviews() -> None:
    found = misread.places(own.reviews("test"))
    assert len(set(found)) == 10
    with pytest.raises(ValueError, match="0 reviews begin with"):
        misread.places(own.reviews("train"))


def test_a_negation_is_found_as_a_word() -> None:
    assert misread.has_negation("I don't know") and misread.has_negation("Nothing, but good")
    assert not misread.has_negation("a knotty butter dish")
