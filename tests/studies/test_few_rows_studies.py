"""Studies that learn from a part of the training rows: which rows those are."""

from collections import Counter

from lib.records.teachers import task_named
from studies.few_labels import OF_EACH, first_of_each
from studies.learning_rates import with_development_rows


def test_development_rows_are_training_rows_that_nothing_learns_from() -> None:
    task = task_named("headlines")
    chosen = with_development_rows(task)
    learned, judged, tested = ({row.first for row in rows} for rows in (chosen.train, chosen.test, task.test))
    assert len(chosen.train) == 900 and len(chosen.test) == 180
    assert not judged & learned and not judged & tested


def test_few_rows_have_as_many_of_each_class() -> None:
    few = first_of_each(task_named("headlines"), OF_EACH)
    assert set(Counter(row.label for row in few.train).values()) == {10}
    assert few.test == task_named("headlines").test
