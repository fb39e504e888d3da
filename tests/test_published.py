"""Recorded scores beside published ones: what stands in which column."""

from lib.records.published import beside_published
from lib.records.table import Row, Table

TABLE = Table(
    [
        Row("MRPC", "MiniLM", 0, {"accuracy": 0.8, "f1": 0.9}, {"rows": 7}),
        Row("MRPC", "MiniLM", 1, {"accuracy": 0.7, "f1": 0.8}, {"rows": 7}),
        Row("MRPC", "baseline", 0, {"accuracy": 0.6, "f1": 0.7}),
    ]
)


def test_a_row_for_each_set_and_metric_in_the_order_given() -> None:
    columns = beside_published(TABLE, {("MRPC", "f1"): 88.9, ("MRPC", "accuracy"): ""})
    assert columns["set: score"] == ["MRPC: F1", "MRPC: accuracy"]
    assert columns["published"] == [88.9, ""]
    assert {len(column) for column in columns.values()} == {2}


def test_scores_are_times_100_with_their_mean_and_spread_over_seeds() -> None:
    columns = beside_published(TABLE, {("MRPC", "f1"): 88.9})
    assert columns["rows to learn from"] == [7]
    assert columns["counting"] == [70.0]
    assert abs(columns["MiniLM"][0] - 85.0) < 1e-9
    assert columns["lowest to highest seed"] == ["80.0 to 90.0"]
