"""The drawings of notebook 35."""

import torch
from pictures import for_each_example, for_each_refusal

from chapters.nb35 import drawings as nb35
from lib import records

TABLE = records.table("memory")
PLANE = torch.tensor([[1.0, 0.0], [0.0, 2.0], [-1.0, -0.1]])
BUCKETS = torch.tensor([1, 0, 0, 1, 0, 0])

test_a_drawing_says_what_it_shows = for_each_example({
    "places": (lambda: nb35.draw_places(TABLE), ["nats at places 1 to 16: no memory"], [nb35.NATS]),
    "places with a memory": (
        lambda: nb35.draw_with_memory([2.0 - 0.01 * place for place in range(16)], [2.5] * 16, 16, TABLE),
        ["no memory", "with its memory taken away 2.50", "yours, 16 rows 2.00, 1.99"],
        [nb35.PLACES],
    ),
    "lengths": (lambda: nb35.draw_lengths(TABLE), ["16 rows less none, segments of 32", "nats, "], []),
    "restarted": (lambda: nb35.draw_restarted(TABLE), ["restart, 16 rows less restart, none"], []),
    "reach": (
        lambda: nb35.draw_reach(3, 16),
        ["after layer 1: 32 places back; of the words: 48 places back"],
        ["this segment", "after layer 3"],
    ),
    "the plane": (
        lambda: nb35.draw_directions(PLANE, torch.eye(2), torch.tensor([0, 1, 2])),
        ["4 directions", "(0.0, 2.0) in bucket 1"],
        ["3"],
    ),
    "chunks": (
        lambda: nb35.draw_chunks(BUCKETS, 2),
        ["the tokens are 1, 2, 4, 5, 0, 3", "that share a bucket, 10 meet"],
        ["who meets, sorted, in chunks of 2", "4 (0)"],
    ),
})  # fmt: skip

test_what_cannot_be_drawn_is_refused_in_one_sentence = for_each_refusal({
    "chunks that don't fit": (lambda: nb35.draw_chunks(BUCKETS, 4), "can't be cut"),
})  # fmt: skip


def test_a_round_multiplies_each_query_with_two_chunks() -> None:
    found = {1: [0.1, 0.5, 0.6, 0.47], 4: [0.3, 0.9, 0.26, 0.47]}
    rows, title = nb35.rounds_as_table(found, chunk=64, tokens=512)
    assert rows["rounds"] == ["1", "4"] and "512 tokens" in title
    assert rows["products (full attention: 1)"] == ["0.25", "1.00"]
    assert rows["recall of the 8 nearest"] == ["0.50", "0.90"]
    assert rows["error of the mean"] == ["0.47", "0.47"]
