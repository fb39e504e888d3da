"""The drawings and tables of notebook 37."""

import torch
from pictures import for_each_example

from chapters.nb37 import drawings as nb37
from chapters.nb37 import glue, two_streams
from lib import records

TABLE = records.table("relatives")
ORDER = torch.tensor([2, 0, 1])
WORDS = ["she", "opened", "accounts"]

test_a_drawing_says_what_it_shows = for_each_example({
    "the race": (
        nb37.draw_race,
        ["People: 87.1", "BERT-large 80.4", "Snorkel MeTaL 83.2", "ALBERT+DAAF+NAS 90.6"],
        ["people 87.1 (May 2019)", "March 2020", "GLUE score"],
    ),
    "draws beside one's own": (
        lambda: nb37.draw_losses(TABLE, 10, 3.25),
        ["1 draw 5.84 (5.71 to 6.01)", "Yours: 10 draws 3.25", "10 less 30 +0.10"],
        ["yours, held-out text", "loss, nats"],
    ),
    "draws nobody recorded": (lambda: nb37.draw_losses(TABLE, 5, 3.4), ["Yours: 5 draws 3.40"], []),
    "two masks": (
        lambda: nb37.draw_two_masks(WORDS, ORDER, *two_streams.permutation_masks(ORDER)),
        ["content, opened sees she opened accounts", "query, accounts sees nothing"],
        ["she (step 1)", "opened (step 2)", "accounts (step 0)"],
    ),
})  # fmt: skip


def test_people_rise_most_without_one_task() -> None:
    table = nb37.left_out_table(glue.MARCH_2020, "people", glue.glue_score)
    places = dict(zip(table["left out"], table["rank of people"], strict=True))
    assert places["QQP"] == 5 and min(places[task] for task in places if task != "QQP") == 8
    assert table["points ahead of the next"][list(places).index("QQP")] == "0.04"


def test_who_is_last_leads_nobody() -> None:
    table = nb37.left_out_table(glue.MARCH_2020, "Snorkel MeTaL", glue.glue_score)
    assert table["rank of Snorkel MeTaL"][0] == 10 and table["points ahead of the next"][0] == "-"


def test_two_rows_stand_side_by_side() -> None:
    table = nb37.tasks_table("people", "RoBERTa", glue.MARCH_2020)
    place = table["task"].index("MRPC")
    assert table["people"][place] == "83.5" and table["RoBERTa"][place] == "91.0"
    assert table["task"] == list(glue.TASKS)
