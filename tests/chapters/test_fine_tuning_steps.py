"""Fine-tuning in full view, and the ten misread reviews."""

import pytest

from chapters.nb14 import misread
from lib.text.tasks import own


def test_the_misread_reviews_are_test_reviews() -> None:
    found = misread.places(own.reviews("test"))
    assert len(set(found)) == 10
    with pytest.raises(ValueError, match="0 reviews begin with"):
        misread.places(own.reviews("train"))
